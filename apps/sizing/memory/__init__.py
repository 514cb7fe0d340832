"""Memory of one GPU: states, activations, loss, what is whole while in use, phases, allocator."""
