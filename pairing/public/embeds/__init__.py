"""A club's pages elsewhere: previews of shared links, frames in its website, search engines.

Others use: `share_cards`.
"""
