"""Settings of Clubnight, read from environment variables. Defaults are for a single computer.

`CLUBNIGHT_SECRET_KEY` (default: made and stored), `CLUBNIGHT_DEBUG` (1 or 0), `CLUBNIGHT_HOSTS` (comma-separated),
`CLUBNIGHT_DATABASE` (a SQLite file, or postgres://user:password@host:port/name), `CLUBNIGHT_DATABASE_POOLER` (1 behind
PgBouncer in transaction mode), `CLUBNIGHT_REDIS` (redis://...; default: no broker),
`CLUBNIGHT_PROXIES` (addresses and networks, comma-separated), `CLUBNIGHT_CLUB_REQUESTS` (1 or 0),
`CLUBNIGHT_LIVE` (the URL of the event streams; default: pages poll every few seconds),
`CLUBNIGHT_VAR` (the folder for what the application writes), `CLUBNIGHT_FILES` (folder or database: how processes
exchange files), `CLUBNIGHT_HTTPS` (1 behind TLS),
`CLUBNIGHT_BACKUPS` (a folder) and `CLUBNIGHT_BACKUP_KEY` (age1... or AGE-SECRET-KEY-1...; default: not encrypted),
`CLUBNIGHT_METRICS_TOKEN` (default: no access to metrics), `CLUBNIGHT_SECURITY_CONTACT`,
`CLUBNIGHT_MAIL` (smtp://user:password@host:port; default: emails become files) and `CLUBNIGHT_MAIL_FROM`,
`CLUBNIGHT_PUSH_KEY` (a file; default: made and stored) and `CLUBNIGHT_PUSH_SERVICES` (additional hosts),
`CLUBNIGHT_WEBHOOK_SITES` (sites of the own network that webhooks may call),
`CLUBNIGHT_STATIC` (the folder of collected static files; it is made again for every version),
`CLUBNIGHT_LANGUAGE` and `CLUBNIGHT_TIME_ZONE`. Each can be given as a file: `CLUBNIGHT_SECRET_KEY_FILE` and so on.
"""

import tomllib
from pathlib import Path
from typing import Any

from config import env_readers
from config.database import database_settings
from config.environment import env, unknown_variables
from config.languages import available_languages
from config.startup_checks import check_allowed_hosts, check_metrics_token, load_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = env_readers.env_existing_folder("CLUBNIGHT_VAR", BASE_DIR / "var")

VERSION: str = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

DEBUG = env_readers.env_bool("CLUBNIGHT_DEBUG")
# How processes exchange files: in folders of VAR_DIR, or in the database, which all machines can reach.
FILES_IN_DATABASE = env_readers.env_choice("CLUBNIGHT_FILES", "folder", ("folder", "database")) == "database"
SECRET_KEY = load_secret_key(env("CLUBNIGHT_SECRET_KEY"), VAR_DIR)
ALLOWED_HOSTS = check_allowed_hosts(env("CLUBNIGHT_HOSTS"), debugging=DEBUG)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "template_partials",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "common",
    "clubs",
    "tournaments",
    "pairing",
    "operations",
]

MIDDLEWARE = [
    "config.middleware.host_port.ignore_host_port",
    "config.middleware.request_logging.log_requests",
    "config.middleware.request_metrics.measure_requests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.compression.CompressTextMiddleware",
    "tournaments.live_updates.shared_page_middleware.shared_page_middleware",
    "config.middleware.content_security_policy.content_security_policy",
    "config.middleware.noindex_default.noindex_by_default",
    "config.error_handlers.SessionErrorMiddleware",
    "clubs.time_zones.reset_time_zone",
    "clubs.membership.accounts.middleware.buffer_anonymous_uploads",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "clubs.membership.accounts.middleware.limit_anonymous_post_size",
    "config.middleware.private_page_caching.prevent_page_caching",
    "config.middleware.unreadable_requests.reject_unreadable_requests",
    "config.error_handlers.DatabaseErrorMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "clubs.membership.accounts.middleware.SignInRequiredMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]


DATABASES = {
    "default": database_settings(
        env("CLUBNIGHT_DATABASE", str(BASE_DIR / "db.sqlite3")),
        is_pooled=env_readers.env_bool("CLUBNIGHT_DATABASE_POOLER"),
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "clubs.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
CSRF_FAILURE_VIEW = "clubs.membership.accounts.views.deferred_posts.csrf_failure"

ACCOUNT_ADAPTER = "clubs.membership.accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Our own code counts wrong passwords (clubs/membership/accounts/throttling.py): it slows down and never locks out.
# Requests for reset links are limited by address. By mailbox only the emails are (`reset_email`, in its form).
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": None, "reset_password": "20/m/ip", "reset_email": "5/m/key"}
ACCOUNT_FORMS = {
    "login": "clubs.membership.accounts.forms.SignInForm",
    "change_password": "clubs.membership.accounts.forms.PasswordChangeForm",
    "set_password": "clubs.membership.accounts.forms.PasswordSetForm",
    "reset_password": "clubs.membership.accounts.forms.PasswordResetForm",
    "reset_password_from_key": "clubs.membership.accounts.forms.PasswordResetKeyForm",
    "add_email": "clubs.membership.accounts.forms.EmailChangeForm",
    "reauthenticate": "clubs.membership.accounts.forms.PasswordReauthenticationForm",
}
MFA_ADAPTER = "clubs.membership.accounts.adapter.TwoFactorAdapter"
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    "authenticate": "clubs.membership.accounts.forms.TwoFactorCodeForm",
    "reauthenticate": "clubs.membership.accounts.forms.TwoFactorReauthenticationForm",
    "activate_totp": "clubs.membership.accounts.forms.TwoFactorSetUpForm",
    "add_webauthn": "clubs.membership.accounts.forms.PasskeyAddForm",
    "login_webauthn": "clubs.membership.accounts.forms.PasskeySignInForm",
    "authenticate_webauthn": "clubs.membership.accounts.forms.PasskeyTwoFactorForm",
    "reauthenticate_webauthn": "clubs.membership.accounts.forms.PasskeyReauthenticationForm",
}
# The web servers that are trusted to forward client addresses: addresses, or networks (10.0.0.0/8).
TRUSTED_PROXIES = env_readers.env_networks("CLUBNIGHT_PROXIES", "127.0.0.1,::1")
# If visitors can request a club of their own on this server.
CLUB_REQUESTS_ALLOWED = env_readers.env_bool("CLUBNIGHT_CLUB_REQUESTS")

LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGES = available_languages(LOCALE_PATHS[0])
LANGUAGE_CODE = env_readers.env_choice("CLUBNIGHT_LANGUAGE", "en", [code for code, _name in LANGUAGES])
FORMAT_MODULE_PATH = ["config.formats"]
USE_I18N = True
TIME_ZONE = env_readers.env_time_zone("CLUBNIGHT_TIME_ZONE", "Europe/Warsaw")
USE_TZ = True

STATIC_URL = "/static/"
WHITENOISE_ALLOW_ALL_ORIGINS = False
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(env("CLUBNIGHT_STATIC", str(VAR_DIR / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static_files.MinifyingStorage"
    },
}
# smtp://user:password@host:port (smtps:// for TLS from the start); without it emails are written to files.
_mail = env_readers.env_mail_server("CLUBNIGHT_MAIL")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if _mail.host else 'filebased'}.EmailBackend"
EMAIL_FILE_PATH = VAR_DIR / "mail"
EMAIL_HOST, EMAIL_PORT = _mail.host, _mail.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.user, _mail.password
EMAIL_USE_SSL = _mail.has_implicit_tls
EMAIL_USE_TLS = not EMAIL_USE_SSL and bool(EMAIL_HOST_USER)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env_readers.env_sender("CLUBNIGHT_MAIL_FROM", "clubnight@localhost")

# The URL of the event streams (config/asgi.py) for browsers: https://chess.example.org, or http://host:port for a
# separate port. Without it pages poll every few seconds.
LIVE_ADDRESS = env_readers.env_site_url("CLUBNIGHT_LIVE")

CELERY_BROKER_URL = env_readers.env_redis_url("CLUBNIGHT_REDIS")

CACHES = {
    # Rate limits, shared by all processes if there is a Redis. Those of sign-in are in the database.
    "default": {
        "BACKEND": "config.limits_cache.LimitsCache",
        "LOCATION": CELERY_BROKER_URL,
        "KEY_PREFIX": "limits",
        "OPTIONS": {
            "serializer": "config.limits_cache.JsonSerializer",
            "socket_connect_timeout": 0.5,
            "socket_timeout": 0.5,
        },
    }
    if (CELERY_BROKER_URL or "").startswith(("redis://", "rediss://"))
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "default"},
    "parts": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "parts",
        "OPTIONS": {"MAX_ENTRIES": 500},
    },
    # Separate, so that many requests for images do not evict anything else.
    "pictures": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pictures",
        "OPTIONS": {"MAX_ENTRIES": 200},
    },
}

# The folder of the nightly backup, best on another disk, and the age key that encrypts it (the public half is enough).
BACKUP_DIR = Path(env("CLUBNIGHT_BACKUPS", str(VAR_DIR / "backups")))
BACKUP_KEY = env("CLUBNIGHT_BACKUP_KEY")

# Our key for push services, made at the first start, and push services other than those of the usual browsers.
PUSH_KEY_FILE = Path(env("CLUBNIGHT_PUSH_KEY", str(VAR_DIR / "push-key")))
PUSH_SERVICES = env_readers.env_hosts("CLUBNIGHT_PUSH_SERVICES")

# Sites in the server's own network, such as http://192.168.1.5:8000, that clubs' webhooks may call as well.
WEBHOOK_SITES = env_readers.env_hosts("CLUBNIGHT_WEBHOOK_SITES")

# The folder in which deploy/manage was called, for relative file names.
CALLED_FROM = Path(env("CLUBNIGHT_CALLED_FROM"))

MEDIA_ROOT = VAR_DIR / "media"
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000

CELERY_RESULT_BACKEND = CELERY_BROKER_URL
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A page that sends a job does not wait longer for an unreachable queue.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 2}

# Scripts and styles come from our own files only; frames show our own papers before they are printed.
SECURE_CSP = {
    "default-src": ["'self'"],
    "connect-src": ["'self'", *([LIVE_ADDRESS] if LIVE_ADDRESS else [])],
    "img-src": ["'self'", "data:"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'self'"],
}

SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env_readers.env_bool("CLUBNIGHT_HTTPS")
if SECURE_SSL_REDIRECT:
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# For monitoring: the token that can read the metrics, and the contact for security reports.
METRICS_TOKEN = check_metrics_token(env("CLUBNIGHT_METRICS_TOKEN"))
SECURITY_CONTACT = env_readers.env_contact("CLUBNIGHT_SECURITY_CONTACT")

# Who is told when something fails (operations/alerts), and the service that expects a ping of each nightly job.
ALERT_MAIL = env_readers.env_mail_addresses("CLUBNIGHT_ALERT_MAIL")
ALERT_WEBHOOK = env_readers.env_web_address("CLUBNIGHT_ALERT_WEBHOOK")
PING_ADDRESS = env_readers.env_web_address("CLUBNIGHT_PING").rstrip("/")
SENTRY_DSN = env_readers.env_web_address("CLUBNIGHT_SENTRY_DSN")
if SENTRY_DSN:
    from config.middleware.error_reports import start_error_reports

    start_error_reports(SENTRY_DSN)

# `check --deploy` also wants all subdomains included and the domain preloaded. Only the owner of the domain can decide
# that, and it cannot be undone for a year.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if not SECURE_SSL_REDIRECT:
    # clubnight.W001 (clubs/membership/onboarding/system_checks.py) replaces these with one message.
    SILENCED_SYSTEM_CHECKS += [f"security.W{number:03}" for number in (4, 8, 10, 11, 12, 16)]
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without_tokens": {"()": "config.log_redaction.RedactTokensFilter"}},
    "formatters": {"json": {"()": "config.middleware.request_logging.JsonFormatter"}},
    "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {name: {"filters": ["without_tokens"]} for name in ("django.request", "django.security.csrf")},
}
# A request with an unknown host gets 400, and its own log line: it is not an error of this server.
LOGGING["loggers"]["django.security.DisallowedHost"] = {"level": "CRITICAL"}
# Django's own log lines are for debugging; a server writes one JSON object per line to its error output.
if not DEBUG:
    LOGGING["root"] = {"handlers": ["lines"], "level": "WARNING"}
    LOGGING["loggers"] |= {name: {"level": "INFO"} for name in ("clubnight", "common.jobs")}
    # runserver would log every request a second time.
    LOGGING["loggers"]["django.server"] = {"level": "CRITICAL"}

# Reported by `check --deploy` (clubs/membership/onboarding/system_checks.py), to find mistyped names.
UNKNOWN_SETTINGS = unknown_variables()
