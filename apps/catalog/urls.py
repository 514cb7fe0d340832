from django.urls import path, register_converter

from apps.catalog import bulk_views, import_views, proposal_views, views
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
    path("old-facts/", proposal_views.freshness, name="old-facts"),
    path("import/", import_views.import_file, name="import"),
    path("import/propose/", import_views.propose, name="import-propose"),
    path("proposals/", proposal_views.proposals, name="proposals"),
    path("proposals/of/<sku:slug>/", bulk_views.waiting, name="waiting"),
    path("proposals/of/<sku:slug>/approve/", bulk_views.approve_all, name="approve-all"),
    path("proposals/of/<sku:slug>/decline/", bulk_views.decline_all, name="decline-all"),
    path("proposals/<uuid:proposal_id>/approve/", proposal_views.approve, name="approve"),
    path("proposals/<uuid:proposal_id>/decline/", proposal_views.decline, name="decline"),
    path("proposals/<uuid:proposal_id>/withdraw/", proposal_views.withdraw, name="withdraw"),
    path("<sku:slug>/propose/", proposal_views.propose, name="propose"),
    path("<sku:slug>/", views.catalog_item, name="item"),
]
