"""What the product stands on: a file and a folder, or PostgreSQL and Redis of the test run."""

import contextlib
import os
import shutil
import sqlite3
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit

import psycopg
import redis

QUEUES_COUNT = 15  # Redis has 16 numbered databases; the first one counts those given out


class Stack(Protocol):
    """`variables` is the environment that makes `./podbor up` use it."""

    variables: Mapping[str, str]

    def rows(self, query: str) -> list[Any]:
        """Look into the database without taking part in its life."""

    def lose_queue(self) -> None:
        """Forget every message that nobody has taken yet."""


@dataclass(frozen=True, slots=True)
class Embedded:
    data: Path
    variables: Mapping[str, str]

    def rows(self, query: str) -> list[Any]:
        file = f"file:{self.data}/podbor.sqlite3?mode=ro"
        with contextlib.closing(sqlite3.connect(file, uri=True)) as database:
            return database.execute(query).fetchall()

    def lose_queue(self) -> None:
        shutil.rmtree(self.data / "queue", ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Servers:
    variables: Mapping[str, str]

    def rows(self, query: str) -> list[Any]:
        with psycopg.connect(self.variables["DATABASE_URL"]) as database:
            return database.execute(query.encode()).fetchall()

    def lose_queue(self) -> None:
        with contextlib.closing(redis.Redis.from_url(self.variables["REDIS_URL"])) as queue:
            queue.flushdb()


def on_servers() -> bool:
    """Whether this run has PostgreSQL and Redis of its own."""
    return bool(os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"))


@contextlib.contextmanager
def stack_of_the_run(data: Path) -> Iterator[Stack]:
    """The servers that the test run has started, or none of them: the embedded stack on `data`.

    On the servers each product has a database and a queue of its own.
    """
    if not on_servers():
        yield Embedded(data, {})
        return
    with own_database(os.environ["DATABASE_URL"]) as own_url:
        yield Servers({"DATABASE_URL": own_url, "REDIS_URL": own_queue(os.environ["REDIS_URL"])})


@contextlib.contextmanager
def own_database(server_url: str) -> Iterator[str]:
    """Make an empty database on the server and drop it afterwards; give its URL."""
    name = f"product_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def own_queue(server_url: str) -> str:
    """The URL of a numbered database of Redis that no other product of this run uses."""
    with contextlib.closing(redis.Redis.from_url(server_url)) as server:
        number = int(server.incr("products")) % QUEUES_COUNT + 1
    return urlunsplit(urlsplit(server_url)._replace(path=f"/{number}"))
