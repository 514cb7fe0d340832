"""People, companies and roles."""
