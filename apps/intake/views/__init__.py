"""The client's screens, a module per screen."""
