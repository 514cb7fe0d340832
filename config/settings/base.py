"""What every mode shares. The other modules of this package hold differences only."""

from pathlib import Path
from typing import Any

from config.env import env_bool, env_int, env_list, env_str

BASE_DIR = Path(__file__).resolve().parents[2]
DATA_DIR = Path(env_str("PODBOR_DATA_DIR", str(BASE_DIR / "var"))).resolve()
FIXTURES_DIR = BASE_DIR / "fixtures"
BLOB_DIR = DATA_DIR / "blobs"

DEBUG = False
EMBEDDED = False  # demo people and embedded conveniences exist in embedded mode only
DEMO_STORIES = False

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "crispy_forms",
    "crispy_bootstrap5",
    "apps.core",
    "apps.accounts",
    "apps.audit",
    "apps.jobs",
    "apps.mail",
    "apps.notices",
    "apps.worktime",
    "apps.catalog",
    "apps.configs",
    "apps.questionnaire",
    "apps.requisitions",
    "apps.estimation",
    "apps.pilots",
    "apps.offers",
    "apps.talk",
    "apps.documents",
    "apps.intake",
    "apps.review",
    "apps.tryout",
    "apps.demo",
]

MIDDLEWARE = [
    "apps.core.middleware.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "apps.core.middleware.SecurityHeadersMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "apps.core.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "apps.core.middleware.NoStoreMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "apps.core.middleware.DomainErrorMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "apps.core.context_processors.page",
                "apps.notices.context_processors.bell",
            ],
        },
    },
    {
        # Mails: plain text, in which an escaped name would be a wrong one.
        "NAME": "text",
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {"autoescape": False},
    },
]

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
LOGIN_URL = "accounts:sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["full_name", "email"]},
    },
]

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "apps.core.error_views.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

LANGUAGE_CODE = "ru"
LANGUAGES = [("ru", "Русский"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env_str("PODBOR_TIME_ZONE", "Europe/Moscow")

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 2**20  # an attachment of 10 MiB with its form around it
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 2**20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
MAX_BODY_BYTES = 210 * 2**20  # twenty attachments at once
COMPANY_FILES_BYTES = env_int("PODBOR_COMPANY_FILES_MIB", 2048) * 2**20
LEAST_FREE_BYTES = 512 * 2**20  # stays free for answers, estimates and documents
# Tells a person what the thing that they were too late for is like now.
PRESENT_STATE = "apps.requisitions.present.present_state"

CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"

# Kind of a job, up to its first colon -> the function that does it. Rows name the kind; this is
# the only place that knows the code, so that the queue stays below what it runs.
JOB_HANDLERS = {
    "estimate": "apps.estimation.handlers.estimate",
    "assemble": "apps.estimation.handlers.assemble",
    "pdf": "apps.documents.handlers.render",
    "demo": "apps.demo.handlers.play",
    "mail": "apps.mail.handlers.send",
}
# Told, in the transaction that gives a job up, that nobody will do it.
JOB_FAILURE_HANDLERS = {
    "estimate": "apps.estimation.handlers.estimate_failed",
    "assemble": "apps.estimation.handlers.assemble_failed",
    "mail": "apps.mail.handlers.send_failed",
}
JOB_LEASE_S = 30
JOB_HEARTBEAT_S = 10
JOB_MAX_ATTEMPTS = 3
JOB_SWEEP_S = 1.5
# Done by the sweeper of every worker, once an hour.
HOUSEKEEPING = (
    "apps.jobs.services.beats_purge",
    "apps.mail.services.mails_purge",
    "apps.notices.services.notices_purge",
    "apps.requisitions.timekeeping.keep_time",
    "apps.accounts.services.leftovers_purge",
    "apps.requisitions.reminding.remind",
    "apps.review.digest.digest_send",
)
# Hold mails that can wait until people work: Monday to Friday without the holidays, 9 to 18.
QUIET_MAIL = env_bool("PODBOR_QUIET_MAIL", default=True)
# Days without work on a draft after which it is put away, and reminders so many days before that.
DRAFTS_KEPT_DAYS = env_int("PODBOR_DRAFTS_KEPT_DAYS", 90)
# How long whoever wrote a comment may mend it or take it back.
COMMENT_MENDED_MINUTES = env_int("PODBOR_COMMENT_MENDED_MINUTES", 15)
NOTICES_KEPT_DAYS = env_int("PODBOR_NOTICES_KEPT_DAYS", 365)
MAIL_KEPT_DAYS = env_int("PODBOR_MAIL_KEPT_DAYS", 90)

# By when clients are told to expect an assessment: whole working days after it was sent, and the
# days (ISO, separated by commas) on which nobody works beside Saturday and Sunday.
REVIEW_WORKING_DAYS = env_int("PODBOR_REVIEW_WORKING_DAYS", 2)
HOLIDAYS = env_list("PODBOR_HOLIDAYS")
# Working hours without a deed of its engineer after which a requisition goes back into the queue;
# 0 never.
RETURN_AFTER_WORKING_HOURS = env_int("PODBOR_RETURN_AFTER_WORKING_HOURS", 27)

# Template of a mail -> the function that turns the ids of its row into the words of its text, when
# it is sent. Texts: templates/mail/<name>.subject.txt and <name>.txt.
MAIL_CONTEXTS: dict[str, str] = {
    "sign-up": "apps.accounts.letters.sign_up",
    "password-reset": "apps.accounts.letters.password_reset",
    "password-changed": "apps.accounts.letters.password_changed",
    "invitation": "apps.accounts.letters.invitation",
    "email-change": "apps.accounts.letters.email_change",
    "email-changed": "apps.accounts.letters.email_changed",
    "notice": "apps.notices.mails.context",
    "guest": "apps.requisitions.guest_letters.invitation",
}
DEFAULT_FROM_EMAIL = "Podbor <podbor@localhost>"
EMAIL_TIMEOUT = 10  # seconds for each answer of the mail server; the job's lease lives on meanwhile

# Whom people write to when they are stuck; without an address pages name nobody.
CONTACT_EMAIL = env_str("PODBOR_CONTACT_EMAIL", "")

# Whether strangers may make an account (and a company) of their own. Closed, people come in by
# invitation only, and the pages are not there.
SIGN_UP_OPEN = env_bool("PODBOR_SIGN_UP_OPEN", default=True)
PASSWORD_RESET_TIMEOUT = 24 * 3600  # seconds that a link for a new password works
# Believe what a proxy says about where a request came from; without one, anybody could say it.
TRUST_FORWARDED_FOR = False

# Nobody approves a revision that they worked on, unless the house is too small for that.
APPROVE_OWN_WORK = False

LOG_LEVEL = env_str("PODBOR_LOG_LEVEL", "INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    },
    "filters": {"links": {"()": "apps.accounts.logs.HideLinks"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["links"],
        }
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {"django.server": {"level": "WARNING"}, "weasyprint": {"level": "ERROR"}},
}

CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_CONCURRENCY = env_int("PODBOR_WORKER_THREADS", 4)
