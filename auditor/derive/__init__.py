"""What the inventory means per zone. One question per file; pure functions over typed facts."""
