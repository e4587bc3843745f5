#include "runner/backend.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "call/generate.hpp"
#include "runner/crash_note.hpp"
#include "simt/report/report.hpp"
#include "simt/runtime/cluster/cluster.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/limits.hpp"
#include "simt/runtime/machine/simt.hpp"
#include "simt/runtime/races/race.hpp"
#include "simt/runtime/replay/replay.hpp"
#include "simt/trace/trace.hpp"
#include "timing/cuda_error.hpp"
#include "timing/provenance.hpp"

namespace warpbook::backend {

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

// With the device memory that the simulator offers, a run stays near 1 GiB. A tool in front of the runner has opened by
// then what it needs.
Confinement confinement(const std::string& module, bool) {
  Confinement confinement;
  confinement.readable = library_folders();
  for (const char* path :
       {"/proc/self/exe", "/dev/null", "/dev/zero", "/dev/urandom", "/sys/devices/system/cpu"})
    confinement.readable.push_back(path);
  confinement.readable.push_back(module);
  confinement.data_bytes = std::size_t{256} << 20;
  confinement.file_bytes = std::size_t{64} << 20;
  confinement.open_files = 256;
  return confinement;
}

// Limits on memory count address space that is reserved, too, and where the stack lies is read from /proc.
void prepare() {
  simt::reserve_race_cells(simt::max_cooperative_blocks);
  simt::start_cluster_checks(simt::max_cooperative_blocks);
  simt::configure({});
  simt::keep_host_heap_apart();
  const int on_stack = 0;
  static_cast<void>(simt::classify_host_address(reinterpret_cast<std::uintptr_t>(&on_stack)));
}

void show_progress(SharedMemory counter) {
  static const SharedMemory shown = std::move(counter); // for as long as the process lives
  simt::share_progress(reinterpret_cast<std::atomic<std::uint64_t>*>(shown.bytes().data()));
}

std::string provenance() {
  int device = 0;
  cudaDeviceProp properties = {};
  WARPBOOK_CUDA(cudaGetDevice(&device));
  WARPBOOK_CUDA(cudaGetDeviceProperties(&properties, device));
  return nlohmann::json(Provenance{{"device", properties.name},
                                   {"multiprocessors", std::to_string(properties.multiProcessorCount)},
                                   {"date", now_utc()}})
      .dump();
}

// Contents pass through host memory in pieces: the simulator's memory is reached through its API alone.
void generate(const Generator& generator, void* device, std::size_t count) {
  constexpr std::size_t staging_bytes = std::size_t{64} << 20;
  const std::size_t size = size_of(generator.type);
  const std::size_t piece = staging_bytes / size;
  std::vector<std::byte> staging(std::min(piece, count) * size);
  for (std::size_t first = 0; first < count; first += piece) {
    const std::size_t length = std::min(piece, count - first);
    warpbook::generate(generator, staging.data(), first, length);
    WARPBOOK_CUDA(cudaMemcpy(static_cast<std::byte*>(device) + first * size, staging.data(), length * size,
                             cudaMemcpyHostToDevice));
  }
}

void gather(const void* device, std::size_t element_size, const std::vector<std::size_t>& indices,
            std::byte* target) {
  for (const std::size_t index : indices) {
    WARPBOOK_CUDA(cudaMemcpy(target, static_cast<const std::byte*>(device) + index * element_size,
                             element_size, cudaMemcpyDeviceToHost));
    target += element_size;
  }
}

std::byte* allocate_sparse(std::size_t bytes) {
  return static_cast<std::byte*>(simt::allocate_sparse(bytes));
}

std::vector<std::size_t> strays(const BufferArgument& buffer, const std::byte* payload) {
  const auto is_made = [&](std::size_t index) {
    const std::size_t from_first = index - buffer.sparse_first; // huge for those before it
    return from_first % buffer.sparse_step == 0 && from_first / buffer.sparse_step < buffer.samples;
  };
  std::vector<std::size_t> found;
  for (const auto& [first, bytes] : simt::written_ranges(payload, buffer.payload_bytes())) {
    for (std::size_t i = first / buffer.element_size; i * buffer.element_size < first + bytes; ++i) {
      if (found.size() < most_strays && !is_made(i) && (found.empty() || found.back() != i))
        found.push_back(i);
    }
  }
  return found;
}

void begin_call(const Call& call) {
  simt::on_host_crash([](const simt::HostCrash& crash) { send_crash_note(crash.cause, crash.instruction); });
  static_cast<void>(simt::take_trace());
  static_cast<void>(simt::take_report()); // what an earlier call left behind is not this one's
  simt::Options options;
  options.schedule = call.schedule;
  options.seed = call.schedule_seed;
  options.unseen = call.unseen;
  options.left_out = call.left_out;
  if (call.watches_bounds) {
    constexpr std::size_t of_all_calls = 64; // two signals each
    static std::map<std::string, std::size_t> left;
    options.watched_accesses = &left.try_emplace(call.function, of_all_calls).first->second;
  }
  options.sites = call.sites;
  options.trace = call.trace;
  options.last_block_only = call.last_block_only;
  if (call.last_block_only) options.step_budget /= 32; // a block has its part to do, and not the work of all
  options.step_budget *= call.patience;
  if (call.launch_room) {
    options.launch_room = call.launch_room->launches;
    options.launch_room_from = call.launch_room->from_depth;
  }
  simt::configure(options);
  simt::watch(call.watched);
}

void describe(void* base, std::size_t offset, const BufferArgument& buffer) {
  const bool initialised = buffer.direction != Direction::out;
  simt::describe_allocation(base, offset, buffer.payload_bytes(), initialised, buffer.name,
                            buffer.element_size);
}

bool copy_for_runner(bool own) { return simt::copy_for_caller(own); }

std::string take_report() {
  simt::Report report = simt::take_report();
  report.transfers = simt::take_transfers();
  return nlohmann::json(report).dump();
}

std::string take_trace() {
  const simt::Trace trace = simt::take_trace();
  return trace.empty() ? "" : nlohmann::json(trace).dump();
}

std::string take_diaries() { return nlohmann::json(simt::take_diaries()).dump(); }

bool measures_time() { return false; }

} // namespace warpbook::backend
