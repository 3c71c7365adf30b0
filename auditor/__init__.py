"""Zonal auditor: what happens to an AWS account when one Availability Zone goes away, or when traffic leaves it."""

__version__ = "0.1.0"
