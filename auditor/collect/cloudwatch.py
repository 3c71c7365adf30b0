"""Amazon CloudWatch: alarms, and the rules that mute them. Practice runs name some of the alarms; the others call people."""

from collections.abc import Iterator

from ..model import cloudwatch
from .call import Call, View, each, once

PAGE = 100


def _active_mutes(view: View) -> Iterator[str]:
    return (r.name for r in view.listing(cloudwatch.ALARM_MUTE_RULES) if r.Status == "ACTIVE")


# Without AlarmTypes, CloudWatch answers with metric alarms only.
ALARMS = Call(
    cloudwatch.ALARMS,
    once(AlarmTypes=["MetricAlarm", "CompositeAlarm", "LogAlarm"]),
    page_size=PAGE,
)
ALARM_MUTE_RULES = Call(cloudwatch.ALARM_MUTE_RULES, page_size=PAGE)
ALARM_MUTE_RULE = Call(
    cloudwatch.ALARM_MUTE_RULE,
    each("AlarmMuteRuleName", _active_mutes),
    depends=(cloudwatch.ALARM_MUTE_RULES,),
)
