"""The aggregate: a client's requisition and its revisions."""
