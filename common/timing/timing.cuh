#pragma once
/// Everything for timing a kernel of your own; docs/measuring-well.md explains it with an example.
///
///   nvcc -O3 -Icommon program.cu -o program

#include "timing/benchmark.hpp"
#include "timing/cuda_error.hpp"
#include "timing/device_provenance.cuh"
#include "timing/device_stopwatch.hpp"
#include "timing/provenance.hpp"
#include "timing/statistics.hpp"
#include "timing/table.hpp"
