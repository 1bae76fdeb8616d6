"""The command ``minimarshal``: its parser, and how every failure is said in one line."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence

import typer

from calibration.errors import BadReference, NotFound
from engine.errors import BadData, Refused
from server.commands import COMMANDS, RULES_COMMANDS
from server.console import Fault, NoAnswer, emit, error_line, note
from vision.errors import BadSource

# Typer carries its own copy of click in newer versions and uses click itself in older ones;
# the parser's errors are reached through the one class that both export.
_USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
_PARSER_ERROR: type[Exception] = _USAGE_ERROR.__bases__[0]


def build() -> typer.Typer:
    """The whole command line."""
    app = typer.Typer(
        name="minimarshal",
        help="A camera umpire for toy-soldier games with LEGO and Playmobil figures.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    for name, function in COMMANDS.items():
        app.command(name)(function)
    rules = typer.Typer(help="The rule systems and their test vectors.", rich_markup_mode=None)
    for name, function in RULES_COMMANDS.items():
        rules.command(name)(function)
    app.add_typer(rules, name="rules")
    return app


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line.

    Args:
        arguments: Without the program's name.

    Returns:
        The exit code: 0 done, 2 bad use or bad input, 3 no answer found, 130 interrupted.
    """
    if not arguments:
        note(error_line("command", "missing (minimarshal --help lists them)"))
        return 2
    command = typer.main.get_command(build())
    try:
        with warnings.catch_warnings():
            # What libraries remark on numbers is no word of this program.
            warnings.simplefilter("ignore")
            # An interruption comes back as a number, what a command returns as None.
            code = command.main(
                args=list(arguments), prog_name="minimarshal", standalone_mode=False
            )
    except (Fault, BadSource, BadReference, BadData) as error:
        note(error_line(error.name, error.fault))
        return 2
    except Refused as refused:
        note(error_line(refused.rule or "rules", refused.reason))
        return 2
    except (NoAnswer, NotFound) as error:
        if "--json" in arguments:
            emit({"ok": False, "reason": str(error)})
        else:
            note(f"minimarshal: no answer: {error}")
        return 3
    except _PARSER_ERROR as error:
        note(error_line(*_parser_fault(error)))
        return 2
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except BrokenPipeError:
        # The reader of stdout has gone; nothing is left to say, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        # A disk that is full or gone, wherever that is noticed.
        note(error_line(str(error.filename or "files"), error.strerror or str(error)))
        return 2
    return code if isinstance(code, int) else 0


def _parser_fault(error: Exception) -> tuple[str, str]:
    """File or option, and what is wrong, from an error of the argument parser."""
    message = str(getattr(error, "message", "") or error).strip().rstrip(".")
    message = message.removeprefix("Value error, ")
    option = getattr(error, "option_name", None)
    if option is not None:
        if "no such option" in message.lower():
            return str(option), "no such option"
        return str(option), message or "wrong use"
    parameter = getattr(error, "param", None)
    if parameter is not None:
        names = [text for text in parameter.opts if text.startswith("--")]
        name = names[0] if names else str(parameter.metavar or parameter.name).strip("[].").upper()
        missing = "Missing" in type(error).__name__
        return name, message if message and not missing else "missing"
    if message.startswith("No such command"):
        return message.removeprefix("No such command").strip(" '\""), "no such command"
    return "command", message or "wrong use"


def main() -> int:
    """Carry out this process's command line; see :func:`run`."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    return run(sys.argv[1:])
