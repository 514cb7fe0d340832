"""Keeps a few processes running: restarts them with a growing delay, gives up with a reason."""

import signal
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType

from config.launcher import children
from config.launcher.children import Child
from config.launcher.system import last_lines
from config.launcher.texts import Problem, say

WINDOW_S = 60.0
DEATHS_ALLOWED_COUNT = 5
FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 8.0
POLL_S = 0.2
CHECK_EVERY_S = 10.0


def restart_delay_s(deaths_count: int) -> float:
    """0.5, 1, 2, 4, 8, 8 … seconds after the first, second, … death within the window."""
    doubled: float = FIRST_DELAY_S * 2 ** (deaths_count - 1)
    return min(LONGEST_DELAY_S, doubled)


class Supervisor:
    """Runs children until it is told to stop, or until one of them cannot be kept alive."""

    def __init__(
        self, supervised: Sequence[Child], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.children = supervised
        self.clock = clock
        self.stopping = threading.Event()
        self.checked_at_s = clock()

    def stop_on_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping.set()

    def start(self) -> None:
        for child in self.children:
            child.start()

    def stop(self) -> None:
        """End every child, newest first, so that the worker goes before the web."""
        running = [child.process for child in reversed(self.children) if child.process]
        children.stop(running)

    def run(self) -> None:
        """Watch until asked to stop. Raises Problem when a child dies too often."""
        while not self.stopping.wait(POLL_S):
            self.look()
            if self.clock() - self.checked_at_s >= CHECK_EVERY_S:
                self.checked_at_s = self.clock()
                self.end_hanging()

    def end_hanging(self) -> None:
        """Kill what runs but gives no sign of life; the next look starts it again."""
        for child in self.children:
            if child.process and child.check and not child.check():
                say("child.hangs", name=child.name, log=child.log)
                children.signal_group(child.process, signal.SIGKILL)

    def look(self) -> None:
        """One round: note who has ended, start again whose delay is over."""
        now_s = self.clock()
        for child in self.children:
            if child.has_ended():
                self._note_death(child, now_s)
            if child.process is None and now_s >= child.start_at_s:
                child.start()

    def _note_death(self, child: Child, now_s: float) -> None:
        assert child.process is not None
        code = child.process.returncode
        children.signal_group(child.process, signal.SIGKILL)
        child.process = None
        child.deaths_s = [t for t in child.deaths_s if now_s - t < WINDOW_S] + [now_s]
        if len(child.deaths_s) >= DEATHS_ALLOWED_COUNT:
            raise Problem(
                "child.gave_up",
                "./podbor doctor",
                name=child.name,
                count=len(child.deaths_s),
                window_s=round(WINDOW_S),
                code=code,
                log=child.log,
                tail=tail_of(child),
            )
        delay_s = restart_delay_s(len(child.deaths_s))
        child.start_at_s = now_s + delay_s
        say("child.restarting", name=child.name, code=code, delay_s=delay_s, log=child.log)


def tail_of(child: Child) -> str:
    """The end of what the child printed, which is nearly always the reason of its death."""
    with child.log.open("rb") as log:
        log.seek(0, 2)
        log.seek(max(0, log.tell() - 4096))
        return last_lines(log.read().decode("utf-8", errors="replace"))
