"""Reports: one document (`auditor.report/1`), and one file for each format it can be written in."""
