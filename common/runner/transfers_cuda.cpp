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

/// A copy that the runtime has taken on, or has refused.
cudaError_t copied(cudaError_t error, void* to, const void* from, std::size_t bytes, const char* function,
                   const void* site) {
  if (error == cudaSuccess && !is_runners) note(is_on_device(from), is_on_device(to), bytes, function, site);
  return error;
}

cudaError_t copied(cudaError_t error, const cudaMemcpy3DParms* box, const char* function, const void* site) {
  if (error != cudaSuccess || is_runners) return error;
  const cudaExtent& extent = box->extent;
  note(box->srcArray != nullptr || is_on_device(box->srcPtr.ptr),
       box->dstArray != nullptr || is_on_device(box->dstPtr.ptr), extent.width * extent.height * extent.depth,
       function, site);
  return error;
}

cudaError_t copied_to_symbol(cudaError_t error, const void* from, std::size_t bytes, const char* function,
                             const void* site) {
  if (error == cudaSuccess && !is_runners) note(is_on_device(from), true, bytes, function, site);
  return error;
}

cudaError_t copied_from_symbol(cudaError_t error, void* to, std::size_t bytes, const char* function,
                               const void* site) {
  if (error == cudaSuccess && !is_runners) note(true, is_on_device(to), bytes, function, site);
  return error;
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

// The runtime's own function of this name.
#define NEXT(function) reinterpret_cast<decltype(&::function)>(::dlsym(RTLD_NEXT, #function))
#define SITE __builtin_return_address(0)

extern "C" {

cudaError_t CUDARTAPI cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  static const auto next = NEXT(cudaMemcpy);
  return copied(next(to, from, bytes, kind), to, from, bytes, __func__, SITE);
}
cudaError_t CUDARTAPI cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  static const auto next = NEXT(cudaMemcpyAsync);
  return copied(next(to, from, bytes, kind, stream), to, from, bytes, __func__, SITE);
}
cudaError_t CUDARTAPI cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                   std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  static const auto next = NEXT(cudaMemcpy2D);
  return copied(next(to, to_pitch, from, from_pitch, width, height, kind), to, from, width * height, __func__,
                SITE);
}
cudaError_t CUDARTAPI cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                        std::size_t from_pitch, std::size_t width, std::size_t height,
                                        cudaMemcpyKind kind, cudaStream_t stream) {
  static const auto next = NEXT(cudaMemcpy2DAsync);
  return copied(next(to, to_pitch, from, from_pitch, width, height, kind, stream), to, from, width * height,
                __func__, SITE);
}
cudaError_t CUDARTAPI cudaMemcpy3D(const cudaMemcpy3DParms* box) {
  static const auto next = NEXT(cudaMemcpy3D);
  return copied(next(box), box, __func__, SITE);
}
cudaError_t CUDARTAPI cudaMemcpy3DAsync(const cudaMemcpy3DParms* box, cudaStream_t stream) {
  static const auto next = NEXT(cudaMemcpy3DAsync);
  return copied(next(box, stream), box, __func__, SITE);
}
cudaError_t CUDARTAPI cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                     std::size_t bytes) {
  static const auto next = NEXT(cudaMemcpyPeer);
  return copied(next(to, to_device, from, from_device, bytes), to, from, bytes, __func__, SITE);
}
cudaError_t CUDARTAPI cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                          std::size_t bytes, cudaStream_t stream) {
  static const auto next = NEXT(cudaMemcpyPeerAsync);
  return copied(next(to, to_device, from, from_device, bytes, stream), to, from, bytes, __func__, SITE);
}
cudaError_t CUDARTAPI cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                                         std::size_t offset, cudaMemcpyKind kind) {
  static const auto next = NEXT(cudaMemcpyToSymbol);
  return copied_to_symbol(next(symbol, from, bytes, offset, kind), from, bytes, __func__, SITE);
}
cudaError_t CUDARTAPI cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                              std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  static const auto next = NEXT(cudaMemcpyToSymbolAsync);
  return copied_to_symbol(next(symbol, from, bytes, offset, kind, stream), from, bytes, __func__, SITE);
}
cudaError_t CUDARTAPI cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
  static const auto next = NEXT(cudaMemcpyFromSymbol);
  return copied_from_symbol(next(to, symbol, bytes, offset, kind), to, bytes, __func__, SITE);
}
cudaError_t CUDARTAPI cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                                std::size_t offset, cudaMemcpyKind kind,
                                                cudaStream_t stream) {
  static const auto next = NEXT(cudaMemcpyFromSymbolAsync);
  return copied_from_symbol(next(to, symbol, bytes, offset, kind, stream), to, bytes, __func__, SITE);
}

} // extern "C"
