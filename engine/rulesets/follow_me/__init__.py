"""Follow Me, Men!: heroes, their men, creatures and magic, one noun in each module."""
