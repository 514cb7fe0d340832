"""Addresses of the client's screens."""

from django.urls import path

from apps.intake.views import (
    behalf,
    changes,
    check,
    files,
    guest,
    guests,
    hub,
    outcome,
    prepare,
    section,
    status,
)

app_name = "intake"
urlpatterns = [
    path("requisitions/", hub.requisitions, name="list"),
    path("requisitions/new/", hub.new, name="new"),
    path("prepare/", prepare.prepare, name="prepare"),
    path("m/new/", behalf.behalf, name="behalf"),
    path("questions/<slug:key>/echo/", section.echo, name="echo"),
    path("r/<uuid:requisition_id>/", hub.hub, name="hub"),
    path("r/<uuid:requisition_id>/gate/", outcome.gate, name="gate"),
    path("r/<uuid:requisition_id>/another-way/", outcome.another_way, name="another-way"),
    path("r/<uuid:requisition_id>/evidence/", outcome.evidence, name="evidence"),
    path("r/<uuid:requisition_id>/guests/", guests.guests, name="guests"),
    path(
        "r/<uuid:requisition_id>/guests/<uuid:invitation_id>/link/",
        guests.guest_new_link,
        name="guest-new-link",
    ),
    path(
        "r/<uuid:requisition_id>/guests/<uuid:invitation_id>/letter/",
        guests.guest_send,
        name="guest-send",
    ),
    path(
        "r/<uuid:requisition_id>/guests/<uuid:invitation_id>/prolong/",
        guests.guest_prolong,
        name="guest-prolong",
    ),
    path(
        "r/<uuid:requisition_id>/guests/<uuid:invitation_id>/revoke/",
        guests.guest_revoke,
        name="guest-revoke",
    ),
    path("guest/", guest.guest_code, name="guest-code"),
    path("guest/link/<str:token>/", guest.guest_link, name="guest-link"),
    path("guest/<uuid:invitation_id>/", guest.guest_home, name="guest-home"),
    path("guest/<uuid:invitation_id>/questions/", guest.guest_section, name="guest-section"),
    path("guest/<uuid:invitation_id>/save/", guest.guest_autosave, name="guest-autosave"),
    path("guest/<uuid:invitation_id>/echo/<slug:key>/", guest.guest_echo, name="guest-echo"),
    path("r/<uuid:requisition_id>/s/files/", files.files, name="files"),
    path("r/<uuid:requisition_id>/s/<slug:section_key>/", section.section, name="section"),
    path("r/<uuid:requisition_id>/s/<slug:section_key>/save/", section.autosave, name="autosave"),
    path("r/<uuid:requisition_id>/check/", check.check, name="check"),
    path("r/<uuid:requisition_id>/confirmation/", behalf.ask_confirmation, name="ask-confirmation"),
    path("r/<uuid:requisition_id>/confirmation/take-back/", behalf.take_back, name="take-back"),
    path("r/<uuid:requisition_id>/submit/", check.submit, name="submit"),
    path("r/<uuid:requisition_id>/status/", status.status, name="status"),
    path("r/<uuid:requisition_id>/changes/<slug:old>/<slug:new>/", changes.changes, name="changes"),
    path("r/<uuid:requisition_id>/status/runs/", status.runs, name="runs"),
    path("r/<uuid:requisition_id>/draft/delete/", status.delete_draft, name="delete-draft"),
    path("r/<uuid:requisition_id>/withdraw/", status.withdraw, name="withdraw"),
    path("r/<uuid:requisition_id>/revisions/", status.open_next, name="open-next"),
    path("r/<uuid:requisition_id>/attachments/", files.attach, name="attach"),
    path("r/<uuid:requisition_id>/settings/", files.paste, name="paste"),
    path("r/<uuid:requisition_id>/measured/", files.measure, name="measure"),
    path(
        "r/<uuid:requisition_id>/attachments/<uuid:attachment_id>/fill/",
        files.fill,
        name="fill",
    ),
    path(
        "r/<uuid:requisition_id>/attachments/<uuid:attachment_id>/",
        files.download,
        name="attachment",
    ),
    path(
        "r/<uuid:requisition_id>/attachments/<uuid:attachment_id>/remove/",
        files.detach,
        name="detach",
    ),
]
