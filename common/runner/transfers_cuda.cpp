// What a submission copies between host and device. The runner has the runtime's functions for that under their own names, and
// exports them, so that the loader gives a submission these: they count, and pass the call on. What crosses through managed,
// mapped or registered memory, and by the driver's own interface, is not seen; the simulator sees it.
#include "runner/backend.hpp"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

namespace warpbook::backend {
namespace {

thread_local bool is_runners = false;

struct Spot {
  const void* site; ///< where the call returns to
  bool to_host;
  const char* function;
  auto operator<=>(const Spot&) const = default;
};
struct Amount {
  std::uint64_t bytes = 0, count = 0;
};
std::mutex amounts_guard; // any thread may copy
std::map<Spot, Amount> amounts;

bool is_on_device(const void* pointer) {
  cudaPointerAttributes attributes = {};
  return cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess &&
         (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged);
}

void note(bool from_device, bool to_device, std::size_t bytes, const char* function, const void* site) {
  if (from_device == to_device || bytes == 0) return;
  const std::lock_guard lock(amounts_guard);
  Amount& amount = amounts[{site, from_device, function}];
  amount.bytes += bytes;
  ++amount.count;
}

/// As simt::code_address.
nlohmann::json place_of(const void* site) {
  Dl_info info = {};
  if (dladdr(site, &info) == 0) return {{"module", ""}, {"offset", 0}};
  const auto offset = static_cast<const char*>(site) - static_cast<const char*>(info.dli_fbase) - 1;
  return {{"module", info.dli_fname}, {"offset", offset}};
}

} // namespace

bool copy_for_runner(bool own) { return std::exchange(is_runners, own); }

// As JSON of a simt::Report.
std::string take_report() {
  const std::lock_guard lock(amounts_guard);
  if (amounts.empty()) return {};
  nlohmann::json transfers = nlohmann::json::array();
  for (const auto& [spot, amount] : std::exchange(amounts, {})) {
    transfers.push_back({{"direction", spot.to_host ? "to-host" : "to-device"},
                         {"by", spot.function},
                         {"where", place_of(spot.site)},
                         {"bytes", amount.bytes},
                         {"count", amount.count}});
  }
  return nlohmann::json{{"kernels", nlohmann::json::array()},
                        {"diagnostics", nlohmann::json::array()},
                        {"transfers", std::move(transfers)}}
      .dump();
}

} // namespace warpbook::backend

using namespace warpbook::backend;

// The function of this name, which passes the call on to the runtime's own, and notes what that has copied from `from_device` or
// `to_device`.
#define COPY(function, parameters, arguments, from_device, to_device, bytes)                                 \
  cudaError_t CUDARTAPI function parameters {                                                                \
    static const auto next = reinterpret_cast<decltype(&::function)>(::dlsym(RTLD_NEXT, #function));         \
    const cudaError_t error = next arguments;                                                                \
    if (error == cudaSuccess && !is_runners)                                                                 \
      note(from_device, to_device, bytes, #function, __builtin_return_address(0));                           \
    return error;                                                                                            \
  }
#define COPY_BOX(function, parameters, arguments)                                                            \
  COPY(function, parameters, arguments, box->srcArray != nullptr || is_on_device(box->srcPtr.ptr),           \
       box->dstArray != nullptr || is_on_device(box->dstPtr.ptr),                                            \
       box->extent.width * box->extent.height * box->extent.depth)

extern "C" {

COPY(cudaMemcpy, (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind),
     (to, from, bytes, kind), is_on_device(from), is_on_device(to), bytes)
COPY(cudaMemcpyAsync,
     (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, bytes, kind, stream), is_on_device(from), is_on_device(to), bytes)
COPY(cudaMemcpy2D,
     (void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
      std::size_t height, cudaMemcpyKind kind),
     (to, to_pitch, from, from_pitch, width, height, kind), is_on_device(from), is_on_device(to),
     width* height)
COPY(cudaMemcpy2DAsync,
     (void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
      std::size_t height, cudaMemcpyKind kind, cudaStream_t stream),
     (to, to_pitch, from, from_pitch, width, height, kind, stream), is_on_device(from), is_on_device(to),
     width* height)
COPY_BOX(cudaMemcpy3D, (const cudaMemcpy3DParms* box), (box))
COPY_BOX(cudaMemcpy3DAsync, (const cudaMemcpy3DParms* box, cudaStream_t stream), (box, stream))
COPY(cudaMemcpyPeer, (void* to, int to_device, const void* from, int from_device, std::size_t bytes),
     (to, to_device, from, from_device, bytes), is_on_device(from), is_on_device(to), bytes)
COPY(cudaMemcpyPeerAsync,
     (void* to, int to_device, const void* from, int from_device, std::size_t bytes, cudaStream_t stream),
     (to, to_device, from, from_device, bytes, stream), is_on_device(from), is_on_device(to), bytes)
COPY(cudaMemcpyToSymbol,
     (const void* symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind),
     (symbol, from, bytes, offset, kind), is_on_device(from), true, bytes)
COPY(cudaMemcpyToSymbolAsync,
     (const void* symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
      cudaStream_t stream),
     (symbol, from, bytes, offset, kind, stream), is_on_device(from), true, bytes)
COPY(cudaMemcpyFromSymbol,
     (void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind),
     (to, symbol, bytes, offset, kind), true, is_on_device(to), bytes)
COPY(cudaMemcpyFromSymbolAsync,
     (void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
      cudaStream_t stream),
     (to, symbol, bytes, offset, kind, stream), true, is_on_device(to), bytes)

} // extern "C"
