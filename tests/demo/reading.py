"""Reads everything that the auditor reads, through ordinary botocore clients."""

from __future__ import annotations

import json
import re
from typing import Any

import boto3
from botocore import xform_name
from botocore.config import Config

from auditor.demo import DemoAccount

_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\"]*")


class Reader:
    """Calls an account and keeps every answer by service, operation and parameters."""

    def __init__(self, account: DemoAccount) -> None:
        self.account = account
        self.session = boto3.Session("testing", "testing", region_name=account.region)
        self.clients: dict[str, Any] = {}
        self.answers: dict[tuple[str, str, str], dict[str, Any]] = {}

    def client(self, service: str) -> Any:
        if service not in self.clients:
            self.clients[service] = self.session.client(
                service, endpoint_url=self.account.endpoint_url, config=Config(retries={"total_max_attempts": 1})
            )
        return self.clients[service]

    def call(self, service: str, operation: str, **params: Any) -> dict[str, Any]:
        answer = getattr(self.client(service), xform_name(operation))(**params)
        del answer["ResponseMetadata"]
        self.answers[service, operation, json.dumps(params, sort_keys=True)] = answer
        return answer

    def without_times(self) -> dict[tuple[str, str, str], str]:
        return {
            key: _TIME.sub("TIME", json.dumps(answer, default=str, sort_keys=True))
            for key, answer in self.answers.items()
        }

    # What tests ask for.

    def groups(self) -> dict[str, dict[str, Any]]:
        return {g["TargetGroupName"]: g for g in self.call("elbv2", "DescribeTargetGroups")["TargetGroups"]}

    def balancers(self) -> dict[str, dict[str, Any]]:
        return {b["LoadBalancerName"]: b for b in self.call("elbv2", "DescribeLoadBalancers")["LoadBalancers"]}

    def health(self, group: str) -> list[dict[str, Any]]:
        arn = self.groups()[group]["TargetGroupArn"]
        answer = self.call("elbv2", "DescribeTargetHealth", TargetGroupArn=arn, Include=["All"])
        return answer["TargetHealthDescriptions"]

    def attributes(self, arn: str) -> dict[str, str]:
        kind = "TargetGroup" if ":targetgroup/" in arn else "LoadBalancer"
        answer = self.call("elbv2", f"Describe{kind}Attributes", **{f"{kind}Arn": arn})
        return {pair["Key"]: pair["Value"] for pair in answer["Attributes"]}


def read_all(account: DemoAccount) -> Reader:
    reader = Reader(account)
    call = reader.call
    call("sts", "GetCallerIdentity")
    call("ec2", "DescribeRegions", AllRegions=True)
    call("ec2", "DescribeAvailabilityZones")
    call("ec2", "DescribeSubnets", MaxResults=1000)
    call("ec2", "DescribeInstances", MaxResults=1000)
    call("ec2", "DescribeNetworkInterfaces", Filters=[{"Name": "description", "Values": ["ELB *"]}])
    call("ec2", "DescribeInstanceTypeOfferings", LocationType="availability-zone-id")
    _read_elbv2(reader)
    _read_elb(reader)
    for group in call("autoscaling", "DescribeAutoScalingGroups", MaxRecords=100)["AutoScalingGroups"]:
        call("autoscaling", "DescribeWarmPool", AutoScalingGroupName=group["AutoScalingGroupName"])
    call("autoscaling", "DescribeScheduledActions", MaxRecords=100)
    _read_eks(reader)
    for item in call("arc-zonal-shift", "ListManagedResources", maxResults=100)["items"]:
        call("arc-zonal-shift", "GetManagedResource", resourceIdentifier=item["arn"])
    call("cloudwatch", "DescribeAlarms", AlarmTypes=["MetricAlarm", "CompositeAlarm"], MaxRecords=100)
    call("arc-zonal-shift", "ListZonalShifts", maxResults=100)
    call("arc-zonal-shift", "ListAutoshifts", maxResults=100)
    call("arc-zonal-shift", "GetAutoshiftObserverNotificationStatus")
    return reader


def _read_elbv2(reader: Reader) -> None:
    arns = []
    for balancer in reader.call("elbv2", "DescribeLoadBalancers", PageSize=400)["LoadBalancers"]:
        arn = balancer["LoadBalancerArn"]
        arns.append(arn)
        reader.attributes(arn)
        for listener in reader.call("elbv2", "DescribeListeners", LoadBalancerArn=arn, PageSize=400)["Listeners"]:
            reader.call("elbv2", "DescribeRules", ListenerArn=listener["ListenerArn"], PageSize=400)
    for group in reader.call("elbv2", "DescribeTargetGroups", PageSize=400)["TargetGroups"]:
        arn = group["TargetGroupArn"]
        arns.append(arn)
        reader.attributes(arn)
        reader.call("elbv2", "DescribeTargetHealth", TargetGroupArn=arn, Include=["All"])
    reader.call("elbv2", "DescribeSSLPolicies", PageSize=400)
    for start in range(0, len(arns), 20):
        reader.call("elbv2", "DescribeTags", ResourceArns=arns[start : start + 20])


def _read_elb(reader: Reader) -> None:
    for balancer in reader.call("elb", "DescribeLoadBalancers", PageSize=400)["LoadBalancerDescriptions"]:
        name = balancer["LoadBalancerName"]
        reader.call("elb", "DescribeLoadBalancerAttributes", LoadBalancerName=name)
        reader.call("elb", "DescribeInstanceHealth", LoadBalancerName=name)
        reader.call("elb", "DescribeTags", LoadBalancerNames=[name])


def _read_eks(reader: Reader) -> None:
    for cluster in reader.call("eks", "ListClusters")["clusters"]:
        reader.call("eks", "DescribeCluster", name=cluster)
        for name in reader.call("eks", "ListNodegroups", clusterName=cluster)["nodegroups"]:
            reader.call("eks", "DescribeNodegroup", clusterName=cluster, nodegroupName=name)
        for name in reader.call("eks", "ListFargateProfiles", clusterName=cluster)["fargateProfileNames"]:
            reader.call("eks", "DescribeFargateProfile", clusterName=cluster, fargateProfileName=name)
