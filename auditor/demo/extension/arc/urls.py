"""Where requests for ARC zonal shift arrive; one pattern for all paths, the operation is found from botocore's model."""

from __future__ import annotations

from .responses import ArcZonalShiftResponse

url_bases = [r"https?://arc-zonal-shift\.(.+)\.amazonaws\.com"]
url_paths = {"{0}/.*$": ArcZonalShiftResponse.dispatch}
