"""The guide to a server, walked: every command of docs/operator/server.md in a fresh machine, and the pages asked."""
