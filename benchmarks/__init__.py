"""Speed, measured and reported; nothing here passes or fails."""
