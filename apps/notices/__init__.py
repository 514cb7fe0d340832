"""What people are told: one notice each on their page, and a mail where it matters at once."""
