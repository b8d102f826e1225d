"""Views of bank statements."""
