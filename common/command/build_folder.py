"""The folder that everything goes into which Warpbook writes: build/ beside it, or another one of the user's choice.

`warpbook` asks before it imports anything else. So this imports only what even Debian's python3-minimal has.
"""
import os

VARIABLE = "WARPBOOK_BUILD"
OPTION = "--build"


def of(root):
    """The build folder of the workbook at `root`."""
    return os.environ.get(VARIABLE) or os.path.join(root, "build")


def without(arguments, option, is_value=bool):
    """The arguments without `OPTION VALUE` and `OPTION=VALUE`, which stand anywhere before --; and the last VALUE, or "". An option without
    one, or with one that is none, is left where it is."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own, others, value = list(arguments[:end]), [], ""
    while own:
        word = own.pop(0)
        if word == option and own and is_value(own[0]):
            value = own.pop(0)
        elif word.startswith(option + "=") and len(word) > len(option) + 1:
            value = os.path.expanduser(word[len(option) + 1:])  # a shell leaves this ~ as it is
        else:
            others.append(word)
    return others + list(arguments[end:]), value


def take_option(arguments):
    """Puts the DIR of `--build DIR` or `--build=DIR` into the environment; returns the other arguments."""
    others, value = without(arguments, OPTION)
    if value or os.environ.get(VARIABLE):
        os.environ[VARIABLE] = os.path.abspath(value or os.environ[VARIABLE])
    return others
