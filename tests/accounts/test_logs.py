"""A log is read by more people than a mailbox."""

import logging

import pytest
from django.conf import settings
from django.test import Client

from apps.accounts import links
from apps.accounts.logs import HideLinks
from tests.factories import make_invitation


@pytest.mark.parametrize(
    "path",
    [
        "/accounts/confirm/{}/",
        "/accounts/invitation/{}/",
        "/accounts/profile/email/{}/",
        "/accounts/reset/MQ/{}/",
    ],
)
def test_a_token_is_cut_out_of_a_line(path):
    secret = "5f0c:Kq-Zs_9"
    line = logging.LogRecord(
        "x", logging.WARNING, "x", 1, "%s: %s", ("Gone", path.format(secret)), None
    )
    assert HideLinks().filter(line)
    assert secret not in line.getMessage()
    assert line.getMessage().startswith("Gone: /accounts/")


def test_other_lines_stay_as_they_are():
    line = logging.LogRecord("x", 30, "x", 1, "took %d s at /accounts/profile/", (3,), None)
    assert HideLinks().filter(line)
    assert line.getMessage() == "took 3 s at /accounts/profile/"


@pytest.mark.django_db
def test_a_form_refused_for_its_age_leaves_no_link_in_the_log(caplog):
    token = links.token_of(make_invitation())
    caplog.handler.addFilter(HideLinks())
    client = Client(enforce_csrf_checks=True)
    assert client.post(f"/accounts/invitation/{token}/").status_code == 403
    assert "/accounts/invitation/" in caplog.text
    assert token not in caplog.text


def test_every_line_goes_through_the_filter():
    for handler in settings.LOGGING["handlers"].values():
        assert "links" in handler["filters"]
