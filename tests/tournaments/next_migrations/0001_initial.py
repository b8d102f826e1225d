from importlib import import_module

Migration = import_module("tournaments.migrations.0001_initial").Migration
