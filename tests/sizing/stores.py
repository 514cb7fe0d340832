"""The task and the platform that the tests of storage share."""

from apps.catalog.facts import fixture_catalog
from apps.sizing.estimators.storage import storage_estimator
from apps.sizing.platform import Platform
from apps.sizing.task import Data, Model, Placement, Recipe, Task

CATALOG = fixture_catalog()
FULL_7B = Task(
    method="full",
    model=Model(params_billion=7.0),
    recipe=Recipe(optimizer="adamw", saves_kept=3),
    data=Data(bytes=200e9, kind="text"),
)


def platform(server="SYS-821GE-TNHR", accelerator="H100-SXM5-80", gpus=8, nodes=1):
    return Platform(
        key="x",
        server=server,
        accelerator=accelerator,
        gpus=gpus,
        nodes=nodes,
        placement=Placement(),
    )


def block_for(task, **where):
    return storage_estimator(task, CATALOG, (platform(**where),))["platforms"]["x"]


def keys_of(block):
    return {m["key"] for m in block["advice"]}
