// mutant: the host draws
// item: mandelbrot_adaptive computes no more pixels than the rule asks for
// diagnosis: coordinates-not-read
// backends: sim
//
// The mistake: the coordinates are copied to the host, which computes every pixel. The picture is right, and no
// thread of a GPU has read a coordinate.
// Read: the handout, "How many pixels are computed?".

#include <cuda_runtime.h>

#include <vector>

namespace {

int dwell(float re, float im, int max_dwell) {
  float x = 0, y = 0;
  int steps = 0;
  while (steps < max_dwell) {
    const float xx = x * x, yy = y * y;
    if (xx + yy > 4) break;
    y = (x + x) * y + im;
    x = (xx - yy) + re;
    ++steps;
  }
  return steps;
}

} // namespace

void mandelbrot_adaptive(int* dwells, const float* re, const float* im, unsigned size, int max_dwell) {
  std::vector<float> columns(size), rows(size);
  std::vector<int> picture;
  cudaMemcpy(columns.data(), re, size * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(rows.data(), im, size * sizeof(float), cudaMemcpyDeviceToHost);
  for (const float row : rows)
    for (const float column : columns) picture.push_back(dwell(column, row, max_dwell));
  cudaMemcpy(dwells, picture.data(), picture.size() * sizeof(int), cudaMemcpyHostToDevice);
}
