"""Judging the zonal model by rules: data over typed facts, in three-valued logic. Pure; only `catalogue` reads files."""
