"""What several tests use: the source tree, its examples, a launch that is analysed once."""
import functools
import os

import warpbound

ROOT = os.environ["WARPBOUND_SOURCE"]
EXAMPLES = os.path.join(ROOT, "examples")
FATBIN = os.path.join(EXAMPLES, "matrix_multiply.fatbin")
LAUNCH = {"grid": (4, 4), "block": (8, 8), "device": "orin-agx", "parameters": {"param_3": 32}}
# A makespan question whose exact search does not end while somebody waits.
LONG = ("9L9C7L3C5L9C2L9C4L9C3L7C", "L=1,C=4", 24)


def module():
    return warpbound.Module(FATBIN, architecture="sm_87")


def kernel():
    return module()["matrix_tiled"]


@functools.lru_cache(maxsize=None)
def launch():
    return kernel().analyze(**LAUNCH, simulate=200_000)
