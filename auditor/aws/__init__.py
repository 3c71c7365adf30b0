"""AWS: who is asking, the one way a call leaves, what a refusal means, and the permissions that the calls need."""
