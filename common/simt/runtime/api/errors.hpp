// The runtime API's error state: the last error, and the sticky one that a broken kernel leaves behind.
#pragma once

#include "driver_types.h"

namespace simt {

/// Records an API call's result as the last error (if it is one) and returns it; a sticky error wins.
cudaError_t api_result(cudaError_t error);

/// Every later API call fails with `error`, as on a device whose context is corrupted.
void set_sticky_error(cudaError_t error);
cudaError_t sticky_error();

/// Whether the program has called a function of the runtime API.
bool runtime_was_used();

/// While one lives, what is called leaves no trace in the runtime API's state: it is called for the driver API.
class ErrorsAside {
public:
  ErrorsAside();
  ~ErrorsAside();
  ErrorsAside(const ErrorsAside&) = delete;
  ErrorsAside& operator=(const ErrorsAside&) = delete;

private:
  cudaError_t last_;
  bool was_used_;
};

} // namespace simt
