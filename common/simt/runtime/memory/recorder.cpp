#include "simt/runtime/memory/recorder.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/simt.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/shared_memory.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace simt {

namespace {

/// Accesses of lanes; the labs' telling calls have a tenth of it.
constexpr std::size_t most_accesses = std::size_t{1} << 21;

/// A range of addresses that is one array.
struct ArrayRange {
  std::uint32_t array = 0;
  std::uint32_t owner = 0;
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};

struct Recorder {
  Trace trace;
  std::size_t accesses = 0;
  bool host_has_read = false;
  std::map<std::uintptr_t, std::uint32_t> sites;
  /// By launch and name of shared variables; launch 0 and begin of those in global memory.
  std::map<std::tuple<std::uint32_t, std::string, std::uintptr_t>, std::uint32_t> arrays;
};
Recorder recorder;

std::uint32_t number_in_grid(const Block& block) {
  return static_cast<std::uint32_t>(number_at(block.index, block.grid->extent));
}

/// Where the grid stands in the trace, from 1 on.
std::uint32_t launch_of(Grid& grid) {
  if (grid.traced == 0) {
    const KernelRecord& r = grid.record;
    recorder.trace.launches.push_back({r.name, r.grid, r.block, r.depth, grid.launcher.launch - 1,
                                       grid.launcher.block, grid.launcher.thread});
    recorder.trace.carried |= recorder.host_has_read;
    grid.traced = static_cast<std::uint32_t>(recorder.trace.launches.size());
  }
  return grid.traced;
}

std::uint32_t array_of(std::uint32_t launch, std::uintptr_t begin, TracedArray array) {
  const auto [place, is_new] = recorder.arrays.try_emplace(
      {launch, array.name, begin}, static_cast<std::uint32_t>(recorder.trace.arrays.size()));
  if (is_new) recorder.trace.arrays.push_back(std::move(array));
  return place->second;
}

ArrayRange shared_extent(std::uintptr_t address, unsigned bytes) {
  const Block& owner = shared_owner(address);
  const SharedVariable* variable = find_shared_variable(owner, address, bytes);
  if (!variable) return {};
  const auto element = static_cast<unsigned>(variable->type ? variable->type->element_size : 0);
  return {array_of(launch_of(*machine.grid), 0, {variable->name, Space::shared, variable->bytes, element}),
          number_in_grid(owner), owner.shared_base + variable->offset, variable->bytes};
}

ArrayRange global_extent(std::uintptr_t address) {
  if (const Allocation* allocation = in_arena(address) ? find_allocation(address) : nullptr) {
    const auto element = static_cast<unsigned>(allocation->element_size);
    return {
        array_of(0, allocation->valid, {allocation->name, Space::global, allocation->valid_bytes, element}),
        0, allocation->valid, allocation->valid_bytes};
  }
  const Symbol symbol = find_variable(address);
  if (symbol.name.empty()) return {};
  const std::uintptr_t begin = address - symbol.offset;
  return {array_of(0, begin, {symbol.name, Space::global, symbol.bytes, 0}), 0, begin, symbol.bytes};
}

bool holds(const ArrayRange& extent, std::uintptr_t address) { return address - extent.begin < extent.bytes; }

std::uint32_t site_of(std::uintptr_t site) {
  const auto [place, is_new] =
      recorder.sites.try_emplace(site, static_cast<std::uint32_t>(recorder.trace.sites.size()));
  if (is_new) recorder.trace.sites.push_back(code_address(site));
  return place->second;
}

bool is_full(std::size_t more) {
  recorder.accesses += more;
  if (recorder.accesses > most_accesses) recorder.trace.complete = false;
  return !recorder.trace.complete;
}

/// A step of this warp of the running grid.
TracedStep step_of(TracedStep::Kind kind, const Block& block, unsigned first_thread, std::uint32_t lanes) {
  TracedStep step;
  step.kind = kind;
  step.launch = launch_of(*block.grid) - 1;
  step.block = number_in_grid(block);
  step.first_thread = first_thread;
  step.lanes = lanes;
  return step;
}

} // namespace

void record_request(const LogEntry& entry) {
  if (is_full(static_cast<std::size_t>(std::popcount(entry.mask)))) return;
  // The lanes of one request may be in several arrays.
  for (std::uint32_t rest = entry.mask; rest != 0;) {
    const std::uintptr_t address = entry.address[std::countr_zero(rest)];
    const ArrayRange extent =
        entry.space == Space::shared ? shared_extent(address, entry.size) : global_extent(address);
    TracedStep step = step_of(TracedStep::Kind::access, *machine.block, machine.warp->first, 0);
    for (std::uint32_t others = rest; others != 0; others &= others - 1) {
      const int lane = std::countr_zero(others);
      if (extent.bytes != 0 && !holds(extent, entry.address[lane])) continue;
      step.lanes |= 1u << lane;
      step.offsets.push_back(entry.address[lane] - extent.begin);
    }
    rest &= ~step.lanes;
    if (extent.bytes == 0) continue; // in no array that is known
    step.access = entry.access;
    step.bytes = entry.size;
    step.site = site_of(entry.site);
    step.array = extent.array;
    step.owner = extent.owner;
    recorder.trace.steps.push_back(std::move(step));
  }
}

void record_exchange(const Block& block, const Warp* warp, std::uint32_t lanes) {
  if (is_full(1)) return;
  if (warp) {
    recorder.trace.steps.push_back(step_of(TracedStep::Kind::exchange, block, warp->first, lanes));
  } else {
    recorder.trace.carried = true; // a barrier that counts, too rare to be followed
  }
}

TracedThread record_launcher() {
  return {launch_of(*machine.grid), number_in_grid(*machine.block), machine.lane->thread};
}

void record_host_read() { recorder.host_has_read = !recorder.trace.launches.empty(); }

void record_host_write(std::uintptr_t address, std::size_t bytes, TracedStep::Kind kind) {
  recorder.trace.carried |= recorder.host_has_read && kind == TracedStep::Kind::overwritten;
  // What the host writes before the first grid is what the call has been given.
  if (recorder.trace.launches.empty() || is_full(1)) return;
  const ArrayRange extent = global_extent(address);
  if (extent.bytes == 0) return;
  TracedStep step;
  step.kind = kind;
  step.launch = static_cast<std::uint32_t>(recorder.trace.launches.size() - 1);
  step.array = extent.array;
  step.offsets = {address - extent.begin, std::min(address - extent.begin + bytes, extent.bytes)};
  recorder.trace.steps.push_back(std::move(step));
}

Trace take_trace() {
  Trace taken = std::move(recorder.trace);
  recorder = {};
  return taken;
}

} // namespace simt
