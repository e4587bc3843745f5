"""The transpose of works.cu for Numba's CUDA simulator; prints seconds and elements as JSON. Usage: numba_transpose.py N"""

import json
import os
import sys
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy  # noqa: E402
from numba import cuda, float32  # noqa: E402


@cuda.jit
def transpose(source, target):
    cells = cuda.shared.array((32, 33), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.blockIdx.x * 32 + tx, cuda.blockIdx.y * 32 + ty
    for row in range(0, 32, 8):
        cells[ty + row, tx] = source[y + row, x]
    cuda.syncthreads()
    x, y = cuda.blockIdx.y * 32 + tx, cuda.blockIdx.x * 32 + ty
    for row in range(0, 32, 8):
        target[y + row, x] = cells[tx, ty + row]


n = int(sys.argv[1])
source = numpy.arange(n * n, dtype=numpy.float32).reshape(n, n)
target = numpy.zeros_like(source)
start = time.perf_counter()
transpose[(n // 32, n // 32), (32, 8)](source, target)
seconds = time.perf_counter() - start
assert (target == source.T).all()
print(json.dumps({"seconds": seconds, "elements": n * n}))
