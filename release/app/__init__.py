"""Clubnight, installed as a package. The application is in the folder `app`, which is not importable from here.

Its packages have short names (`common`, `config`), so that folder is added to the path only when `clubnight` starts.
"""
