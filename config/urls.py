"""Every address of the product, app by app."""

from django.urls import include, path

from apps.accounts.views.session import set_language
from apps.core import views as core
from apps.documents.verify_views import verify
from apps.intake.landing import landing

urlpatterns = [
    path("", landing, name="home"),
    path("", include("apps.intake.urls")),
    path("", include("apps.review.urls")),
    path("", include("apps.tryout.urls")),
    path("", include("apps.pilots.urls")),
    path("", include("apps.offers.urls")),
    path("", include("apps.talk.urls")),
    path("accounts/", include("apps.accounts.urls")),
    path("calendar/", include("apps.worktime.urls")),
    path("catalog/", include("apps.catalog.urls")),
    path("documents/", include("apps.documents.urls")),
    path("verify/", verify, name="verify"),
    path("verify/<str:code>/", verify, name="verify-code"),
    path("notices/", include("apps.notices.urls")),
    path("preferences/theme/", core.set_theme, name="set-theme"),
    path("preferences/language/", set_language, name="set-language"),
    path("healthz/", core.healthz, name="healthz"),
]

handler400 = "apps.core.error_views.bad_request"
handler403 = "apps.core.error_views.permission_denied"
handler404 = "apps.core.error_views.page_not_found"
handler500 = "apps.core.error_views.server_error"
