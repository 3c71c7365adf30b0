"""Nouns only: AWS shapes, identities, what is known, verdicts, findings. Knows msgspec and nothing else."""
