from django.urls import URLPattern

app_name = "documents"
urlpatterns: list[URLPattern] = []
