"""Every address × every kind of person. An address without a rule fails the suite."""

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from apps.requisitions.guest_keys import pass_of
from tests.architecture.world import COLUMNS, World, build_world, every_address

ALL = frozenset(COLUMNS)
STAFF = frozenset({"engineer", "approver", "manager", "administrator"})
SIGNED_IN = STAFF | {"owner", "colleague", "stranger"}
HOUSE = frozenset({"owner", "colleague"})  # the people of the company that asks
CLIENTS = HOUSE | {"stranger"}
ENGINEER = frozenset({"engineer"})
APPROVER = frozenset({"approver"})
MANAGER = frozenset({"manager"})
ADMINISTRATOR = frozenset({"administrator"})
READERS = ENGINEER | APPROVER | MANAGER
REVIEWERS = ENGINEER | APPROVER
GUEST = frozenset({"guest"})
NOBODY: frozenset[str] = frozenset()
NOT_YET = {400, 409, 422}  # the right person, but the form was empty or the moment wrong


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may GET and who may POST; an empty set means that the method does not exist.

    `by_link` pages know no accounts: nobody is asked to sign in.
    """

    get: frozenset[str] = NOBODY
    post: frozenset[str] = NOBODY
    outside: int = 404
    by_link: bool = False


RULES = {
    "home": Rule(get=ALL),
    "healthz": Rule(get=ALL),
    "verify": Rule(get=ALL),
    "verify-code": Rule(get=ALL),
    "set-theme": Rule(post=ALL),
    "set-language": Rule(post=ALL),
    "accounts:sign-in": Rule(get=ALL, post=ALL),
    "accounts:sign-out": Rule(post=ALL),
    "accounts:sign-up": Rule(get=ALL, post=ALL),
    "accounts:sign-up-sent": Rule(get=ALL),
    "accounts:sign-up-again": Rule(get=ALL, post=ALL),
    "accounts:confirm": Rule(get=ALL, post=ALL),
    "accounts:reset": Rule(get=ALL, post=ALL),
    "accounts:reset-sent": Rule(get=ALL),
    "accounts:reset-confirm": Rule(get=ALL, post=ALL),
    "accounts:invitation": Rule(get=ALL, post=ALL),
    "accounts:profile": Rule(get=SIGNED_IN, post=SIGNED_IN),
    "accounts:password": Rule(get=SIGNED_IN, post=SIGNED_IN),
    "accounts:sign-out-everywhere": Rule(post=SIGNED_IN),
    "accounts:email": Rule(get=SIGNED_IN, post=SIGNED_IN),
    "accounts:email-sent": Rule(get=SIGNED_IN),
    "accounts:email-confirm": Rule(get=frozenset({"owner"}), post=frozenset({"owner"})),
    "accounts:company": Rule(get=CLIENTS, post=CLIENTS, outside=403),
    "accounts:invitation-again": Rule(post=HOUSE | ADMINISTRATOR),
    "accounts:invitation-revoke": Rule(post=HOUSE | ADMINISTRATOR),
    "accounts:people": Rule(get=ADMINISTRATOR, outside=403),
    "accounts:people-invite": Rule(get=ADMINISTRATOR, post=ADMINISTRATOR, outside=403),
    "accounts:person": Rule(get=ADMINISTRATOR, post=ADMINISTRATOR, outside=403),
    "accounts:switch-off": Rule(post=ADMINISTRATOR, outside=403),
    "accounts:switch-on": Rule(post=ADMINISTRATOR, outside=403),
    "worktime:calendar": Rule(get=ADMINISTRATOR, post=ADMINISTRATOR, outside=403),
    "catalog:list": Rule(get=ALL),
    "catalog:item": Rule(get=ALL),
    "catalog:compare": Rule(get=ALL),
    "catalog:export": Rule(get=ALL),
    "catalog:old-facts": Rule(get=STAFF, outside=403),
    "catalog:import": Rule(get=STAFF, post=STAFF, outside=403),
    "catalog:import-propose": Rule(post=STAFF, outside=403),
    "catalog:proposals": Rule(get=STAFF, outside=403),
    "catalog:propose": Rule(get=STAFF, post=STAFF, outside=403),
    "catalog:waiting": Rule(get=STAFF, outside=403),
    "catalog:approve-all": Rule(post=ADMINISTRATOR, outside=403),
    "catalog:decline-all": Rule(post=ADMINISTRATOR, outside=403),
    "catalog:approve": Rule(post=ADMINISTRATOR, outside=403),
    "catalog:decline": Rule(post=ADMINISTRATOR, outside=403),
    "catalog:withdraw": Rule(post=ENGINEER, outside=403),  # the engineer proposed it
    "documents:download": Rule(get=READERS),
    "documents:data": Rule(get=READERS),
    "documents:print": Rule(post=READERS),
    "documents:state": Rule(get=READERS),
    "pilots:pilot": Rule(get=HOUSE | READERS),
    "pilots:protocol-csv": Rule(get=READERS),  # the client's after the approval
    "pilots:kit": Rule(get=READERS),
    "pilots:enter": Rule(get=HOUSE | ENGINEER, post=HOUSE | ENGINEER),
    "pilots:upload": Rule(post=HOUSE | ENGINEER),
    "pilots:change": Rule(get=HOUSE | ENGINEER, post=HOUSE | ENGINEER),
    "pilots:close": Rule(post=HOUSE | ENGINEER),
    "pilots:carry": Rule(get=HOUSE, post=HOUSE),
    "offers:list": Rule(get=HOUSE | READERS),
    "offers:csv": Rule(get=HOUSE | READERS),
    "offers:add": Rule(get=HOUSE | ENGINEER | MANAGER, post=HOUSE | ENGINEER | MANAGER),
    "offers:change": Rule(get=HOUSE | ENGINEER | MANAGER, post=HOUSE | ENGINEER | MANAGER),
    "offers:remove": Rule(post=HOUSE | ENGINEER | MANAGER),
    "offers:restore": Rule(post=HOUSE | ENGINEER | MANAGER),
    "talk:add": Rule(post=HOUSE | READERS),
    "talk:reply": Rule(post=HOUSE | READERS),
    "talk:change": Rule(post=frozenset({"owner"})),  # the owner's own comment
    "talk:remove": Rule(post=frozenset({"owner"})),
    "talk:restore": Rule(post=frozenset({"owner"})),
    "talk:resolve": Rule(post=HOUSE | READERS),
    "talk:reopen": Rule(post=HOUSE | READERS),
    "notices:list": Rule(get=SIGNED_IN),
    "notices:mails": Rule(get=SIGNED_IN, post=SIGNED_IN),
    "notices:read-all": Rule(post=SIGNED_IN),
    "notices:open": Rule(post=frozenset({"owner"})),  # the owner's own receipt
    "intake:list": Rule(get=SIGNED_IN),
    "intake:new": Rule(get=CLIENTS | MANAGER, post=CLIENTS | MANAGER, outside=403),
    "intake:echo": Rule(get=SIGNED_IN),
    "intake:guests": Rule(get=HOUSE, post=HOUSE),
    "intake:guest-new-link": Rule(post=HOUSE),
    "intake:guest-send": Rule(post=HOUSE),
    "intake:guest-prolong": Rule(post=HOUSE),
    "intake:guest-revoke": Rule(post=HOUSE),
    "intake:guest-code": Rule(get=ALL, post=ALL, by_link=True),
    "intake:guest-link": Rule(get=ALL, post=ALL, by_link=True),
    "intake:guest-home": Rule(get=GUEST, post=GUEST, outside=403, by_link=True),
    "intake:guest-section": Rule(get=GUEST, post=GUEST, outside=403, by_link=True),
    "intake:guest-autosave": Rule(post=GUEST, outside=403, by_link=True),
    "intake:guest-echo": Rule(get=GUEST, outside=403, by_link=True),
    "intake:hub": Rule(get=HOUSE),
    "intake:gate": Rule(get=HOUSE, post=HOUSE),
    "intake:another-way": Rule(post=HOUSE),
    "intake:evidence": Rule(post=HOUSE),
    "intake:files": Rule(get=HOUSE),
    "intake:section": Rule(get=HOUSE, post=HOUSE),
    "intake:autosave": Rule(post=HOUSE),
    "intake:check": Rule(get=HOUSE, post=HOUSE),
    "intake:prepare": Rule(get=ALL),
    "intake:glossary": Rule(get=ALL),
    "intake:course": Rule(get=ALL),
    "intake:behalf": Rule(get=MANAGER, post=MANAGER, outside=403),
    "intake:ask-confirmation": Rule(post=HOUSE),
    "intake:take-back": Rule(post=HOUSE),
    "intake:submit": Rule(post=HOUSE),
    "intake:status": Rule(get=HOUSE),
    "intake:runs": Rule(get=HOUSE),
    "intake:changes": Rule(get=HOUSE),
    "intake:delete-draft": Rule(post=HOUSE),
    "intake:withdraw": Rule(post=HOUSE),
    "intake:value-reply": Rule(post=HOUSE),
    "intake:open-next": Rule(post=HOUSE),
    "intake:attach": Rule(post=HOUSE),
    "intake:attachment": Rule(get=HOUSE),
    "intake:detach": Rule(post=HOUSE),
    "intake:paste": Rule(post=HOUSE),
    "intake:measure": Rule(post=HOUSE),
    "intake:fill": Rule(get=HOUSE, post=HOUSE),
    "intake:put-back": Rule(post=HOUSE),
    "intake:new-written": Rule(get=CLIENTS, post=CLIENTS, outside=403),
    "intake:new-from-earlier": Rule(post=HOUSE),
    "intake:written": Rule(get=HOUSE, post=HOUSE),
    "intake:heard": Rule(get=HOUSE, post=HOUSE),
    "intake:specification": Rule(get=HOUSE),
    "intake:draft-file": Rule(get=HOUSE),
    "review:queue": Rule(get=ENGINEER, outside=403),
    "review:where-used": Rule(get=READERS, outside=403),
    "review:workspace": Rule(get=READERS, outside=403),
    "review:runs": Rule(get=READERS, outside=403),
    "review:variants": Rule(get=READERS, outside=403),
    "review:variant": Rule(get=READERS, outside=403),
    "review:variant-part": Rule(post=ENGINEER, outside=403),
    "review:variant-part-withdraw": Rule(post=ENGINEER, outside=403),
    "review:variant-line": Rule(post=ENGINEER, outside=403),
    "review:variant-line-change": Rule(post=ENGINEER, outside=403),
    "review:what-if": Rule(get=READERS, outside=403),
    "review:what-if-take": Rule(post=ENGINEER, outside=403),
    "review:document": Rule(get=READERS, outside=403),
    "review:document-list": Rule(get=READERS, outside=403),
    "review:journal": Rule(get=READERS, outside=403),
    "review:changes": Rule(get=READERS, outside=403),
    "review:recheck": Rule(post=ENGINEER, outside=403),
    "review:take": Rule(post=ENGINEER, outside=403),
    "review:give-back": Rule(post=ENGINEER, outside=403),
    "review:override": Rule(post=ENGINEER, outside=403),
    "review:override-remove": Rule(post=ENGINEER, outside=403),
    "review:recalculate": Rule(post=ENGINEER, outside=403),
    "review:ask": Rule(get=ENGINEER, post=ENGINEER, outside=403),
    "review:question-settle": Rule(post=ENGINEER, outside=403),
    "review:question-assign": Rule(post=ENGINEER, outside=403),
    "review:send": Rule(post=ENGINEER, outside=403),
    "review:redirect": Rule(get=ENGINEER, post=ENGINEER, outside=403),
    "review:print-draft": Rule(post=REVIEWERS, outside=403),
    "review:approvals": Rule(get=APPROVER, outside=403),
    "review:approval": Rule(get=APPROVER, outside=403),
    "review:approval-drafts": Rule(get=APPROVER, outside=403),
    "review:decide": Rule(post=APPROVER, outside=403),
    "review:board": Rule(get=MANAGER, outside=403),
    "review:board-csv": Rule(get=MANAGER, outside=403),
    "review:figures": Rule(get=APPROVER | MANAGER | ADMINISTRATOR, outside=403),
    "review:figures-csv": Rule(get=APPROVER | MANAGER | ADMINISTRATOR, outside=403),
    "review:client-link": Rule(post=MANAGER, outside=403),
    "tryout:try": Rule(get=ALL, post=ALL),
    "tryout:requisition": Rule(get=CLIENTS, post=CLIENTS, outside=403),
    "tryout:accuracy": Rule(get=ALL),
}


@pytest.fixture
def world(db) -> World:
    return build_world()


def as_person(world: World, column: str, language: str = "ru") -> Client:
    client = Client(headers={"accept-language": language})
    person = world.people[column]
    if person is not None:
        client.force_login(person)
    if column == "guest":
        client.cookies[f"guest-{world.guest.pk.hex}"] = pass_of(world.guest_key)
    return client


def answers(world: World, method: str) -> Iterator[tuple[str, str, HttpResponse]]:
    """(address, column, response) of every address by everybody; nothing is kept."""
    for view, names in every_address().items():
        for column in COLUMNS:
            before = transaction.savepoint()
            url = reverse(view, kwargs=world.arguments(names, view))
            yield view, column, getattr(as_person(world, column), method)(url)
            transaction.savepoint_rollback(before)


def test_every_address_has_a_rule():
    assert set(every_address()) == set(RULES)


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_may_open_what(world, method):
    wrong = [
        f"{method} {view} by {column}: {response.status_code}"
        for view, column, response in answers(world, method)
        if not as_ruled(RULES[view], method, view, column, response)
    ]
    assert not wrong, "\n".join(wrong)


def as_ruled(rule: Rule, method: str, view: str, column: str, response: HttpResponse) -> bool:
    allowed = rule.get if method == "get" else rule.post
    if not allowed:
        return response.status_code == 405
    led_to_sign_in = response.status_code == 302 and "/sign-in/" in response["Location"]
    if allowed == ALL:
        return response.status_code in {200, 302} and not led_to_sign_in
    if column in {"anonymous", "switched-off", "guest"} and not rule.by_link:
        return led_to_sign_in
    if column not in allowed:
        return response.status_code == rule.outside
    return response.status_code in {200, 302} | NOT_YET and not led_to_sign_in


def test_a_made_up_id_is_not_found_by_anybody(world):
    for view, names in every_address().items():
        places = world.arguments(names, view)
        for name in [n for n in names if n.endswith("_id")]:
            url = reverse(view, kwargs=places | {name: uuid.uuid4()})
            for method in ("get", "post"):
                for column in RULES[view].get | RULES[view].post:
                    answer = getattr(as_person(world, column), method)(url)
                    assert answer.status_code in {403, 404, 405}, f"{method} {view} {name} {column}"


HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_page_is_whole_and_guarded(world, language):
    for view, names in every_address().items():
        for column in sorted(RULES[view].get)[:2]:
            url = reverse(view, kwargs=world.arguments(names, view))
            response = as_person(world, column, language).get(url)
            wanted = HEADERS
            if RULES[view].by_link:  # a token stands in the address of some
                wanted = HEADERS | {"Referrer-Policy": "strict-origin", "Cache-Control": "no-store"}
            for name, value in wanted.items():
                assert response[name] == value, f"{view}: {name}"
            assert "default-src 'none'" in response["Content-Security-Policy"]
            if world.people[column] is not None:
                assert response["Cache-Control"] == "no-store", view
            if response["Content-Type"].startswith("text/html") and response.status_code == 200:
                assert not flaws(response.content.decode(), language), f"{view} by {column}"


def flaws(html: str, language: str) -> list[str]:
    """What no page of ours may hold."""
    found = [mark for mark in ("{{", "{%", ">None<", " style=", "onclick=") if mark in html]
    if "<!doctype html>" in html:  # not a part of a page
        if len(re.findall(r"<h1[ >]", html)) != 1:
            found.append("not exactly one h1")
        if f'<html lang="{language}"' not in html:
            found.append("wrong language")
    return found
