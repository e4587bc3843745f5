#include "simt/runtime/api/repetition.hpp"

#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/machine/simt.hpp"
#include "simt/runtime/memory/transfers.hpp"
#include "simt/runtime/schedule/scheduler.hpp"

#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <span>
#include <stdio_ext.h>
#include <string>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace simt {

struct Repetition {
  std::uint64_t launches = 0;
  std::uint64_t work = 0; ///< operations of the latest launch that has run
  unsigned in_vain = 0;   ///< launches in a row that were looked at and were no repetition
  bool reads_unwritten = false; ///< that launch has: it depends on what memory holds that was never written
  /// Of the latest launch that was looked at and can be repeated: what it found, ...
  Digest before;
  /// ... what it did to memory, ...
  std::optional<DeviceChange> change;
  /// ... how often it read what was never written, ...
  TimesUnwritten unwritten;
  /// ... and its record.
  KernelRecord record;
};

namespace {

/// A digest takes as long as an operation for about as many bytes. Then two of them take less than the launch.
constexpr std::uint64_t bytes_per_operation = 32;
/// From then on only two launches in a row are looked at, whose first has a power of two as its number.
constexpr unsigned most_in_vain = 3;
/// What changes of memory may take together that are kept.
constexpr std::size_t most_kept_bytes = 256 << 20;
/// Calls with different arguments that are kept apart. A program with more of them hardly repeats any.
constexpr std::size_t most_calls = 10'000;

/// What is launched: kernel, name, grid, block, cluster, whether it is cooperative, shared memory and its limit, arguments.
using Call = std::tuple<const void*, const void*, std::string, std::array<unsigned, 9>, bool,
                        std::array<std::size_t, 2>, std::string>;

std::map<Call, Repetition> repetitions;
std::size_t kept_bytes = 0;
std::uint64_t spared = 0;
const OnReset forget_repetitions([] {
  repetitions.clear();
  kept_bytes = 0;
});

void forget_change(Repetition& repetition) {
  if (repetition.change) kept_bytes -= repetition.change->bytes();
  repetition.change.reset();
}

/// The bytes of all arguments. What lies between them is whatever was there before.
std::string bytes_of(const Grid& grid, const void* kernel, std::span<const simt_argument> arguments) {
  const char* const closure = static_cast<const char*>(grid.closure);
  // A kernel that is not known is among what the call holds, as are arguments of which nothing is said.
  if (!kernel || arguments.empty()) return {closure, grid.operations->size};
  std::vector<void*> places(arguments.size());
  grid.operations->addresses(closure, places.data());
  std::string bytes;
  for (std::size_t i = 0; i < places.size(); ++i)
    bytes.append(static_cast<const char*>(places[i]), arguments[i].size);
  return bytes;
}

Call call_of(const Grid& grid, const void* kernel, std::span<const simt_argument> arguments) {
  const auto& [g, b, c] = std::tie(grid.extent, grid.block_extent, grid.cluster_extent);
  return {kernel,
          reinterpret_cast<const void*>(grid.operations->invoke),
          grid.record.name,
          {g.x, g.y, g.z, b.x, b.y, b.z, c.x, c.y, c.z},
          grid.cooperative,
          {grid.dynamic_bytes, grid.shared_limit},
          bytes_of(grid, kernel, arguments)};
}

/// Whether launches may be spared at all. Under a random schedule each one runs in an order of its own; where
/// unseen accesses do not pass, it is to be seen what each one reads; and what other threads
/// of the host write meanwhile is not in the digest.
bool may_be_spared() {
  const Options& options = machine.options;
  return !options.every_launch && options.schedule != Schedule::random && !options.trace &&
         !options.last_block_only && options.unseen == UnseenAccess::passes;
}

/// Bytes that the process has given to the system to write; nothing if the system does not say.
std::optional<std::uint64_t> bytes_written() {
  const int file = ::open("/proc/self/io", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char text[512];
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (size <= 0) return {};
  text[size] = '\0';
  const std::string_view found = text;
  const std::size_t at = found.find("wchar:");
  if (at == std::string_view::npos) return {};
  return std::strtoull(text + at + 6, nullptr, 10);
}

bool launches_children(const Counters& counters) {
  return counters.default_stream_launches + counters.named_stream_launches +
             counters.fire_and_forget_launches + counters.tail_launches + counters.failed_device_launches !=
         0;
}

} // namespace

std::uint64_t printed_so_far() {
  return (__flbf(stdout) ? bytes_written().value_or(0) : 0) + __fpending(stdout);
}

std::uint64_t spared_launches() { return spared; }

std::optional<RepeatedLaunch::Traces> RepeatedLaunch::traces() {
  const std::optional<std::uint64_t> written = bytes_written();
  if (!written) return {};
  return Traces{times_found(), kernel_accesses_to_host(), *written + __fpending(stdout),
                all_allocations().size()};
}

RepeatedLaunch::RepeatedLaunch(const Grid& grid, const void* kernel, std::span<const simt_argument> arguments)
    : work_before_(machine.work_left) {
  if (!may_be_spared()) return;
  Call call = call_of(grid, kernel, arguments);
  const auto known = repetitions.find(call);
  if (known == repetitions.end()) {
    if (repetitions.size() < most_calls) repetition_ = &repetitions[std::move(call)];
  } else {
    repetition_ = &known->second;
  }
  if (!repetition_) return;
  unwritten_before_ = times_read_unwritten();
  if (++repetition_->launches == 1) return;
  const std::uint64_t number = repetition_->launches;
  if (repetition_->in_vain >= most_in_vain && !std::has_single_bit(number) &&
      !std::has_single_bit(number - 1))
    return;
  const DigestCost cost = cost_of_digest();
  if (!cost.is_possible || cost.bytes > bytes_per_operation * repetition_->work || has_other_threads())
    return;
  traces_before_ = traces();
  if (traces_before_) before_ = digest_device(repetition_->reads_unwritten);
}

const KernelRecord* RepeatedLaunch::known() const {
  const bool is_known = before_ && repetition_->change && repetition_->before == before_->whole &&
                        repetition_->work < machine.work_left;
  return is_known ? &repetition_->record : nullptr;
}

void RepeatedLaunch::spare() const {
  ++spared;
  repetition_->in_vain = 0;
  repetition_->change->apply();
  for (const auto& [site, times] : repetition_->unwritten) *times_read_unwritten(site) += times;
  consume_work(repetition_->work);
  note_progress();
}

void RepeatedLaunch::has_run(const Grid& grid) const {
  if (!repetition_) return;
  repetition_->work = work_before_ - machine.work_left;
  const bool knew_unwritten =
      std::exchange(repetition_->reads_unwritten, times_read_unwritten() != unwritten_before_);
  if (!before_) return;
  ++repetition_->in_vain;
  forget_change(*repetition_);
  if (repetition_->reads_unwritten && !knew_unwritten) return;
  if (machine.fatal || launches_children(grid.record.counters) || traces() != traces_before_) return;
  repetition_->change =
      DeviceChange::between(*before_, digest_device(knew_unwritten), most_kept_bytes - kept_bytes);
  if (!repetition_->change) return;
  kept_bytes += repetition_->change->bytes();
  repetition_->unwritten = times_read_unwritten();
  for (const auto& [site, times] : unwritten_before_) repetition_->unwritten[site] -= times;
  repetition_->before = before_->whole;
  repetition_->record = grid.record;
}

} // namespace simt
