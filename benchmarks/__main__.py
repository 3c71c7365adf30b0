"""``python -m benchmarks``: what a large account costs after it was read. Figures for docs/performance.md."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from auditor.derive.build import derive
from auditor.evaluate.catalogue import load_catalogue
from auditor.evaluate.run import JudgeOptions, judge
from auditor.record.decode import decode
from auditor.record.recording import Recorder, read_recording

from .synthetic import Account, footer, header

T = TypeVar("T")


def timed(what: str, work: Callable[[], T]) -> T:
    """Run `work`, print how long it took."""
    started = time.perf_counter()
    result = work()
    print(f"  {what:<36} {time.perf_counter() - started:6.2f} s")
    return result


def main() -> int:
    """Decode, derive and judge a synthetic account; print seconds and peak memory."""
    balancers = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "synthetic.jsonl.gz"
        recorder = Recorder.create(path, header())
        calls = 0
        for answer in Account(balancers).answers():
            recorder.append(answer)
            calls += 1
        recorder.finish(footer(calls))
        print(f"{balancers} load balancers, {2 * balancers} target groups, {20 * balancers} targets, {calls} answers")
        started = time.perf_counter()
        catalogue = timed("load the rules", lambda: load_catalogue(()))
        recording = timed("read the recording", lambda: read_recording(path))
        inventory = timed("decode", lambda: decode(recording.answers, recording.header, recording.footer))
        model = timed("derive", lambda: derive(inventory))
        judgement = timed("judge", lambda: judge(model, catalogue, JudgeOptions()))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)
        print(
            f"  {'all':<36} {time.perf_counter() - started:6.2f} s, peak {peak:.0f} MB, {len(judgement.findings)} findings"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
