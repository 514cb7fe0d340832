"""The sizing engine: what a training task needs of its hardware.

Pure functions over frozen values. This package uses the standard library only: no Django, no
files, no clock. Facts about hardware and models come in as values (see `facts`), texts leave as
message keys with parameters (see `messages`), so the same result prints in every language.
"""

from typing import Final

# Stored with every calculation. Raise it when the same input would give another answer.
ENGINE_VERSION: Final = "0.5"
