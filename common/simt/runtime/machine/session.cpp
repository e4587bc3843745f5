#include "simt/runtime/machine/simt.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/api/errors.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/counting.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/signals.hpp"
#include "simt/runtime/races/global_race.hpp"
#include "simt/runtime/races/race.hpp"
#include "simt/runtime/schedule/device_launch.hpp"
#include "simt/runtime/schedule/scheduler.hpp"

#include <algorithm>

namespace simt {

namespace {

std::vector<KernelRecord> kernels;

bool same_launch(const KernelRecord& a, const KernelRecord& b) {
  return a.name == b.name && a.grid == b.grid && a.block == b.block && a.cluster == b.cluster &&
         a.shared_bytes == b.shared_bytes && a.depth == b.depth;
}

void merge_sites(std::vector<SiteCounters>& into, std::vector<SiteCounters>& from) {
  for (SiteCounters& site : from) {
    const auto known =
        std::find_if(into.begin(), into.end(), [&](const SiteCounters& s) { return s.where == site.where; });
    if (known == into.end())
      into.push_back(std::move(site));
    else
      known->counters += site.counters;
  }
}

/// Adds the records from `first` on to earlier ones of the same kernel and shape.
void merge_records(std::size_t first) {
  std::size_t kept = first;
  for (std::size_t i = first; i < kernels.size(); ++i) {
    const auto end = kernels.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto known =
        std::find_if(kernels.begin(), end, [&](const KernelRecord& k) { return same_launch(k, kernels[i]); });
    if (known == end) {
      if (kept != i) kernels[kept] = std::move(kernels[i]);
      ++kept;
    } else {
      known->counters += kernels[i].counters;
      merge_sites(known->sites, kernels[i].sites);
    }
  }
  kernels.resize(kept);
}

} // namespace

void initialise_machine() {
  if (machine.arena != 0) return;
  // The wished address keeps device pointers equal from run to run. It lies between where Linux puts programs and where it
  // puts libraries: there a confined runner may still open, close and move memory (fence_memory, AnnouncedAccesses).
  machine.arena = reinterpret_cast<std::uintptr_t>(reserve_memory(2 * arena_span, 0x6000'0000'0000));
  machine.written = static_cast<std::uint8_t*>(reserve_memory(arena_span / 8));
  reserve_race_cells(max_resident_blocks);
  initialise_global_race_detection();
  initialise_stacks(reserve_memory(stacks_bytes));
  install_signal_handlers();
}

void configure(const Options& options) {
  const HostCall turn;
  initialise_machine();
  install_signal_handlers(); // again, in case the program has set its own since
  machine.options = options;
  machine.work_left = options.work_budget;
  seed_schedule(options.seed);
  machine.launches = 0;
}

void share_progress(std::atomic<std::uint64_t>* counter) { machine.progress = counter; }

void complete_record(Grid& grid) {
  for (auto& [site, counters] : take_sites()) grid.record.sites.push_back({code_address(site), counters});
}

void keep_record(Grid& grid) {
  const std::size_t first = kernels.size();
  kernels.push_back(std::move(grid.record));
  end_device_launches(kernels);
  if (machine.options.merge_launches) merge_records(first);
}

void tell_record_launch(const HostLaunch& launch) {
  const auto by_host =
      std::find_if(kernels.rbegin(), kernels.rend(), [](const KernelRecord& k) { return k.depth == 0; });
  if (by_host != kernels.rend() && !by_host->launch) by_host->launch = launch;
}

void end_program() {
  const HostCall turn;
  if (sticky_error() == cudaSuccess) report_lost_output();
}

Report take_report() {
  const HostCall turn;
  report_unasked();
  return {std::exchange(kernels, {}), take_diagnostics(), {}};
}

} // namespace simt
