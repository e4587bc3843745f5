// Launches that do again what a launch has done before them, as in a program that measures a kernel a hundred times.
//
// A kernel is a function of its arguments and of what the device's memory holds, because a schedule without chance runs it the
// same way each time. So a launch that finds all of that as the latest launch of the same kernel found it does just what that
// one did: its counters are the same, it finds nothing either, or no more than known reads of memory that was never written, and
// what has changed in memory is known. It need not run. Of a row of such launches the first one writes its results, the second
// one is looked at, and the third one is spared.
#pragma once

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/memory/digest.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include <optional>
#include <span>
#include <utility>

namespace simt {

/// A number that changes when the process prints, as far as the system tells.
std::uint64_t printed_so_far();

/// What of a launch is known from earlier ones like it.
struct Repetition;

/// One launch by the host, from its set-up to its end. Memory has to be open (OpenMemory).
class RepeatedLaunch {
public:
  RepeatedLaunch(const Grid& grid, const void* kernel, std::span<const simt_argument> arguments);

  /// The record of an earlier launch that this one would repeat; null: it has to run.
  const KernelRecord* known() const;
  /// Does in its stead what it would do to memory, and accounts for it.
  void spare() const;
  /// The grid has run and its record is complete.
  void has_run(const Grid& grid) const;

private:
  /// Of the process, by which one sees whether a kernel did what is not to be repeated.
  struct Traces {
    std::uint64_t found = 0, accesses_to_host = 0, bytes_printed = 0;
    std::size_t allocations = 0;
    bool operator==(const Traces&) const = default;
  };
  static std::optional<Traces> traces();

  Repetition* repetition_ = nullptr;
  std::uint64_t work_before_ = 0;
  std::optional<DeviceDigest> before_; ///< if it is worth while to look
  std::optional<Traces> traces_before_;
  TimesUnwritten unwritten_before_;
};

} // namespace simt
