"""Health endpoints for monitoring: liveness, readiness, metrics.

Others use: `readiness`.
"""
