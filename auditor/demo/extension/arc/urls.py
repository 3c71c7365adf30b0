"""Where requests for ARC zonal shift arrive: one pattern; botocore's model tells the operations apart."""

from __future__ import annotations

from .responses import ArcZonalShiftResponse

url_bases = [r"https?://arc-zonal-shift\.(.+)\.amazonaws\.com"]
url_paths = {"{0}/.*$": ArcZonalShiftResponse.dispatch}
