#pragma once

#include <cuda.h>

int runOnHost(CUfunction add, CUfunction scale);
