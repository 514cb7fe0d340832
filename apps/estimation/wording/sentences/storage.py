"""Storage: volumes and rates."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: Final[dict[str, Promise]] = {
    "storage.assumption.copies": _(
        "One to two full copies of the active dataset lie on the drives."
    ),
    "storage.assumption.separate-volumes": _(
        "The dataset and the checkpoints lie on separate volumes."
    ),
    "storage.assumption.saves-kept": _(
        "How many checkpoints are kept was not stated: two to five full states and one or two finished models are assumed."
    ),
    "storage.assumption.save-interval": _(
        "How often a checkpoint is saved was not stated: every one to four hours is assumed."
    ),
    "storage.assumption.data-kind": _(
        "The kind of data was not stated: the rate of reading spans text to images."
    ),
    "storage.assumption.adapter-checkpoint": _(
        "Only the adapter is saved; the base model lies elsewhere."
    ),
    "storage.assumption.weights-only": _(
        "Only the weights are saved: after a failure the run cannot go on from the same step, the optimizer starts anew."
    ),
    "storage.advice.io-light": _("Reading is light (%(read_gb_per_s)s): any SSD keeps up with it."),
    "storage.advice.io-moderate": _(
        "Reading is moderate (%(read_gb_per_s)s): a SATA or SAS SSD or a good network volume keeps up."
    ),
    "storage.advice.io-intensive": _(
        "Reading is intensive (%(read_gb_per_s)s): NVMe drives on PCIe are needed."
    ),
    "storage.advice.outside-the-server": _(
        "%(nodes)s read the same data: a shared volume outside the servers is needed."
    ),
    "storage.advice.pack-small-files": _(
        "There are many small files (%(samples_per_s)s reads a second): pack them into archives or shards before training."
    ),
    "storage.warning.shared-location-too-slow": _(
        "The data is %(value)s, and %(read_gb_per_s)s is more than a 100 Gbit/s line reliably gives (%(line_gb_per_s)s): copy it to local drives."
    ),
    "storage.warning.shared-location-check": _(
        "The data is %(value)s: check that it gives %(read_gb_per_s)s beside its other load; a 100 Gbit/s line reliably gives %(line_gb_per_s)s."
    ),
    "storage.warning.dataset-unknown": _(
        "The size of the dataset is not known: only the checkpoints are sized."
    ),
    "storage.not-counted.parallel-file-system": _(
        "Parallel file systems and object stores are not laid out here."
    ),
    "storage.warning.saves-stall": _(
        "Saving every %(interval_hours)s takes %(stall_ratio)s of the time: save less often, to a faster volume, in shards or in the background."
    ),
    "storage.warning.saves-rare": _(
        "A state is saved every %(interval_hours)s: a failure costs up to that much work."
    ),
    "storage.warning.shared-operations": _(
        "The data is %(value)s, and reading file by file asks for %(operations_count)s operations a second; a store of this kind usually gives about %(carried_count)s: pack the files or copy them to local drives."
    ),
    "storage.advice.beyond-the-bays": _(
        "%(drive_count)s drives are needed and a server has %(bay_count)s bays: larger drives, or storage outside the server, which is a subject of its own."
    ),
    "storage.advice.endurance-read-intensive": _(
        "Saves write the checkpoint volume %(writes_count)s times a day: drives of 1 DWPD are enough, QLC drives are not."
    ),
    "storage.advice.endurance-mixed-use": _(
        "Saves write the checkpoint volume %(writes_count)s times a day: drives of 3 DWPD are needed."
    ),
    "storage.advice.endurance-beyond": _(
        "Saves write the checkpoint volume %(writes_count)s times a day, more than drives of 3 DWPD stand: save less often or spread it over more drives."
    ),
    "storage.not-counted.backup": _(
        "Archives and earlier versions are not counted; a backup is apart from the two volumes."
    ),
    "storage.not-counted.logs": _("Logs and results of evaluation are not counted."),
}
