"""The parts of the table format, top to bottom: zone matrix, findings, what could not be read, summary."""
