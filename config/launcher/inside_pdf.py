"""Run by the virtual environment's Python: prints what a PDF says, as one JSON object."""

import json
import sys

from pypdf import PdfReader


def main(path: str) -> int:
    reader = PdfReader(path)
    text = "\n".join(page.extract_text() for page in reader.pages)
    facts = {"text": text, "attachments": sorted(reader.attachments)}
    print(json.dumps(facts, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
