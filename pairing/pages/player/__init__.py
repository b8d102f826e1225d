"""What a player sees and does by his personal link.

Nobody else uses it.
"""
