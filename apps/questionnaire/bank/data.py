"""What it is trained on: volume, shape, where it lies, what is done to it on the way."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire import counted
from apps.questionnaire.question import Influence, Kind, Limits, Option, Question
from apps.questionnaire.when import is_, is_not

_TEXTUAL: Final = is_not("data_kind", "images", "video")
_VOLUME: Final = Limits(low=1, high=1e21, whole=True, usual_low=1e6, usual_high=1e16)

VOLUME: Final = Question(
    key="dataset_bytes",
    name=pgettext_lazy("short name of a question", "Dataset"),
    kind=Kind.BYTES,
    label=_("How large is the dataset?"),
    hint=_("As it lies on disk now. GB is 10⁹ bytes, GiB is 2³⁰: write the one you see."),
    why=_("Storage has to hold one or two copies of the active data, and checkpoints besides."),
    influences=(Influence.STORAGE, Influence.HOST, Influence.TIME),
    examples=(_("200 GB"), _("1.5 TB"), _("186 GiB")),
    default_unit="gb",
    limits=_VOLUME,
    field="data.bytes",
    weight=2,
)

KIND: Final = Question(
    key="data_kind",
    name=pgettext_lazy("short name of a question", "Kind of data"),
    kind=Kind.CHOICE,
    label=_("What is in the dataset?"),
    hint=_("What the model sees in training."),
    why=_("Images and video load the processors and the storage far more than text does."),
    influences=(Influence.HOST, Influence.STORAGE, Influence.MEMORY),
    options=(
        Option("text", _("Text")),
        Option("images", _("Images")),
        Option("video", _("Video")),
        Option("multimodal", _("Text together with images or video")),
    ),
    field="data.kind",
    weight=2,
)

STRUCTURE: Final = Question(
    key="file_structure",
    name=pgettext_lazy("short name of a question", "Structure of the files"),
    kind=Kind.CHOICE,
    label=_("In what files is the dataset kept?"),
    hint=_("Small means a file shorter than about a megabyte."),
    why=_(
        "Many small files load the storage with requests, not with volume: the speed is limited by their number."
    ),
    influences=(Influence.STORAGE, Influence.TIME),
    options=(
        Option("few-large", _("A few large files"), _("Archives, shards, Parquet")),
        Option("many-small", _("Very many small files")),
        Option("large-media", _("High-resolution images or long videos")),
        Option("database", _("A database or a service"), _("Read over the network, not as files")),
    ),
)

FILES: Final = Question(
    key="files_count",
    name=pgettext_lazy("short name of a question", "Files in the dataset"),
    kind=Kind.COUNT,
    label=_("How many files?"),
    hint=_("Roughly."),
    why=_(
        "From the count and the volume follows the average size, and from it the kind of storage."
    ),
    influences=(Influence.STORAGE,),
    examples=(_("3 million"),),
    unit=counted.FILES,
    limits=Limits(low=1, high=1e15, whole=True),
    relevant=is_("file_structure", "many-small", "large-media"),
    field="data.files",
)

SAMPLES: Final = Question(
    key="samples",
    name=pgettext_lazy("short name of a question", "Training samples"),
    kind=Kind.COUNT,
    label=_("How many training samples?"),
    hint=_("Dialogues, documents, images: what one line of the dataset is."),
    why=_("Samples, the batch and the epochs give the number of steps, and so the time of a run."),
    influences=(Influence.TIME,),
    examples=(_("120 thousand"),),
    unit=counted.SAMPLES,
    limits=Limits(low=1, high=1e15, whole=True),
    field="data.samples",
    weight=3,
)

TOKENS: Final = Question(
    key="tokens",
    name=pgettext_lazy("short name of a question", "Tokens in one pass"),
    kind=Kind.COUNT,
    label=_("How many tokens in one pass over the data?"),
    hint=_("If nobody has counted, answer “I do not know”: we will estimate it from the volume."),
    why=_("The compute of a run is proportional to the tokens seen."),
    influences=(Influence.TIME,),
    examples=(_("1.2 billion"),),
    unit=counted.TOKENS,
    limits=Limits(low=1, high=1e18, whole=True),
    relevant=_TEXTUAL,
    field="data.tokens",
    weight=3,
)

LOCATION: Final = Question(
    key="data_location",
    name=pgettext_lazy("short name of a question", "Where data is read from"),
    kind=Kind.CHOICE,
    label=_("Where will it be read from during training?"),
    hint=_("Not where it is archived, but what the training server reads."),
    why=_(
        "GPUs read faster than an ordinary corporate storage network gives: they would stand idle."
    ),
    influences=(Influence.STORAGE, Influence.TIME),
    options=(
        Option("local", _("Drives in the server itself")),
        Option("nfs", _("A file server (NFS, SMB)")),
        Option("san", _("A corporate storage network (SAN)")),
        Option("object", _("Object storage (S3)")),
    ),
    field="data.location",
    weight=2,
)

PREPROCESSING: Final = Question(
    key="preprocessing",
    name=pgettext_lazy("short name of a question", "Preparation on the way"),
    kind=Kind.CHOICE,
    label=_("What is done to the data on the way to the GPUs?"),
    hint=_("During training, not in advance."),
    why=_("Decoding and augmentation take processor cores; when these are short, the GPUs wait."),
    influences=(Influence.HOST, Influence.TIME),
    options=(
        Option("light", _("Almost nothing"), _("Tokens are ready, or are cut on the fly")),
        Option("medium", _("Something"), _("Decoding of pictures, tokenising")),
        Option("heavy", _("A lot"), _("Video decoding, heavy augmentation")),
    ),
    field="data.preprocessing",
    weight=2,
)

PREPARED: Final = Question(
    key="prepared_per_s",
    name=pgettext_lazy("short name of a question", "Speed of the preparation"),
    kind=Kind.NUMBER,
    label=_("How many samples a second does the preparation give?"),
    hint=_("Of one server, if it was measured: run the loader without training."),
    why=_("When it gives less than the GPUs eat, more GPUs do not make the run shorter."),
    influences=(Influence.TIME, Influence.HOST),
    examples=("1500",),
    unit=counted.SAMPLES_PER_SECOND,
    limits=Limits(low=0.001, high=1e9),
    field="data.prepared_per_s",
    optional=True,
)

REGENERATED: Final = Question(
    key="regenerated",
    name=pgettext_lazy("short name of a question", "Regenerated between epochs"),
    kind=Kind.BOOLEAN,
    label=_("Is the dataset made anew between epochs and written to disk?"),
    hint=_("For example, augmented copies are saved."),
    why=_("A second copy has to fit beside the first."),
    influences=(Influence.STORAGE,),
    field="data.regenerated",
    optional=True,
)

UNPACKED: Final = Question(
    key="unpacked_bytes",
    name=pgettext_lazy("short name of a question", "Unpacked data"),
    kind=Kind.BYTES,
    label=_("How much does it take unpacked?"),
    hint=_("Leave it empty if the data is not packed."),
    why=_("Training reads the unpacked set: it is what the fast drives must hold."),
    influences=(Influence.STORAGE,),
    examples=(_("480 GB"),),
    default_unit="gb",
    limits=_VOLUME,
    field="data.unpacked_bytes",
    optional=True,
)

INTERMEDIATE: Final = Question(
    key="intermediate_bytes",
    name=pgettext_lazy("short name of a question", "Intermediate files"),
    kind=Kind.BYTES,
    label=_("How much do intermediate files take?"),
    hint=_("Token caches, features, samples prepared in advance."),
    why=_("Caches are easily as large as the dataset, and are often forgotten."),
    influences=(Influence.STORAGE,),
    examples=(_("60 GB"),),
    default_unit="gb",
    limits=_VOLUME,
    field="data.intermediate_bytes",
    optional=True,
)

DISK: Final = Question(
    key="disk_bytes",
    name=pgettext_lazy("short name of a question", "Planned disks"),
    kind=Kind.BYTES,
    label=_("What disk space is planned for data and checkpoints?"),
    hint=_("Leave it empty if it is for us to suggest."),
    why=_("A disk that holds only the dataset fails at the first save."),
    influences=(Influence.STORAGE,),
    examples=(_("2 TB"),),
    default_unit="gb",
    limits=_VOLUME,
    optional=True,
)

RESERVE: Final = Question(
    key="checkpoint_reserve",
    name=pgettext_lazy("short name of a question", "Space for checkpoints"),
    kind=Kind.BOOLEAN,
    label=_("Reserve space for checkpoints?"),
    hint=_("Saved states of training, to continue after a stop and to choose the best one."),
    why=_("With the optimizer a checkpoint may be several times larger than the model."),
    influences=(Influence.STORAGE,),
    optional=True,
)

CONTENTS: Final = (VOLUME, KIND, STRUCTURE, FILES, SAMPLES, TOKENS)
READING: Final = (
    LOCATION,
    PREPROCESSING,
    PREPARED,
    REGENERATED,
    UNPACKED,
    INTERMEDIATE,
    DISK,
    RESERVE,
)
