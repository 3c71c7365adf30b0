"""Amazon CloudWatch: alarms, and the rules that mute them. Practice runs name some of the alarms; the others call people.

The alarms that practice runs name are read in any case, by name; the others only where alarms were chosen.
"""

from collections.abc import Iterator

from ..model import arc, cloudwatch, services
from ..model.known import Unknown
from .call import Call, View, batches, each, once

PAGE = 100
# Without AlarmTypes, CloudWatch answers with metric alarms only.
TYPES = ("MetricAlarm", "CompositeAlarm", "LogAlarm")


def _practice_alarms(view: View) -> Iterator[str]:
    """Names of alarms in this account and region; one elsewhere would be mistaken for another of the same name here."""
    names = set()
    for arn in view.keys(arc.MANAGED_RESOURCE):
        resource = view.one(arc.MANAGED_RESOURCE, arn)
        if isinstance(resource, Unknown) or resource.practiceRunConfiguration is None:
            continue
        configuration = resource.practiceRunConfiguration
        for condition in (*configuration.outcomeAlarms, *configuration.blockingAlarms):
            names.add(cloudwatch.alarm_name(condition.alarmIdentifier, *view.scope))
    yield from sorted(names - {""})


def _active_mutes(view: View) -> Iterator[str]:
    return (r.name for r in view.listing(cloudwatch.ALARM_MUTE_RULES) if r.Status == "ACTIVE")


ALARMS = Call(
    cloudwatch.ALARMS,
    once(AlarmTypes=list(TYPES)),
    page_size=PAGE,
    service=services.ALARMS,
    otherwise=Call(
        cloudwatch.ALARMS,
        batches("AlarmNames", _practice_alarms, PAGE, AlarmTypes=list(TYPES)),
        depends=(arc.MANAGED_RESOURCES, arc.MANAGED_RESOURCE),
        page_size=PAGE,
    ),
)
ALARM_MUTE_RULES = Call(cloudwatch.ALARM_MUTE_RULES, page_size=PAGE)
ALARM_MUTE_RULE = Call(
    cloudwatch.ALARM_MUTE_RULE,
    each("AlarmMuteRuleName", _active_mutes),
    depends=(cloudwatch.ALARM_MUTE_RULES,),
)
