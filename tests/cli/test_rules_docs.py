"""``rules docs``."""

from __future__ import annotations

from pathlib import Path

PAGES = Path("docs", "rules")
RUN = "run `auditor rules docs --write`"


def test_the_catalogue_is_printed(run):
    text = run("rules", "docs").stdout
    assert "| [lb-no-shift](lb-no-shift.md) | high | The load balancer cannot be shifted |" in text
    assert not PAGES.exists()


def test_written_pages_are_current(run):
    assert run("rules", "docs", "--write").exit_code == 0
    assert sorted(path.name for path in PAGES.iterdir()) == ["README.md", "lb-no-shift.md", "tg-empty.md"]
    before = {path: path.stat().st_mtime_ns for path in PAGES.iterdir()}
    result = run("rules", "docs", "--check")
    assert (result.exit_code, result.output) == (0, "")
    run("rules", "docs", "--write")
    assert {path: path.stat().st_mtime_ns for path in PAGES.iterdir()} == before


def test_missing_stale_and_left_over_pages_are_named(run):
    result = run("rules", "docs", "--check")
    assert result.exit_code == 1
    assert (
        result.stderr == f"auditor: docs/rules: 3 pages are missing (README.md, lb-no-shift.md, tg-empty.md); {RUN}\n"
    )
    run("rules", "docs", "--write")
    (PAGES / "README.md").write_text("other\n")
    (PAGES / "lb-no-shift.md").rename(PAGES / "gone.md")
    result = run("rules", "docs", "--check")
    assert result.exit_code == 1
    assert result.stderr == (
        "auditor: docs/rules: 1 page is missing (lb-no-shift.md), 1 page is stale (README.md), "
        f"1 page is left over (gone.md); {RUN}\n"
    )


def test_writing_removes_what_is_left_over_and_nothing_written_by_hand(run):
    run("rules", "docs", "--write")
    (PAGES / "lb-no-shift.md").rename(PAGES / "gone.md")
    (PAGES / "notes.md").write_text("# By hand\n")
    assert run("rules", "docs", "--write").exit_code == 0
    assert sorted(path.name for path in PAGES.iterdir()) == ["README.md", "lb-no-shift.md", "notes.md", "tg-empty.md"]
    assert run("rules", "docs", "--check").exit_code == 0


def test_a_changed_rule_makes_its_page_stale(run, own_rules):
    run("rules", "docs", "--write")
    rule = own_rules / "lb-no-shift.yaml"
    rule.write_text(rule.read_text().replace("Nothing moves its traffic.", "Nothing moves."))
    assert "1 page is stale (lb-no-shift.md)" in run("rules", "docs", "--check").stderr
    rule.write_text(rule.read_text().replace("name: switched off", "name: it is off"))
    run("rules", "docs", "--write")
    assert "it is off: finding" in (PAGES / "lb-no-shift.md").read_text()


def test_rules_of_ones_own_have_pages_too(run, tmp_path):
    run("rules", "new", "x-first", "--subject", "TargetGroup")
    args = ("rules", "docs", "--rules", "my-rules", "--directory", tmp_path / "our pages")
    assert run(*args, "--check").stderr.endswith(
        f"; run `auditor rules docs --write --directory '{tmp_path / 'our pages'}' --rules my-rules`\n"
    )
    assert run(*args, "--write").exit_code == 0
    assert (tmp_path / "our pages" / "x-first.md").exists()


def test_write_and_check_at_once(run):
    result = run("rules", "docs", "--write", "--check")
    assert result.exit_code == 2
    assert result.stderr == (
        "auditor: --write makes the pages current and --check says whether they are: give one of them\n"
    )


def test_a_folder_that_cannot_be_made(run, tmp_path):
    (tmp_path / "file").write_text("")
    result = run("rules", "docs", "--write", "--directory", tmp_path / "file" / "pages")
    assert result.exit_code == 2
    assert result.stderr == f"auditor: {tmp_path / 'file' / 'pages'} cannot be made: Not a directory\n"
