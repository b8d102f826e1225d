"""The page of a background job: how far it is, and stopping it."""
