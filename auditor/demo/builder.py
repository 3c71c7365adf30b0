"""Verbs that build an estate: ordinary boto3 calls, plus what only AWS itself decides (health of targets)."""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections.abc import Mapping, Sequence
from typing import Any

import boto3
import botocore.session
from botocore.config import Config
from botocore.loaders import Loader, create_loader
from moto.autoscaling.models import autoscaling_backends
from moto.eks.models import eks_backends
from moto.elb.models import elb_backends
from moto.elbv2.models import elbv2_backends

from .extension.arc.models import arczonalshift_backends, now_utc
from .extension.hooks import make_backends, seed_ids

ZONES = "abc"
_FIRST_READS = {
    "ec2": "describe_vpcs",
    "elbv2": "describe_load_balancers",
    "elb": "describe_load_balancers",
    "autoscaling": "describe_auto_scaling_groups",
    "eks": "list_clusters",
    "arc-zonal-shift": "list_zonal_shifts",
    "cloudwatch": "describe_alarms",
}
IMAGE = "ami-0d3f2a1b4c5e6f708"
HEALTHY = {"State": "healthy"}
_REPLACE_FIRST = {"InstanceMaintenancePolicy": {"MinHealthyPercentage": 100, "MaxHealthyPercentage": 110}}


def unhealthy(reason: str, description: str) -> dict[str, str]:
    """A TargetHealth of an unhealthy target."""
    return {"State": "unhealthy", "Reason": reason, "Description": description}


@dataclasses.dataclass(slots=True)
class Builder:
    """Builds in one account and region; zones are named by their letter, resources by name.

    Attributes:
        account: account id.
        region: region name.
        session: boto3 session with the demo's credentials.
        subnets: subnet id by "public-a", "private-b" and so on.
        groups: ARN of every target group by name.
        balancers: ARN of every ELBv2 load balancer by name.
    """

    account: str
    region: str
    session: boto3.Session
    vpc: str = ""
    subnets: dict[str, str] = dataclasses.field(default_factory=dict)
    groups: dict[str, str] = dataclasses.field(default_factory=dict)
    balancers: dict[str, str] = dataclasses.field(default_factory=dict)
    _clients: dict[str, Any] = dataclasses.field(default_factory=dict)
    _hosts: int = 0

    @classmethod
    def open(cls, account: str, region: str) -> Builder:
        """A builder with a session of its own, in an account that is ready.

        One read of every service comes first: what moto loads at the first call of a service may take ids from the
        generator, and would take them in the first build of a process only.
        """
        make_backends(account, region)
        core = botocore.session.Session()
        core.register_component("data_loader", _loader())
        builder = cls(account, region, boto3.Session(region_name=region, botocore_session=core))
        for service, read in _FIRST_READS.items():
            getattr(builder.client(service), read)()
        return builder

    def client(self, service: str) -> Any:
        """The client of a service."""
        if service not in self._clients:
            config = Config(retries={"total_max_attempts": 1})
            self._clients[service] = self.session.client(service, region_name=self.region, config=config)  # type: ignore[call-overload]
        return self._clients[service]

    def network(self, cidr: str = "10.40") -> None:
        """A VPC with a public and a private subnet in each of three zones."""
        ec2 = self.client("ec2")
        seed_ids("network")
        self.vpc = ec2.create_vpc(CidrBlock=f"{cidr}.0.0/16", TagSpecifications=_named("vpc", "shop"))["Vpc"]["VpcId"]
        for tier, kind in enumerate(("public", "private")):
            for number, letter in enumerate(ZONES):
                name = f"{kind}-{letter}"
                made = ec2.create_subnet(
                    VpcId=self.vpc,
                    AvailabilityZone=self.region + letter,
                    CidrBlock=f"{cidr}.{tier * 16 + number}.0/24",
                    TagSpecifications=_named("subnet", name),
                )
                self.subnets[name] = made["Subnet"]["SubnetId"]

    def addresses(self, zones: Mapping[str, int]) -> list[str]:
        """Fresh private addresses, so many in each zone."""
        fresh = []
        for letter, count in zones.items():
            for _ in range(count):
                self._hosts += 1
                fresh.append(f"10.40.{16 + ZONES.index(letter)}.{100 + self._hosts}")
        return fresh

    def target_group(self, name: str, *, attributes: Mapping[str, str] | None = None, **settings: Any) -> str:
        """A target group; settings as in CreateTargetGroup."""
        elbv2 = self.client("elbv2")
        seed_ids(f"target group {name}")
        if settings.get("TargetType") != "lambda":
            settings.setdefault("VpcId", self.vpc)
        arn: str = elbv2.create_target_group(Name=name, **settings)["TargetGroups"][0]["TargetGroupArn"]
        if attributes:
            elbv2.modify_target_group_attributes(TargetGroupArn=arn, Attributes=_pairs(attributes))
        self.groups[name] = arn
        return arn

    def ip_targets(self, group: str, zones: Mapping[str, int], health: Mapping[str, str] = HEALTHY) -> None:
        """Register fresh addresses, so many in each zone, all in the same health."""
        addresses = self.addresses(zones)
        self.register(group, addresses)
        if health != HEALTHY:
            self.health(group, addresses, health)

    def register(self, group: str, ids: Sequence[str]) -> None:
        """Register targets by id on the group's port."""
        self.client("elbv2").register_targets(TargetGroupArn=self.groups[group], Targets=[{"Id": item} for item in ids])

    def health(self, group: str, ids: Sequence[str], health: Mapping[str, str]) -> None:
        """Let the checks of registered targets find `health`. No API call does this, so the backend is told."""
        backend: Any = elbv2_backends[self.account][self.region]
        for item in ids:
            backend.set_target_health(self.groups[group], item, health)

    def load_balancer(
        self,
        name: str,
        kind: str = "application",
        *,
        public: bool = False,
        zones: str = ZONES,
        attributes: Mapping[str, str] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> str:
        """An ELBv2 load balancer in the public or private subnets of its zones."""
        elbv2 = self.client("elbv2")
        seed_ids(f"load balancer {name}")
        settings: dict[str, Any] = {} if kind == "gateway" else {"Scheme": "internet-facing" if public else "internal"}
        tier = "public" if public else "private"
        made = elbv2.create_load_balancer(
            Name=name,
            Type=kind,
            Subnets=[self.subnets[f"{tier}-{letter}"] for letter in zones],
            Tags=_pairs({"team": "web", "env": "prod", **(tags or {})}),
            **settings,
        )
        arn: str = made["LoadBalancers"][0]["LoadBalancerArn"]
        if attributes:
            elbv2.modify_load_balancer_attributes(LoadBalancerArn=arn, Attributes=_pairs(attributes))
        self.balancers[name] = arn
        return arn

    def listener(
        self, balancer: str, port: int | None, protocol: str | None, action: Mapping[str, Any], **more: Any
    ) -> str:
        """A listener with one default action; a gateway listener has neither port nor protocol."""
        seed_ids(f"listener {balancer} {port}")
        settings = {"Port": port, "Protocol": protocol} if port else {}
        if protocol in ("HTTPS", "TLS"):
            more["Certificates"] = [{"CertificateArn": self.certificate}]
        made = self.client("elbv2").create_listener(
            LoadBalancerArn=self.balancers[balancer], DefaultActions=[dict(action)], **settings, **more
        )
        arn: str = made["Listeners"][0]["ListenerArn"]
        return arn

    def path_rule(self, listener: str, priority: int, path: str, action: Mapping[str, Any]) -> None:
        """A listener rule for a path."""
        seed_ids(f"rule {listener} {priority}")
        self.client("elbv2").create_rule(
            ListenerArn=listener,
            Priority=priority,
            Conditions=[{"Field": "path-pattern", "PathPatternConfig": {"Values": [path]}}],
            Actions=[dict(action)],
        )

    def forward(self, *groups: str, weights: Sequence[int] | None = None) -> dict[str, Any]:
        """A forward action; weighted when weights are given."""
        if weights is None:
            return {"Type": "forward", "TargetGroupArn": self.groups[groups[0]]}
        pairs = zip(groups, weights, strict=True)
        tuples = [{"TargetGroupArn": self.groups[group], "Weight": weight} for group, weight in pairs]
        return {"Type": "forward", "ForwardConfig": {"TargetGroups": tuples}}

    def scaling_group(
        self,
        name: str,
        desired: int,
        *,
        zones: str = ZONES,
        groups: Sequence[str] = (),
        classic: Sequence[str] = (),
        shift: bool | None = None,
    ) -> None:
        """An Auto Scaling group over the private subnets of its zones; `shift` None leaves the policy unset."""
        seed_ids(f"Auto Scaling group {name}")
        template = {"ImageId": IMAGE, "InstanceType": "m7g.large"}
        self.client("ec2").create_launch_template(LaunchTemplateName=name, LaunchTemplateData=template)
        policy = {"ZonalShiftEnabled": shift, "ImpairedZoneHealthCheckBehavior": "IgnoreUnhealthy"}
        self.client("autoscaling").create_auto_scaling_group(
            AutoScalingGroupName=name,
            MinSize=0 if desired == 0 else len(zones),
            MaxSize=max(desired * 2, 24),
            DesiredCapacity=desired,
            LaunchTemplate={"LaunchTemplateName": name, "Version": "1"},
            VPCZoneIdentifier=",".join(self.subnets[f"private-{letter}"] for letter in zones),
            TargetGroupARNs=[self.groups[group] for group in groups],
            LoadBalancerNames=list(classic),
            HealthCheckType="ELB" if groups or classic else "EC2",
            Tags=[{"Key": "team", "Value": "web", "PropagateAtLaunch": True}],
            **({} if shift is None else {"AvailabilityZoneImpairmentPolicy": policy, **_REPLACE_FIRST}),
        )

    def warm_pool(self, name: str, size: int) -> None:
        """Stopped instances that wait beside an Auto Scaling group; they are no capacity."""
        self.client("autoscaling").put_warm_pool(AutoScalingGroupName=name, MinSize=size, PoolState="Stopped")

    def attach_unevenly(self, name: str, zones: Mapping[str, int]) -> None:
        """Launch instances, so many in each zone, and attach them to an Auto Scaling group."""
        for letter, count in zones.items():
            seed_ids(f"instances {name} {letter}")
            made = self.client("ec2").run_instances(
                ImageId=IMAGE,
                InstanceType="m7g.large",
                MinCount=count,
                MaxCount=count,
                SubnetId=self.subnets[f"private-{letter}"],
                ClientToken=f"{name}-{letter}",
            )
            ids = [instance["InstanceId"] for instance in made["Instances"]]
            self.client("autoscaling").attach_instances(AutoScalingGroupName=name, InstanceIds=ids)

    def classic(self, name: str, zones: str) -> None:
        """A Classic Load Balancer with cross-zone on."""
        elb = self.client("elb")
        seed_ids(f"classic load balancer {name}")
        elb.create_load_balancer(
            LoadBalancerName=name,
            Listeners=[{"Protocol": "HTTP", "LoadBalancerPort": 80, "InstanceProtocol": "HTTP", "InstancePort": 8080}],
            Subnets=[self.subnets[f"public-{letter}"] for letter in zones],
            Tags=_pairs({"team": "billing"}),
        )
        check = {"Target": "HTTP:8080/healthz", "Interval": 30, "Timeout": 5}
        elb.configure_health_check(
            LoadBalancerName=name, HealthCheck={**check, "UnhealthyThreshold": 2, "HealthyThreshold": 3}
        )
        elb.modify_load_balancer_attributes(
            LoadBalancerName=name, LoadBalancerAttributes={"CrossZoneLoadBalancing": {"Enabled": True}}
        )

    def cluster(self, name: str, *, shift: bool) -> None:
        """An EKS cluster with control-plane interfaces in every zone."""
        seed_ids(f"cluster {name}")
        self.client("eks").create_cluster(
            name=name,
            roleArn=f"arn:aws:iam::{self.account}:role/eks-cluster",
            resourcesVpcConfig={"subnetIds": self._private(ZONES)},
            zonalShiftConfig={"enabled": shift},
            clientRequestToken=f"cluster-{name}",
            tags={"team": "platform"},
        )

    def node_group(self, cluster: str, name: str, desired: int) -> None:
        """A managed node group over every zone; its Auto Scaling group comes with it."""
        seed_ids(f"node group {cluster} {name}")
        self.client("eks").create_nodegroup(
            clusterName=cluster,
            nodegroupName=name,
            subnets=self._private(ZONES),
            scalingConfig={"minSize": 3, "maxSize": 12, "desiredSize": desired},
            instanceTypes=["m7g.xlarge"],
            nodeRole=f"arn:aws:iam::{self.account}:role/eks-node",
        )

    def fargate_profile(self, cluster: str, name: str, namespace: str) -> None:
        """A Fargate profile over every zone."""
        seed_ids(f"Fargate profile {cluster} {name}")
        self.client("eks").create_fargate_profile(
            clusterName=cluster,
            fargateProfileName=name,
            podExecutionRoleArn=f"arn:aws:iam::{self.account}:role/eks-fargate",
            subnets=self._private(ZONES),
            selectors=[{"namespace": namespace}],
        )

    def shift_away(self, balancer: str, zone_id: str, comment: str) -> None:
        """A customer zonal shift, in force for twelve hours from now."""
        seed_ids(f"zonal shift {balancer}")
        self.client("arc-zonal-shift").start_zonal_shift(
            resourceIdentifier=self.balancers[balancer], awayFrom=zone_id, expiresIn="12h", comment=comment
        )

    def practice(self, balancer: str, alarm: str) -> None:
        """Practice runs with one outcome alarm, one successful run away from each zone, and zonal autoshift on."""
        seed_ids(f"practice runs {balancer}")
        arn = self.balancers[balancer]
        condition = {"type": "CLOUDWATCH", "alarmIdentifier": self.alarm(alarm, balancer)}
        backend: Any = arczonalshift_backends[self.account][self.region]
        backend.configure_practice(
            arn, {"outcomeAlarms": [condition], "blockedWindows": ["Mon:08:00-Mon:18:00"]}, "ENABLED"
        )
        for weeks, zone_id in enumerate(backend.find(arn).zones):
            started = now_utc() - datetime.timedelta(days=3 + 7 * weeks)
            backend.add_practice_run(arn, zone_id, started, "SUCCEEDED")

    def alarm(self, name: str, balancer: str) -> str:
        """A CloudWatch alarm on failing requests of a load balancer; gives its ARN."""
        self.client("cloudwatch").put_metric_alarm(
            AlarmName=name,
            Namespace="AWS/ApplicationELB",
            MetricName="HTTPCode_Target_5XX_Count",
            Dimensions=[{"Name": "LoadBalancer", "Value": self.balancers[balancer].partition(":loadbalancer/")[2]}],
            Statistic="Sum",
            Period=60,
            EvaluationPeriods=3,
            Threshold=50,
            ComparisonOperator="GreaterThanThreshold",
            TreatMissingData="notBreaching",
        )
        return f"arn:aws:cloudwatch:{self.region}:{self.account}:alarm:{name}"

    def age(self, moment: datetime.datetime) -> None:
        """Let everything that shows when it was made have been made at one moment (UTC)."""
        text = moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        made: list[Any] = [
            *elbv2_backends[self.account][self.region].load_balancers.values(),
            *autoscaling_backends[self.account][self.region].autoscaling_groups.values(),
        ]
        for item in made:
            item.created_time = text
        for balancer in elb_backends[self.account][self.region].load_balancers.values():
            balancer.created_time = moment
        for cluster in eks_backends[self.account][self.region].clusters.values():
            parts: list[Any] = [cluster, *cluster.nodegroups.values(), *cluster.fargate_profiles.values()]
            for part in parts:
                part.created_at = part.modified_at = moment

    @property
    def certificate(self) -> str:
        """ARN of the certificate that every TLS listener has."""
        return f"arn:aws:iam::{self.account}:server-certificate/shop.example.com"

    def _private(self, zones: str) -> list[str]:
        return [self.subnets[f"private-{letter}"] for letter in zones]


@functools.cache
def _loader() -> Loader:
    """One loader for every build of a process: reading the service models takes longer than the rest of a build."""
    return create_loader()


def _pairs(values: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in values.items()]


def _named(kind: str, name: str) -> list[dict[str, Any]]:
    return [{"ResourceType": kind, "Tags": [{"Key": "Name", "Value": name}]}]
