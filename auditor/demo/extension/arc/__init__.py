"""ARC zonal shift as a service of moto's."""
