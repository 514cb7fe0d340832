"""The command line of `./podbor`."""

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from config.launcher import bench, checks, demo, doctor, environment
from config.launcher.layout import OWNER_ONLY, Checkout, DataFolder
from config.launcher.texts import Problem, complain, say, text
from config.launcher.up import Address, up

EXIT_PROBLEM = 2
EXIT_INTERRUPTED = 130


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="podbor",
        description=text("help.podbor"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    start = commands.add_parser("up", help=text("help.up"))
    start.add_argument("--port", type=port_number, default=8000)
    start.add_argument("--host", default="127.0.0.1")
    start.add_argument("--data", type=Path, help=text("help.data"))

    play = commands.add_parser("demo", help=text("help.demo"))
    play.add_argument("--keep", type=Path, metavar="DIR", help=text("help.keep"))
    play.add_argument("--sample", action="store_true", help=text("help.sample"))

    test = commands.add_parser("test", help=text("help.test"))
    test.add_argument("--all", action="store_true", help=text("help.all"))
    test.add_argument("-k", dest="expression", metavar="EXPRESSION", help=text("help.k"))

    look = commands.add_parser("doctor", help=text("help.doctor"))
    look.add_argument("--data", type=Path, help=text("help.data"))
    look.add_argument("--port", type=port_number, default=8000)

    commands.add_parser("bench", help=text("help.bench"))
    make = commands.add_parser("setup", help=text("help.setup"))
    make.add_argument("--dev", action="store_true", help=text("help.dev"))
    commands.add_parser("manage", help=text("help.manage"), add_help=False)
    return parser


def port_number(given: str) -> int:
    if not given.isdecimal() or not 1 <= int(given) <= 65535:
        raise argparse.ArgumentTypeError(text("port.not_a_port", given=given))
    return int(given)


def data_folder(checkout: Checkout, given: Path | None) -> DataFolder:
    return DataFolder(path=given.resolve() if given else checkout.default_data_dir())


def run_up(checkout: Checkout, options: argparse.Namespace) -> int:
    address = Address(host=options.host, port=options.port)
    return up(checkout, data_folder(checkout, options.data), address)


def run_demo(checkout: Checkout, options: argparse.Namespace) -> int:
    environment.set_up(checkout)
    return demo.demo(checkout, keep=options.keep, sample=options.sample)


def run_test(checkout: Checkout, options: argparse.Namespace) -> int:
    environment.set_up(checkout, development=True)
    return checks.test(checkout, everything=options.all, expression=options.expression)


def run_doctor(checkout: Checkout, options: argparse.Namespace) -> int:
    return doctor.doctor(checkout, data_folder(checkout, options.data), options.port)


def run_bench(checkout: Checkout, _options: argparse.Namespace) -> int:
    environment.set_up(checkout)
    return bench.bench(checkout)


def run_setup(checkout: Checkout, options: argparse.Namespace) -> int:
    environment.set_up(checkout, development=options.dev)
    say("setup.done", folder=checkout.venv)
    return 0


RUNNERS: dict[str, Callable[[Checkout, argparse.Namespace], int]] = {
    "up": run_up,
    "demo": run_demo,
    "test": run_test,
    "doctor": run_doctor,
    "bench": run_bench,
    "setup": run_setup,
}


def manage(checkout: Checkout, arguments: Sequence[str]) -> int:
    """Become manage.py in the virtual environment: its input, output and exit code are ours."""
    environment.set_up(checkout)
    command = checkout.manage(*arguments)
    os.umask(OWNER_ONLY)  # it may be the first to make the data folder
    os.execv(command[0], command)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code: 2 when the person has something to mend."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    sys.stderr.reconfigure(errors="replace")  # type: ignore[union-attr]
    checkout = Checkout()
    try:
        if arguments[:1] == ["manage"]:  # its options are manage.py's, not ours to read
            return manage(checkout, arguments[1:])
        options = build_parser().parse_args(arguments or ["--help"])
        return RUNNERS[options.command](checkout, options)
    except Problem as problem:
        complain(problem)
        return EXIT_PROBLEM
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        complain(Problem("disk.no_space", "df -h", folder=error.filename or checkout.root))
        return EXIT_PROBLEM
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
