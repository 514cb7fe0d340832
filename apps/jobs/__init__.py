"""Background work as rows: claim, heartbeat, finish, sweep."""
