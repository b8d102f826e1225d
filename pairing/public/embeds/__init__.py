"""A club's pages on other sites: previews of shared links, frames in its website, search engines.

Others use: `share_cards`.
"""
