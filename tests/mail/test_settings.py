"""What mail is handed over with is refused before the first mail fails on it."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.env import refuse_senseless_mail

SENSIBLE = {
    "host": "mail.example",
    "port": 587,
    "user": "podbor",
    "password": "secret",
    "start_tls": True,
    "tls": False,
    "sender": "Подбор <podbor@podbor.example>",
}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"host": "10.0.0.1", "port": 25, "user": "", "password": "", "start_tls": False},
        {"host": "::1"},
        {"sender": "podbor@localhost"},
        {"start_tls": False, "tls": True, "port": 465},
    ],
)
def test_sensible_values_pass(change):
    refuse_senseless_mail(**SENSIBLE | change)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"host": ""}, "EMAIL_HOST must"),
        ({"host": "smtp://mail.example"}, "EMAIL_HOST must"),
        ({"host": "mail.example another"}, "EMAIL_HOST must"),
        ({"port": 0}, "EMAIL_PORT"),
        ({"port": 70_000}, "EMAIL_PORT"),
        ({"tls": True}, "EMAIL_USE_TLS"),
        ({"password": ""}, "EMAIL_HOST_PASSWORD"),
        ({"user": ""}, "EMAIL_HOST_USER"),
        ({"sender": "Podbor"}, "DEFAULT_FROM_EMAIL"),
        ({"sender": ""}, "DEFAULT_FROM_EMAIL"),
        ({"sender": "a\nb <podbor@podbor.example>"}, "DEFAULT_FROM_EMAIL"),
    ],
)
def test_a_senseless_value_is_refused_by_its_name(change, named):
    with pytest.raises(ImproperlyConfigured, match=named) as refusal:
        refuse_senseless_mail(**SENSIBLE | change)
    assert "secret" not in str(refusal.value)
