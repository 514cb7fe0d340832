"""One running product for all tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.product import Product, running_product


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with running_product(Path(tmp_path_factory.mktemp("product"))) as running:
        yield running
