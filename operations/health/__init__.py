"""Health endpoints for monitoring: liveness, readiness, metrics."""
