"""Pages of rules: everything a rule file says is on its page, and nothing in it is taken for Markdown."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from auditor.evaluate.catalogue import load_catalogue
from auditor.report.markdown_text import code, escaped, fenced, link, row, running
from auditor.report.rule_pages import INDEX, MARK, rule_pages

HOSTILE = "<script>alert(1)</script> [click](javascript:x) ![i](y) **b** _c_ `d` | a\\b ~~e~~ &lt; #"
RULE = """\
id: x-odd
title: "A <b>title</b> | with `ticks`"
severity:
  - {level: high, when: zone_count > $most}
  - {level: low}
confidence: likely
subject: LoadBalancer
applies_when: kind == 'application'
violated_when: {all: ["zone_count == `2`", {not: zonal_shift_enabled}]}
params: {most: 1}
intent: [no-shift]
message: "{LoadBalancerName} is in {zones}, * not more *"
why: |
  First [paragraph](x).

  - Second paragraph.
fix:
  summary: Mend {LoadBalancerName}.
  cli: ["aws one {LoadBalancerArn}", "aws two"]
  caution: It may <i>break</i>.
references: ["https://docs.aws.amazon.com/a_b", "javascript:alert(1)"]
hides: [x-plain]
cases:
  - name: two <b>zones</b>
    given: {scenario: alb-three-zones, change: {load_balancers: {shop: {zones: [a, b], attributes: null}}}}
    expect: {fail: [shop], severity: high}
  - name: nobody can tell
    given: {scenario: alb-three-zones, deny: [elasticloadbalancing:DescribeLoadBalancers]}
    expect: {unknown: [us-east-1]}
"""
PLAIN = """\
id: x-plain
title: Plain
severity: low
confidence: certain
subject: LoadBalancer
violated_when: zone_count == `1`
message: It is
why: So.
fix: {summary: Mend it}
"""


@pytest.fixture
def pages(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "x-odd.yaml").write_text(RULE)
    (tmp_path / "own" / "x-plain.yaml").write_text(PLAIN)
    return rule_pages(load_catalogue([tmp_path], builtin=False))


def html(text):
    return MarkdownIt("commonmark").enable("table").render(text)


def test_there_is_a_page_for_each_rule_and_one_for_all(pages):
    assert list(pages) == [INDEX, "x-odd.md", "x-plain.md"]
    assert all(text.startswith(MARK) and text.endswith("\n") for text in pages.values())


def test_the_catalogue_page(pages):
    text = pages[INDEX]
    assert "2 rules." in text
    assert "## own" in text
    assert "| [x-plain](x-plain.md) | low | Plain | `elasticloadbalancing:DescribeLoadBalancers` |" in text
    assert "<td>A &lt;b&gt;title&lt;/b&gt; | with `ticks`</td>" in html(text)
    assert "<td>high, low</td>" in html(text)


def test_the_page_of_a_rule_says_all_that_the_file_says(pages):
    shown = html(pages["x-odd.md"])
    for part in (
        "<h1>A &lt;b&gt;title&lt;/b&gt; | with `ticks`</h1>",
        "<code>x-odd</code>: high, low; likely; judges each <code>LoadBalancer</code>",
        "<pre><code>zone_count &gt; $most\n</code></pre>\n<p><strong>low</strong> otherwise</p>",
        "<p><code>LoadBalancerName</code> is in <code>zones</code>, * not more *</p>",
        "<p>First [paragraph](x).</p>\n<p>- Second paragraph.</p>",
        "<pre><code>kind == 'application'\n</code></pre>",
        "<pre><code>all of\n  zone_count == `2`\n  not\n    zonal_shift_enabled\n</code></pre>",
        "<li><code>zone_count</code>: how many zones it is enabled in</li>",
        "<li><code>elasticloadbalancing:DescribeLoadBalancerAttributes</code></li>",
        "<li>nobody can tell</li>",
        "aws one {LoadBalancerArn}\naws two\n",
        "<strong>Take care.</strong> It may &lt;i&gt;break&lt;/i&gt;.",
        "<li><code>most</code>: 1</li>",
        "switch it off: <code>no-shift</code>.",
        'hides those of <a href="x-plain.md">x-plain</a>',
        "<li>two &lt;b&gt;zones&lt;/b&gt;: high finding</li>",
        "<li>nobody can tell: unknown</li>",
        '<a href="https://docs.aws.amazon.com/a_b">',
        "<li>javascript:alert(1)</li>",
    ):
        assert part in shown, part
    assert 'Hidden by <a href="x-odd.md">x-odd</a>' in html(pages["x-plain.md"])


def test_a_page_leaves_out_what_the_file_leaves_out(pages):
    text = pages["x-plain.md"]
    for heading in ("Severity", "Params", "Declared intent", "Cases", "References"):
        assert f"## {heading}" not in text
    assert "It is a finding when" in text
    assert "Take care" not in text


def test_the_same_catalogue_gives_the_same_pages(tmp_path, pages):
    assert rule_pages(load_catalogue([tmp_path], builtin=False)) == pages


@pytest.mark.parametrize("text", [HOSTILE, "- list", "+ list", "1. list", "2) list", "# head", "> quote", "===", "---"])
def test_text_reads_as_itself(text):
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert html(escaped(text)) == f"<p>{plain}</p>\n"
    assert f"<td>{plain}</td>" in html("\n".join([row("a", "b"), row("---", "---"), row(escaped(text), "end")]))


@pytest.mark.parametrize("text", ["plain", "a == `1`", "``", "`", "x\ny"])
def test_code_reads_as_itself(text):
    assert html(code(text)) == f"<p><code>{' '.join(text.split())}</code></p>\n"


def test_blocks_and_paragraphs():
    assert fenced(["```", "a"], "sh") == "````sh\n```\na\n````"
    assert running("a\nb\n\n* c") == "a b\n\n\\* c"
    assert link("https://a.b/c") == "<https://a.b/c>"
    assert link("https://a.b/ <c>") == "https://a.b/ \\<c\\>"
