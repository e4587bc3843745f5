#include "runner/backend.hpp"

#include <cuda_runtime.h>

#include <nlohmann/json.hpp>

#include "simt/report/report.hpp"
#include "simt/runtime/simt.hpp"

namespace warpbook::backend {
namespace {

simt::Schedule simulated(Schedule schedule) {
  switch (schedule) {
  case Schedule::forward:
    return simt::Schedule::forward;
  case Schedule::reverse:
    return simt::Schedule::reverse;
  case Schedule::random:
    return simt::Schedule::random;
  }
  return simt::Schedule::forward;
}

} // namespace

const char* name() { return "sim"; }

std::string probe() {
  int device = 0;
  cudaDeviceProp properties = {};
  cudaError_t status = cudaGetDevice(&device);
  if (status == cudaSuccess) status = cudaGetDeviceProperties(&properties, device);
  const nlohmann::json found = {{"available", status == cudaSuccess},
                                {"reason", status == cudaSuccess ? "" : cudaGetErrorString(status)},
                                {"device", properties.name},
                                {"compute_capability", {properties.major, properties.minor}},
                                {"multiprocessors", properties.multiProcessorCount}};
  return found.dump();
}

// With the device memory that the simulator offers, a run stays near 1 GiB.
Allowance allowance() { return {.host_bytes = 256u << 20, .file_bytes = 64u << 20, .processes = false}; }

void begin_call(const Call& call) {
  static_cast<void>(simt::take_report()); // what an earlier call left behind is not this one's
  simt::Options options;
  options.schedule = simulated(call.schedule);
  options.seed = call.schedule_seed;
  options.sites = call.sites;
  simt::configure(options);
}

void describe(void* base, std::size_t offset, const BufferArgument& buffer) {
  const bool initialised = buffer.direction != Direction::out;
  simt::describe_allocation(base, offset, buffer.payload_bytes(), initialised, buffer.name,
                            buffer.element_size);
}

std::string take_report() { return nlohmann::json(simt::take_report()).dump(); }

bool measures_time() { return false; }

} // namespace warpbook::backend
