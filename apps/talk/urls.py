"""Addresses of what people write to one another about a revision."""

from django.urls import path

from apps.talk import views

app_name = "talk"

_COMMENT = "talk/comment/<uuid:comment_id>/"

urlpatterns = [
    path("talk/<uuid:revision_id>/", views.add, name="add"),
    path(f"{_COMMENT}reply/", views.reply, name="reply"),
    path(f"{_COMMENT}change/", views.change, name="change"),
    path(f"{_COMMENT}remove/", views.remove, name="remove"),
    path(f"{_COMMENT}restore/", views.restore, name="restore"),
    path(f"{_COMMENT}resolve/", views.resolve, name="resolve"),
    path(f"{_COMMENT}reopen/", views.reopen, name="reopen"),
]
