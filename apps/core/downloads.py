"""Answers that are files to keep."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header


def file_to_keep(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    """A file that a browser saves under `name`, in any alphabet, and takes for nothing else."""
    disposition = content_disposition_header(as_attachment=True, filename=name)
    return HttpResponse(
        content,
        content_type=content_type,
        headers={
            "Content-Disposition": disposition or "attachment",
            "X-Content-Type-Options": "nosniff",
        },
    )
