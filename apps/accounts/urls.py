from django.urls import path

from apps.accounts.views import company, invitations, people, profile, reset, session, sign_up

app_name = "accounts"
urlpatterns = [
    path("sign-in/", session.SignInView.as_view(), name="sign-in"),
    path("sign-out/", session.SignOutView.as_view(), name="sign-out"),
    path("sign-up/", sign_up.sign_up, name="sign-up"),
    path("sign-up/sent/", sign_up.sign_up_sent, name="sign-up-sent"),
    path("sign-up/again/", sign_up.sign_up_again, name="sign-up-again"),
    path("confirm/<str:token>/", sign_up.confirm, name="confirm"),
    path("reset/", reset.ResetView.as_view(), name="reset"),
    path("reset/sent/", reset.reset_sent, name="reset-sent"),
    path(
        "reset/<str:uidb64>/<str:token>/",
        reset.ResetConfirmView.as_view(),
        name="reset-confirm",
    ),
    path("invitation/<str:token>/", invitations.invitation, name="invitation"),
    path("profile/", profile.profile, name="profile"),
    path("profile/password/", profile.PasswordView.as_view(), name="password"),
    path("profile/sign-out/", profile.sign_out_everywhere, name="sign-out-everywhere"),
    path("profile/email/", profile.email, name="email"),
    path("profile/email/sent/", profile.email_sent, name="email-sent"),
    path("profile/email/<str:token>/", profile.email_confirm, name="email-confirm"),
    path("company/", company.company, name="company"),
    path(
        "invitations/<uuid:invitation_id>/again/",
        company.invitation_again,
        name="invitation-again",
    ),
    path(
        "invitations/<uuid:invitation_id>/revoke/",
        company.invitation_revoke,
        name="invitation-revoke",
    ),
    path("people/", people.people, name="people"),
    path("people/invite/", people.invite, name="people-invite"),
    path("people/<int:number>/", people.one, name="person"),
    path("people/<int:number>/off/", people.switch_off, name="switch-off"),
    path("people/<int:number>/on/", people.switch_on, name="switch-on"),
]
