"""Recordings: what is written comes back, whatever ends the writing, and nothing foreign is taken for one."""

from __future__ import annotations

import errno
import gzip
import os
import stat
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.errors import EXIT_USAGE, RecordingError
from auditor.model.answer import Answer, CallError, Footer, Header, stamp
from auditor.model.known import Outcome
from auditor.record import recording
from auditor.record.recording import Recorder, read_recording

HEADER = Header(
    v=1, tool_version="0.1.0", scan_id="scan-1", started="2026-01-01T00:00:00.000Z", settings={"regions": ["us-east-1"]}
)
FOOTER = Footer(v=1, finished="2026-01-01T00:01:00.000Z", calls=2, errors=1)


def answer(operation: str = "DescribeRegions", **changes: Any) -> Answer:
    fields: dict[str, Any] = {
        "v": 1,
        "account": "123456789012",
        "region": "us-east-1",
        "service": "ec2",
        "operation": operation,
        "params": {},
        "page": 1,
        "at": "2026-01-01T00:00:30.000Z",
        "ms": 12,
    }
    if "error" not in changes:
        fields["response"] = {"Regions": []}
    return Answer(**(fields | changes))


REFUSAL = answer("DescribeSubnets", error=CallError(code="AccessDenied", message="no", outcome=Outcome.DENIED))


def write(path: Path, *answers: Answer, footer: Footer | None = FOOTER) -> Path:
    with Recorder.create(path, HEADER) as recorder:
        for each in answers:
            recorder.append(each)
        if footer is None:
            return recorder.part
        return recorder.finish(footer)


def said(path: Path) -> str:
    with pytest.raises(RecordingError) as caught:
        read_recording(path)
    assert caught.value.exit_code == EXIT_USAGE
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    path = write(tmp_path / "scan.jsonl.gz", answer(next="more"), answer(page=2), REFUSAL)
    found = read_recording(path)
    assert (found.header, found.footer, found.cut_off) == (HEADER, FOOTER, False)
    assert found.answers == [answer(next="more"), answer(page=2), REFUSAL]
    assert list(tmp_path.glob("scan*")) == [path]


def test_the_lines_are_those_of_the_contract(tmp_path: Path) -> None:
    lines = gzip.decompress(
        write(tmp_path / "scan.jsonl.gz", answer(pass_=2, next="more"), REFUSAL).read_bytes()
    ).splitlines()
    header, first, second, footer = map(msgspec.json.decode, lines)
    assert (header["kind"], header["v"], footer["kind"], footer["v"]) == ("header", 1, "footer", 1)
    assert first == {
        "v": 1,
        "account": "123456789012",
        "region": "us-east-1",
        "service": "ec2",
        "operation": "DescribeRegions",
        "params": {},
        "page": 1,
        "at": "2026-01-01T00:00:30.000Z",
        "ms": 12,
        "pass": 2,
        "next": "more",
        "response": {"Regions": []},
    }
    assert second["error"] == {"code": "AccessDenied", "message": "no", "outcome": "denied"}
    assert "response" not in second


def test_each_answer_is_on_disk_when_append_returns(tmp_path: Path) -> None:
    recorder = Recorder.create(tmp_path / "scan.jsonl.gz", HEADER)
    for count in range(3):
        assert len(read_recording(recorder.part).answers) == count
        recorder.append(answer(page=count + 1))
    assert (recorder.calls, recorder.errors) == (3, 0)
    recorder.close()


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    part = write(tmp_path / "a.gz", footer=None)
    done = write(tmp_path / "b.gz", REFUSAL)
    assert [stat.S_IMODE(p.stat().st_mode) for p in (part, done)] == [0o600, 0o600]
    resumed = Recorder.resume(done)
    assert stat.S_IMODE(resumed.part.stat().st_mode) == 0o600
    resumed.close()


def test_the_same_recording_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = (write(tmp_path / name, answer(), REFUSAL) for name in ("one.gz", "other.gz"))
    assert one.read_bytes() == other.read_bytes()


def test_times_are_written_in_utc_and_bytes_as_text(tmp_path: Path) -> None:
    east = timezone(timedelta(hours=2))
    raw = {
        "Times": [datetime(2026, 1, 1, 2, tzinfo=east), datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1)],  # noqa: DTZ001
        "Data": b"ab",
    }
    (found,) = read_recording(write(tmp_path / "scan.gz", answer(response=raw))).answers
    assert found.response == {"Times": ["2026-01-01T00:00:00Z"] * 3, "Data": "YWI="}


def test_half_a_surrogate_pair_in_a_name_does_not_stop_a_scan(tmp_path: Path) -> None:
    (found,) = read_recording(write(tmp_path / "scan.gz", answer(response={"Name": "a\ud800b ü"}))).answers
    assert found.response == {"Name": "a?b ü"}


def test_stamps_sort_as_times_do() -> None:
    moments = [datetime(2026, 1, 1, 0, 0, 0, micros, tzinfo=UTC) for micros in (0, 1000, 10_000, 500_000)]
    assert [stamp(m) for m in moments] == sorted(stamp(m) for m in moments)
    assert stamp(datetime(2026, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))) == "2026-01-01T00:00:00.000Z"


_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_text, inner, max_size=3),
    max_leaves=12,
)
_answers = st.builds(
    answer,
    operation=_text,
    params=st.dictionaries(_text, _json, max_size=3),
    page=st.integers(1, 99),
    pass_=st.integers(1, 2),
    next=st.none() | _text,
    response=st.dictionaries(_text, _json, max_size=3),
) | st.builds(
    answer,
    region=_text,
    error=st.builds(CallError, code=_text, message=_text, outcome=st.sampled_from(Outcome)),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answers=st.lists(_answers, max_size=4), data=st.data())
def test_any_answer_survives_writing_reading_and_resuming(
    tmp_path: Path, answers: list[Answer], data: st.DataObject
) -> None:
    path = tmp_path / "scan.gz"
    write(path, *answers)
    assert read_recording(path).answers == answers
    again = Recorder.resume(path)
    assert again.earlier is not None
    assert again.earlier.answers == answers
    again.finish(FOOTER)
    assert read_recording(path).answers == answers
    # Cut anywhere, it gives its whole lines.
    plain = gzip.decompress(path.read_bytes())
    first = plain.index(b"\n") + 1
    cut = plain[: data.draw(st.integers(first, len(plain)), label="cut")]
    (tmp_path / "cut").write_bytes(cut)
    found = read_recording(tmp_path / "cut")
    whole = min(cut.count(b"\n") - 1, len(answers))
    assert found.answers[:whole] == answers[:whole]
    assert len(found.answers) <= whole + 1


@pytest.mark.parametrize("compressed", [False, True])
def test_a_recording_cut_off_in_mid_line_gives_its_whole_lines(tmp_path: Path, compressed: bool) -> None:
    path = write(tmp_path / "scan.gz", *(answer(f"Describe{i}") for i in range(500)))
    if compressed:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    else:
        path.write_bytes(gzip.decompress(path.read_bytes())[:-120])
    found = read_recording(path)
    assert found.cut_off
    assert found.footer is None
    # The plain one loses its footer and the end of its last answer, the compressed one all that its lost half held.
    assert 0 < len(found.answers) < 500 if compressed else len(found.answers) == 499
    assert found.answers == [answer(f"Describe{i}") for i in range(len(found.answers))]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty, not a recording"),
        (b"{}\n", "is not a recording"),
        (b"[1, 2]\n", "is not a recording"),
        (b"Region,Zone\nus-east-1,a\n", "is not a recording"),
        (b"\x80\x81\xff\n", "is not a recording"),
        (b"PK\x03\x04" + bytes(100), "is not a recording"),
        (b'{"kind":"header"', "is not a recording"),
        (b'{"kind":"header","v":2,"extra":true}\n', "of version 2; this program reads version 1"),
        (b'{"kind":"header","v":1}\n', "has a header that cannot be read"),
        (b'{"v":1,"account":"123456789012"}\n', "is not a recording"),
        (b"\x1f\x8b\x08 not gzip at all", "cannot be read"),
    ],
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    assert says in said(path)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    assert "no such file" in said(tmp_path / "nowhere")
    assert "is a directory" in said(tmp_path)


@pytest.mark.parametrize("broken", [b"{\n", b"[]\n", b'{"v":1}\n', b"\n"])
def test_damage_in_the_middle_is_not_passed_over(tmp_path: Path, broken: bytes) -> None:
    part = write(tmp_path / "scan.gz", answer(), REFUSAL, footer=None)
    first, second, third = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(first + second + broken + third)
    assert "damaged at line 3" in said(part)


def test_an_answer_is_an_answer_or_a_refusal(tmp_path: Path) -> None:
    part = write(tmp_path / "scan.gz", footer=None)
    for both in (answer(error=REFUSAL.error, response={}), answer(response=None)):
        part.write_bytes(part.read_bytes().splitlines(keepends=True)[0] + msgspec.json.encode(both) + b"\n")
        assert "either a response or an error" in said(part)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("compressed", [False, True])
def test_a_recording_is_read_from_a_pipe(tmp_path: Path, compressed: bool) -> None:
    file = write(tmp_path / "scan.gz", answer(), REFUSAL)
    content = file.read_bytes() if compressed else gzip.decompress(file.read_bytes())
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    assert read_recording(pipe).answers == [answer(), REFUSAL]
    writer.join()


def test_nothing_follows_a_footer(tmp_path: Path) -> None:
    path = write(tmp_path / "scan.gz", answer())
    path.write_bytes(gzip.decompress(path.read_bytes()) + msgspec.json.encode(answer()) + b"\n")
    assert "goes on after its last line (line 4)" in said(path)


def test_an_interrupted_scan_is_not_written_over(tmp_path: Path) -> None:
    part = write(tmp_path / "scan.gz", answer(), footer=None)
    before = part.read_bytes()
    with pytest.raises(RecordingError, match="holds an interrupted scan"):
        Recorder.create(tmp_path / "scan.gz", HEADER)
    assert part.read_bytes() == before


@pytest.mark.parametrize("place", ["nowhere/scan.gz", "."])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, place: str) -> None:
    with pytest.raises(RecordingError, match="cannot be written") as caught:
        Recorder.create(tmp_path / place, HEADER)
    assert str(tmp_path / place) in str(caught.value)


def test_a_full_disk_keeps_what_was_written(tmp_path: Path) -> None:
    recorder = Recorder.create(tmp_path / "scan.gz", HEADER)
    recorder.append(answer())

    class Full:
        """Takes ten bytes of a line, and then there is no room."""

        def __init__(self, file: Any) -> None:
            self.file = file
            self.left = 10

        def write(self, data: bytes) -> int:
            if not self.left:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            taken = self.file.write(data[: self.left])
            self.left = 0
            return int(taken)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

    real, recorder._file = recorder._file, Full(recorder._file)
    with pytest.raises(RecordingError, match="no space left on device") as caught:
        recorder.append(REFUSAL)
    assert str(recorder.part) in str(caught.value)
    # The half line is gone, so that the recording may go on once there is room.
    recorder._file = real
    recorder.append(REFUSAL)
    recorder.close()
    assert read_recording(recorder.part).answers == [answer(), REFUSAL]


def test_a_disk_that_fills_up_at_the_end_keeps_the_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder.create(tmp_path / "scan.gz", HEADER)
    recorder.append(answer())

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(recording.shutil, "copyfileobj", full)
    with pytest.raises(RecordingError, match=r"scan\.gz cannot be written: no space left on device"):
        recorder.finish(FOOTER)
    assert list(tmp_path.glob("scan*")) == [recorder.part]
    assert read_recording(recorder.part).footer == FOOTER


def test_an_interrupt_in_mid_line_takes_the_half_line_back(tmp_path: Path) -> None:
    recorder = Recorder.create(tmp_path / "scan.gz", HEADER)
    file = recorder._file

    class Struck:
        def write(self, data: bytes) -> int:
            file.write(data[:10])
            raise KeyboardInterrupt

        def __getattr__(self, name: str) -> Any:
            return getattr(file, name)

    recorder._file = Struck()  # type: ignore[assignment]
    with pytest.raises(KeyboardInterrupt):
        recorder.append(answer())
    recorder._file = file
    recorder.append(REFUSAL)
    recorder.close()
    assert read_recording(recorder.part).answers == [REFUSAL]


def test_nothing_is_left_where_nothing_could_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "scan.gz", answer())

    def full(*_: Any) -> bytes:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(recording, "_open", full)
    for begin in (lambda: Recorder.create(tmp_path / "other.gz", HEADER), lambda: Recorder.resume(path)):
        with pytest.raises(RecordingError, match="no space left on device"):
            begin()
    monkeypatch.undo()
    monkeypatch.setattr(recording.Recorder, "_write", lambda *_: (_ for _ in ()).throw(RecordingError("full")))
    for begin in (lambda: Recorder.create(tmp_path / "other.gz", HEADER), lambda: Recorder.resume(path)):
        with pytest.raises(RecordingError, match="full"):
            begin()
    assert [p for p in tmp_path.iterdir() if p.name != "home"] == [path]


def test_discard_leaves_nothing(tmp_path: Path) -> None:
    recorder = Recorder.create(tmp_path / "scan.gz", HEADER)
    recorder.discard()
    assert list(tmp_path.glob("scan*")) == []


@pytest.mark.parametrize("name", ["scan.gz", "scan.gz.part"])
def test_an_interrupted_scan_goes_on_after_its_last_whole_line(tmp_path: Path, name: str) -> None:
    part = write(tmp_path / "scan.gz", answer(), REFUSAL, footer=None)
    part.write_bytes(part.read_bytes()[:-5])
    recorder = Recorder.resume(tmp_path / name, account_id="123456789012", settings={"regions": ["us-east-1"]})
    assert recorder.earlier is not None
    assert (recorder.path, recorder.part, recorder.header) == (tmp_path / "scan.gz", part, HEADER)
    assert recorder.earlier.answers == [answer()]
    assert (recorder.calls, recorder.errors) == (1, 0)
    recorder.append(REFUSAL)
    assert read_recording(recorder.finish(FOOTER)).answers == [answer(), REFUSAL]
    assert list(tmp_path.glob("scan*")) == [tmp_path / "scan.gz"]


def test_a_finished_scan_can_be_gone_on_with_and_stays_until_the_new_one_is_finished(tmp_path: Path) -> None:
    path = write(tmp_path / "scan.gz", answer())
    before = path.read_bytes()
    recorder = Recorder.resume(path)
    recorder.append(REFUSAL)
    assert path.read_bytes() == before
    assert read_recording(recorder.part).footer is None
    recorder.finish(FOOTER)
    assert read_recording(path).answers == [answer(), REFUSAL]


def test_a_finished_and_an_interrupted_scan_of_one_name_are_not_mixed_up(tmp_path: Path) -> None:
    path = write(tmp_path / "scan.gz", answer())
    part = write(tmp_path / "scan.gz", REFUSAL, footer=None)
    with pytest.raises(RecordingError, match="holds an interrupted scan"):
        Recorder.resume(path)
    recorder = Recorder.resume(part)
    assert recorder.earlier is not None
    assert recorder.earlier.answers == [REFUSAL]
    recorder.close()


def test_another_account_or_other_settings_are_refused(tmp_path: Path) -> None:
    part = write(tmp_path / "scan.gz", answer(), footer=None)
    before = part.read_bytes()
    with pytest.raises(RecordingError, match="of account 123456789012; you are signed in to 444455556666"):
        Recorder.resume(part, account_id="444455556666")
    with pytest.raises(RecordingError, match="with other settings: regions, services"):
        Recorder.resume(part, settings={"regions": ["eu-west-1"], "services": ("ec2",)})
    assert part.read_bytes() == before
    assert list(tmp_path.glob("scan*")) == [part]


def test_the_order_of_regions_does_not_make_another_scan(tmp_path: Path) -> None:
    header = msgspec.structs.replace(HEADER, settings={"regions": ["us-east-1", "eu-west-1"], "services": []})
    recorder = Recorder.create(tmp_path / "scan.gz", header)
    recorder.append(answer())
    recorder.close()
    again = Recorder.resume(recorder.part, settings={"regions": ["eu-west-1", "us-east-1"], "services": []})
    again.close()


def test_there_must_be_something_to_resume(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="no such file"):
        Recorder.resume(tmp_path / "scan.gz")
