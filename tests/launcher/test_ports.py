"""A taken port is told with its holder and with the command that starts elsewhere."""

import os
import socket
import threading
from collections.abc import Iterator

import pytest

from config.launcher import ports
from config.launcher.texts import Problem


@pytest.fixture
def taken() -> Iterator[socket.socket]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener


def test_a_free_port_passes() -> None:
    ports.require_port("127.0.0.1", ports.free_port())


def test_a_taken_port_names_its_holder_and_another_port(taken: socket.socket) -> None:
    port = taken.getsockname()[1]
    with pytest.raises(Problem) as caught:
        ports.require_port("127.0.0.1", port)
    assert f"port {port} is taken" in str(caught.value)
    assert f"process {os.getpid()}" in str(caught.value)
    offered = int(caught.value.remedy.rpartition(" ")[2])
    assert offered != port
    ports.require_port("127.0.0.1", offered)


def test_a_port_about_to_be_freed_is_waited_for(taken: socket.socket) -> None:
    port = taken.getsockname()[1]
    timer = threading.Timer(0.3, taken.close)
    timer.start()
    ports.require_port("127.0.0.1", port, patience_s=5.0)
    timer.join()


def test_an_address_of_another_machine_is_refused_with_the_reason() -> None:
    with pytest.raises(Problem, match=r"cannot listen on 192\.0\.2\.1"):
        ports.require_port("192.0.2.1", 8000)
