"""The doctor: looks at everything that is kept, says what is wrong and what to do; changes nothing.

Others use: `event_checks`, `findings`, `environment_checks`.
"""
