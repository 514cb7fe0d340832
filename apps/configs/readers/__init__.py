"""One module a notation: each turns text into plain values or says why it cannot."""
