"""Which backend this machine grades on, and why."""
from __future__ import annotations

import dataclasses
import glob
import os
import re
import shutil

from .language import _
from .probe import dotted, output_of, parse_version
from .problem import Problem
from .requirements import MINIMUM

OVERRIDE = "WARPBOOK_BACKEND"


@dataclasses.dataclass
class Backend:
    """`preset` is sim or cuda; `reason` is a sentence; `nvcc` is the toolkit's compiler, if any."""

    preset: str
    reason: str
    nvcc: str = ""
    nvcc_version: str = ""
    gpus: list[str] = dataclasses.field(default_factory=list)

    def backends(self) -> list[str]:
        return ["sim", "cuda"] if self.preset == "cuda" else ["sim"]


def has_gpu_device() -> bool:
    """Whether the driver's device files (or WSL2's driver library) are there; costs no process."""
    on_linux = os.path.exists("/dev/nvidiactl") and any(
        re.fullmatch(r"/dev/nvidia\d+", path) for path in glob.glob("/dev/nvidia*"))
    return on_linux or os.path.exists("/usr/lib/wsl/lib/libcuda.so.1")


def list_gpus() -> list[str]:
    """What nvidia-smi says of each GPU: name, compute capability, driver. Takes a second on large machines."""
    tool = shutil.which("nvidia-smi") or shutil.which("/usr/lib/wsl/lib/nvidia-smi")
    if not tool:
        return []
    said = output_of([tool, "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader"]) or ""
    return [line.strip() for line in said.splitlines() if line.count(",") == 2]


def find_nvcc() -> tuple[str, tuple[int, ...]]:
    """nvcc from $CUDACXX, PATH, $CUDA_HOME, or the usual place; ("", ()) if there is none."""
    places = [os.environ.get("CUDACXX", ""), "nvcc"]
    for prefix in (os.environ.get("CUDA_HOME", ""), os.environ.get("CUDA_PATH", ""), "/usr/local/cuda"):
        places.append(f"{prefix}/bin/nvcc" if prefix else "")
    for place in places:
        path = shutil.which(place) if place else None
        if path:
            # The last words, "V13.0.88", are the whole version.
            versions = re.findall(r"V(\d+(?:\.\d+)+)", output_of([path, "--version"]) or "")
            return path, parse_version(versions[-1]) if versions else ()
    return "", ()


def choose(details: bool = False) -> Backend:
    """The GPU if there is one and a toolkit new enough for it, else the simulator.

    `details` asks nvidia-smi for names, which only `doctor` needs.
    """
    wanted = os.environ.get(OVERRIDE, "")
    if wanted not in ("", "sim", "cuda"):
        raise Problem(_("{variable} is '{value}'; it can be sim or cuda.", variable=OVERRIDE, value=wanted))
    gpu = has_gpu_device()
    if wanted == "sim" and not details:
        return Backend("sim", _("{setting} asks for the simulator.", setting=f"{OVERRIDE}=sim"))
    nvcc, version = find_nvcc() if gpu or details or wanted else ("", ())
    gpus = list_gpus() if details and gpu else []
    found = Backend("sim", "", nvcc, dotted(version), gpus)
    usable = bool(nvcc) and version >= MINIMUM["nvcc"]
    needed = dotted(MINIMUM["nvcc"])
    if wanted == "sim":
        found.reason = _("{setting} asks for the simulator.", setting=f"{OVERRIDE}=sim")
    elif wanted == "cuda":
        if not usable:
            raise Problem(_("{setting} asks for the GPU, and there is no nvcc {needed} or newer on this machine.", setting=f"{OVERRIDE}=cuda", needed=needed))
        found.preset, found.reason = "cuda", _("{setting} asks for the GPU.", setting=f"{OVERRIDE}=cuda")
    elif not gpu:
        found.reason = _("This machine shows no NVIDIA GPU, so everything is graded on the simulator.")
    elif not nvcc:
        found.reason = _("There is a GPU, and no nvcc to compile for it; with CUDA toolkit {needed} or newer it is used.", needed=needed)
    elif not usable:
        found.reason = _("There is a GPU, and nvcc {version} is too old for Warpbook; {needed} is needed.", version=dotted(version), needed=needed)
    else:
        found.preset = "cuda"
        found.reason = _("There is a GPU, and nvcc {version} compiles for it: simulator and GPU both grade.", version=dotted(version))
    return found
