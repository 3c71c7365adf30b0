"""Recordings: the one file that holds every answer and every refusal of a scan."""
