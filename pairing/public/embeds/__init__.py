"""What others see of a club: links that are shared, frames in its web site, what search engines may have.

Others use: `share_cards`, `share_card_drawing`.
"""
