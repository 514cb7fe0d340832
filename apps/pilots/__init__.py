"""Pilots: the protocol of a measured run, the kit that measures it, what came out, acceptance."""
