// What NVIDIA's samples find in helper_functions.h, written for the simulator; pictures are not read.
#ifndef SIMT_INCLUDE_SAMPLES_HELPER_FUNCTIONS_H
#define SIMT_INCLUDE_SAMPLES_HELPER_FUNCTIONS_H

#include "helper_string.h"
#include "helper_timer.h"

#include <cmath>
#include <cstdio>

/// Whether |a - b|, as a vector, is at most `most` of |a|.
inline bool sdkCompareL2fe(const float* a, const float* b, unsigned length, float most) {
  double error = 0, size = 0;
  for (unsigned i = 0; i < length; ++i) {
    error += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
    size += double(a[i]) * a[i];
  }
  return std::sqrt(error) <= most * std::sqrt(size);
}
template <class T, class S>
bool compareData(const T* a, const T* b, unsigned length, S most, float) {
  for (unsigned i = 0; i < length; ++i)
    if (!(std::fabs(double(a[i]) - double(b[i])) <= double(most))) return false;
  return true;
}

#endif
