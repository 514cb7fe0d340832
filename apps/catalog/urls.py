from django.urls import path, register_converter

from apps.catalog import views
from apps.catalog.filters import SLUG_PATTERN


class SkuConverter:
    """A slug of the catalog: the signs of part numbers."""

    regex = SLUG_PATTERN

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(SkuConverter, "sku")

app_name = "catalog"
urlpatterns = [
    path("", views.catalog_list, name="list"),
    path("compare/", views.catalog_compare, name="compare"),
    path("export/<str:form>/", views.catalog_export, name="export"),
    path("<sku:slug>/", views.catalog_item, name="item"),
]
