"""A door in front of a server: open, hung (takes connections, never answers) or refusing."""

import contextlib
import socket
import threading
from collections.abc import Iterator

from config.launcher.ports import free_port

CHUNK_BYTES = 65536


class Gate:
    """Passes bytes on between a port of its own and a server, as long as it is open."""

    def __init__(self, server: tuple[str, int]) -> None:
        self.server = server
        self.port = free_port()
        self._open = threading.Event()
        self._listener: socket.socket | None = None
        self._connections: list[socket.socket] = []

    def open(self) -> None:
        """Let everything through; what was hung meanwhile has to come again."""
        self._cut()
        self._open.set()
        self._listen()

    def hang(self) -> None:
        """Keep taking connections and bytes; answer nothing, not on old connections either."""
        self._open.clear()
        self._listen()

    def refuse(self) -> None:
        """Be a port where nobody listens."""
        self._open.clear()
        self._cut()

    def _listen(self) -> None:
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _cut(self) -> None:
        if self._listener is not None:
            # close() alone would leave the thread in accept() and the port taken.
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        while self._connections:
            with contextlib.suppress(OSError):
                self._connections.pop().shutdown(socket.SHUT_RDWR)

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _address = listener.accept()
                server = socket.create_connection(self.server)
                self._connections += [client, server]
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=self._pass, args=(source, target), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError), source, target:
            while chunk := source.recv(CHUNK_BYTES):
                if self._open.is_set():
                    target.sendall(chunk)


@contextlib.contextmanager
def gate_before(server: tuple[str, int]) -> Iterator[Gate]:
    gate = Gate(server)
    gate.open()
    try:
        yield gate
    finally:
        gate.refuse()
