"""What to look for, by topic. Each module gives `find(reading, lexicon)`: hits in any order."""
