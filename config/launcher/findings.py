"""One line of `./podbor doctor`: what was looked at, whether it is well, the command that mends."""

import json
from dataclasses import asdict, dataclass

from config.launcher.texts import text


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    topic: str  # key of a text, without its prefix
    ok: bool
    detail: str
    remedy: str = ""

    def line(self) -> str:
        word = text("doctor.ok") if self.ok else text("doctor.problem")
        line = f"  {word:<9} {text('doctor.topic.' + self.topic):<20} {self.detail}"
        return line if self.ok or not self.remedy else f"{line}\n{'':12}→ {self.remedy}"

    def as_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)


def from_json(line: str) -> Finding:
    return Finding(**json.loads(line))
