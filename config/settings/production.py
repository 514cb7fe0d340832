"""PostgreSQL, Redis, SMTP, behind a proxy that speaks TLS. Everything secret comes from outside."""

from urllib.parse import urlsplit

from config.env import (
    database_from_url,
    env_bool,
    env_int,
    env_list,
    env_secret,
    env_str,
    refuse_senseless_mail,
)
from config.settings.base import *

SECRET_KEY = env_secret("PODBOR_SECRET_KEY")
SITE_URL = env_str("SITE_URL")
ALLOWED_HOSTS = env_list("PODBOR_ALLOWED_HOSTS", urlsplit(SITE_URL).hostname or "")
CSRF_TRUSTED_ORIGINS = [SITE_URL]
DATABASES = {"default": database_from_url(env_str("DATABASE_URL"))}

CELERY_BROKER_URL = env_str("REDIS_URL")
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
    "health_check_interval": 25,
}

SECURE_SSL_REDIRECT = env_bool("PODBOR_SSL_REDIRECT", default=True)
SECURE_REDIRECT_EXEMPT = [r"^healthz/$"]  # probes speak plain HTTP inside the network
SECURE_HSTS_SECONDS = 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
SESSION_COOKIE_NAME = "__Host-sessionid"
CSRF_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrftoken"
if env_bool("PODBOR_BEHIND_PROXY", default=True):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    TRUST_FORWARDED_FOR = True

EMAIL_HOST = env_str("EMAIL_HOST")
EMAIL_PORT = env_int("EMAIL_PORT", 25)
EMAIL_HOST_USER = env_str("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env_str("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env_bool("EMAIL_USE_TLS", default=False)
EMAIL_USE_SSL = env_bool("EMAIL_USE_SSL", default=False)
DEFAULT_FROM_EMAIL = env_str("DEFAULT_FROM_EMAIL")
refuse_senseless_mail(
    host=EMAIL_HOST,
    port=EMAIL_PORT,
    user=EMAIL_HOST_USER,
    password=EMAIL_HOST_PASSWORD,
    start_tls=EMAIL_USE_TLS,
    tls=EMAIL_USE_SSL,
    sender=DEFAULT_FROM_EMAIL,
)
