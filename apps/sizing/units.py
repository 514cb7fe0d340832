"""Units and the naming rules of the engine.

A number carries its unit in its name: `_bytes`, `_gib` (2**30 bytes), `_gb` (10**9 bytes), `_s`,
`_hours`, `_w`, `_kw`, `_va`, `_gb_per_s`, `_gbit_per_s`, `_flops` (operations, not a rate),
`_tflops_per_s` (10**12 operations a second), `_ratio` (0..1), `_count`, `_kg`, `_mm`,
`_rack_units`. Bandwidths are per direction unless the name says `_bidir`.
"""

from typing import Final

KB: Final = 10**3
MB: Final = 10**6
GB: Final = 10**9
TB: Final = 10**12
MIB: Final = 2**20
GIB: Final = 2**30
TERA: Final = 10**12

SECONDS_PER_HOUR: Final = 3600.0
SECONDS_PER_DAY: Final = 86400.0
