"""The documentation site: every page of the repository, references from the code, and "Why this pairing?"."""
