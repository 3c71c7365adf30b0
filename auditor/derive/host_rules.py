"""Does a health check miss every rule that forwards because each of them asks for a host name?

The check of a Network Load Balancer names the address of one of its nodes as host. Where every rule that forwards has a
condition on the host that this does not meet, and no other rule answers, the default action of the listener always does.
https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-troubleshooting.html
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model import elbv2
from ..model.known import Known, Listing
from ..model.verdict import Truth, all_of, any_of, negate
from .listener_rules import Probe, condition_holds, default_actions, numbered, outcome_of


def only_host_rules(rules: Listing[elbv2.Rule], listener: elbv2.Listener, probe: Probe) -> Truth:
    """Whether the default action answers the probe, only because all rules that forward need another host.

    False where nothing forwards, where the default action forwards (also after a login), where a rule that forwards has no
    condition on the host or one that the probe meets, and where a rule that redirects or answers itself matches the probe.
    Unknown when rules could not be read, or when the match of an expression or of such a rule is not known.
    """
    if not rules.complete:
        return rules.unknown
    default = default_actions(rules, listener)
    if _forwards(default) or outcome_of(default, "").kind not in ("redirect", "fixed_response"):
        return False
    if not any(_forwards(r.Actions) for r in numbered(rules)):
        return False
    return all_of(_passes_over(rule, probe) for rule in numbered(rules))


def _passes_over(rule: elbv2.Rule, probe: Probe) -> Truth:
    """Whether the probe goes on to the next rule; for a rule that forwards, whether the host alone is reason enough."""
    if _forwards(rule.Actions):
        return any_of(negate(condition_holds(c, probe)) for c in rule.Conditions if c.Field == "host-header")
    return negate(all_of(condition_holds(c, probe) for c in rule.Conditions))


def _forwards(actions: list[elbv2.Action]) -> bool:
    return any(a.Type == "forward" for a in actions)


def forwarding_rules(rules: Listing[elbv2.Rule]) -> Known[tuple[str, ...]]:
    """Each rule that forwards, with the host names it asks for; in order of priority."""
    if not rules.complete:
        return rules.unknown
    return tuple(_words(r) for r in numbered(rules) if _forwards(r.Actions))


def _words(rule: elbv2.Rule) -> str:
    hosts = list(dict.fromkeys(_hosts(rule)))
    return f"priority {rule.Priority}: {' or '.join(hosts) or 'any host'}"


def _hosts(rule: elbv2.Rule) -> Iterator[str]:
    for condition in rule.Conditions:
        if condition.Field == "host-header":
            config = condition.HostHeaderConfig or elbv2.ConditionValues()
            yield from (*config.Values, *condition.Values, *config.RegexValues, *condition.RegexValues)
