"""Amazon CloudWatch: the alarms that practice-run configurations name, and no other."""

from collections.abc import Iterator

from ..model import arc, cloudwatch
from ..model.known import Unknown
from .call import Call, View, batches

ALARMS_AT_ONCE = 100


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


# Without AlarmTypes, CloudWatch answers with metric alarms only.
ALARMS = Call(
    cloudwatch.ALARMS,
    batches("AlarmNames", _practice_alarms, ALARMS_AT_ONCE, AlarmTypes=["MetricAlarm", "CompositeAlarm"]),
    depends=(arc.MANAGED_RESOURCES, arc.MANAGED_RESOURCE),
    page_size=ALARMS_AT_ONCE,
)
