"""Charts need nothing but Python: they also draw in the process that prints, which has no Django."""

import subprocess
import sys

from django.conf import settings


def test_drawing_loads_no_module_from_outside_the_standard_library() -> None:
    code = (
        "import sys, apps.charts;"
        "print(sorted({m.split('.')[0] for m in sys.modules} - set(sys.stdlib_module_names)))"
    )
    found = subprocess.run(
        [
            sys.executable,
            "-I",
            "-S",
            "-c",
            f"import sys; sys.path.insert(0, '{settings.BASE_DIR}'); {code}",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "['__main__', 'apps']"
