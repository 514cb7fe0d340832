"""Addresses of the queue, the workspace, the approvals and the board."""

from django.urls import path

from apps.review.views import (
    approvals,
    board,
    changes,
    deeds,
    figures,
    queue,
    variant,
    what_if,
    where_used,
    workspace,
)

app_name = "review"

_Q = "q/<uuid:revision_id>/"
_V = f"{_Q}variants/<str:variant_key>/"
_A = "a/<uuid:revision_id>/"

urlpatterns = [
    path("q/", queue.queue, name="queue"),
    path("q/where-used/<path:slug>/", where_used.where_used, name="where-used"),
    path(_Q, workspace.workspace, name="workspace"),
    path(f"{_Q}runs/", workspace.runs, name="runs"),
    path(f"{_Q}variants/", workspace.variants, name="variants"),
    path(_V, variant.variant, name="variant"),
    path(f"{_V}part/", variant.part, name="variant-part"),
    path(f"{_V}part/withdraw/", variant.part_withdraw, name="variant-part-withdraw"),
    path(f"{_V}line/", variant.line, name="variant-line"),
    path(f"{_V}line/<uuid:remark_id>/", variant.line_change, name="variant-line-change"),
    path(f"{_Q}what-if/", what_if.what_if, name="what-if"),
    path(f"{_Q}what-if/take/", what_if.take, name="what-if-take"),
    path(f"{_Q}document/", workspace.document, name="document"),
    path(f"{_Q}document/list/", workspace.document_list, name="document-list"),
    path(f"{_Q}journal/", workspace.journal, name="journal"),
    path(f"{_Q}changes/", changes.changes, name="changes"),
    path(f"{_Q}recheck/", changes.recheck, name="recheck"),
    path(f"{_Q}take/", queue.take, name="take"),
    path(f"{_Q}give-back/", queue.give_back, name="give-back"),
    path(f"{_Q}override/", deeds.override, name="override"),
    path(f"{_Q}override/remove/", deeds.override_remove, name="override-remove"),
    path(f"{_Q}recalculate/", deeds.recalculate, name="recalculate"),
    path(f"{_Q}ask/", deeds.ask, name="ask"),
    path(
        f"{_Q}questions/<uuid:question_id>/settle/", deeds.question_settle, name="question-settle"
    ),
    path(
        f"{_Q}questions/<uuid:question_id>/assign/", deeds.question_assign, name="question-assign"
    ),
    path(f"{_Q}send/", deeds.send, name="send"),
    path(f"{_Q}redirect/", deeds.redirect_elsewhere, name="redirect"),
    path(f"{_Q}draft/", deeds.print_draft, name="print-draft"),
    path("a/", approvals.approvals, name="approvals"),
    path(_A, approvals.approval, name="approval"),
    path(f"{_A}drafts/", approvals.approval_drafts, name="approval-drafts"),
    path(f"{_A}decide/", approvals.decide, name="decide"),
    path("m/", board.board, name="board"),
    path("m/list.csv", board.board_csv, name="board-csv"),
    path("m/figures/", figures.figures, name="figures"),
    path("m/figures.csv", figures.figures_csv, name="figures-csv"),
    path("m/<uuid:revision_id>/link/", board.client_link, name="client-link"),
]
