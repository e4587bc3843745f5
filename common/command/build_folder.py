"""The folder that everything goes into which Warpbook writes: build/ beside it, or another one of the user's choice.

`warpbook` asks before it imports anything else. So this imports only what even Debian's python3-minimal has.
"""
import os

VARIABLE = "WARPBOOK_BUILD"
OPTION = "--build"


def of(root):
    """The build folder of the workbook at `root`."""
    return os.environ.get(VARIABLE) or os.path.join(root, "build")


def take_option(arguments):
    """Puts the DIR of `--build DIR` or `--build=DIR` into the environment; returns the other arguments.

    The option stands anywhere before --. One without a DIR is left where it is.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own, others = list(arguments[:end]), []
    while own:
        word = own.pop(0)
        if word == OPTION and own and own[0]:
            os.environ[VARIABLE] = own.pop(0)
        elif word.startswith(OPTION + "=") and len(word) > len(OPTION) + 1:
            os.environ[VARIABLE] = os.path.expanduser(word[len(OPTION) + 1:])  # a shell leaves this ~ as it is
        else:
            others.append(word)
    if os.environ.get(VARIABLE):
        os.environ[VARIABLE] = os.path.abspath(os.environ[VARIABLE])
    return others + list(arguments[end:])
