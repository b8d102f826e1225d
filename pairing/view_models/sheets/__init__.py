"""What a sheet of an event holds: one record for the web page and for the paper alike.

Others use: `averages`, `cards`, `decisions`, `due_colours`, `parts`, `people`, `players`, `prize_list`, `record`,
`regulations`, `rounds`, `schedule`, `seating`, `tables`, `tie_breaks`.
"""
