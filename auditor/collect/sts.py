"""AWS STS: who is asking. Asked when signing in, before there is a recording to write to."""

from ..model import sts
from .call import Call, Stage

CALLER_IDENTITY = Call(sts.CALLER_IDENTITY, stage=Stage.SIGN_IN)
