#include "simt/runtime/memory/recorder.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/simt.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/shared_memory.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

namespace simt {

namespace {

/// Accesses of lanes; the labs' telling calls have a tenth of it.
constexpr std::size_t most_accesses = std::size_t{1} << 21;

constexpr unsigned line_bytes = 128; ///< all banks once, or a line of the cache

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
  std::map<SourcePlace, std::uint32_t> barriers;
  /// By launch and name of shared variables; launch 0 and begin of those in global memory.
  std::map<std::tuple<std::uint32_t, std::string, std::uintptr_t>, std::uint32_t> arrays;
  std::map<std::tuple<std::uint32_t, Space, Access, bool>, std::size_t> totals;
};
Recorder recorder;

std::uint32_t number_in_grid(const Block& block) {
  return static_cast<std::uint32_t>(number_at(block.index, block.grid->extent));
}

bool is_full(std::size_t more) {
  recorder.accesses += more;
  if (recorder.accesses > most_accesses) recorder.trace.complete = false;
  return !recorder.trace.complete;
}

/// Adds a step if there is room for it and its `accesses`.
void add_step(TracedStep step, std::size_t accesses) {
  if (is_full(accesses))
    ++recorder.trace.left_out;
  else
    recorder.trace.steps.push_back(std::move(step));
}

/// Where the grid stands in the trace, from 1 on.
std::uint32_t launch_of(Grid& grid) {
  if (grid.traced != 0) return grid.traced;
  const KernelRecord& r = grid.record;
  const TracedThread& by = grid.launcher;
  recorder.trace.launches.push_back(
      {r.name, r.grid, r.block, r.cluster, r.shared_bytes, r.depth, by.launch - 1, by.block, by.thread});
  recorder.trace.carried |= recorder.host_has_read;
  grid.traced = static_cast<std::uint32_t>(recorder.trace.launches.size());
  if (r.depth > 0) {
    TracedStep step;
    step.kind = TracedStep::Kind::launch;
    step.launch = by.launch - 1;
    step.block = by.block;
    step.first_thread = by.thread / lanes_per_warp * lanes_per_warp;
    step.lanes = 1u << by.thread % lanes_per_warp;
    step.child = grid.traced - 1;
    add_step(std::move(step), 1);
  }
  return grid.traced;
}

std::uint32_t array_of(std::uint32_t launch, std::uintptr_t begin, TracedArray array) {
  const auto [place, is_new] = recorder.arrays.try_emplace(
      {launch, array.name, begin}, static_cast<std::uint32_t>(recorder.trace.arrays.size()));
  if (is_new) recorder.trace.arrays.push_back(std::move(array));
  return place->second;
}

std::vector<std::uint64_t> extents_of(const simt_shared_type& type, std::size_t bytes) {
  if (type.rank < 2 || type.element_size == 0) return {};
  std::vector<std::uint64_t> extents(type.extents, type.extents + std::min(type.rank, 4u));
  std::uint64_t below = type.element_size;
  for (std::size_t d = 1; d < extents.size(); ++d) below *= extents[d];
  if (below == 0) return {};
  extents[0] = bytes / below; // the first one of an array of unknown bound is not there
  return extents;
}

/// The array that holds all of an access, or else the nearest one.
ArrayRange shared_extent(std::uintptr_t address, unsigned bytes) {
  const Block& owner = shared_owner(address);
  const SharedVariable* variable = find_shared_variable(owner, address, bytes);
  if (!variable) variable = nearest_shared_variable(owner, address);
  if (!variable) return {};
  const simt_shared_type* type = variable->type;
  const auto element = static_cast<unsigned>(type ? type->element_size : 0);
  TracedArray array{variable->name, Space::shared, variable->bytes, element,
                    static_cast<unsigned>(variable->offset % line_bytes)};
  if (type) array.extents = extents_of(*type, variable->bytes);
  return {array_of(launch_of(*machine.grid), 0, std::move(array)), number_in_grid(owner),
          owner.shared_base + variable->offset, variable->bytes};
}

/// The allocation that holds the address, or in whose red zone it is; null if there is none.
const Allocation* allocation_near(std::uintptr_t address) {
  if (!in_arena(address)) return nullptr;
  if (const Allocation* allocation = find_allocation(address)) return allocation;
  const Allocation* allocation = nearest_allocation(address);
  const bool is_near = allocation && address + red_zone >= allocation->valid &&
                       address < allocation->valid + allocation->valid_bytes + red_zone;
  return is_near ? allocation : nullptr;
}

ArrayRange global_extent(std::uintptr_t address) {
  if (const Allocation* allocation = allocation_near(address)) {
    const auto element = static_cast<unsigned>(allocation->element_size);
    return {array_of(0, allocation->valid,
                     {allocation->name, Space::global, allocation->valid_bytes, element,
                      static_cast<unsigned>(allocation->valid % line_bytes)}),
            0, allocation->valid, allocation->valid_bytes};
  }
  const Symbol symbol = find_variable(address);
  if (symbol.name.empty()) return {};
  const std::uintptr_t begin = address - symbol.offset;
  return {array_of(0, begin,
                   {symbol.name, Space::global, symbol.bytes, 0, static_cast<unsigned>(begin % line_bytes)}),
          0, begin, symbol.bytes};
}

bool holds(const ArrayRange& extent, std::uintptr_t address) { return address - extent.begin < extent.bytes; }

std::uint32_t site_of(std::uintptr_t site) {
  const auto [place, is_new] =
      recorder.sites.try_emplace(site, static_cast<std::uint32_t>(recorder.trace.sites.size()));
  if (is_new) recorder.trace.sites.push_back(code_address(site));
  return place->second;
}

std::uint32_t barrier_at(SourcePlace place) {
  const auto [known, is_new] =
      recorder.barriers.try_emplace(place, static_cast<std::uint32_t>(recorder.trace.barriers.size()));
  if (is_new) recorder.trace.barriers.push_back(std::move(place));
  return known->second;
}

bool waits_at(const Lane& lane, TracedStep::Scope scope) {
  if (scope == TracedStep::Scope::block) return lane.state == LaneState::at_barrier;
  const int kind = scope == TracedStep::Scope::cluster ? simt_group_cluster : simt_group_grid;
  return lane.state == LaneState::at_group_barrier && lane.wait.kind == kind;
}

/// The sectors that the distinct bytes of these lanes need at least; of atomic operations the bytes of each lane.
unsigned least_sectors(const LogEntry& entry, std::uint32_t lanes) {
  std::set<std::uintptr_t> distinct;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    distinct.insert(entry.address[std::countr_zero(rest)]);
  const std::size_t count =
      entry.access == Access::atomic ? static_cast<std::size_t>(std::popcount(lanes)) : distinct.size();
  return static_cast<unsigned>((count * entry.size + sector_bytes - 1) / sector_bytes);
}

struct Cost {
  unsigned actual = 0, least = 0;
};

/// What count_request() counts, and the least.
Cost cost_and_least(const LogEntry& entry, std::uint32_t lanes) {
  if (lanes == 0 || !has_known_sectors(entry)) return {};
  const RequestCost cost = cost_of(entry, lanes);
  return {cost.actual, entry.space == Space::shared ? cost.ideal : least_sectors(entry, lanes)};
}

TracedTotal& total_of(std::uint32_t site, Space space, Access access, bool remote) {
  const auto [place, is_new] =
      recorder.totals.try_emplace({site, space, access, remote}, recorder.trace.totals.size());
  if (is_new) recorder.trace.totals.push_back({site, space, access, remote});
  return recorder.trace.totals[place->second];
}

void add(TracedTotal& total, unsigned requests, const Cost& cost, unsigned lanes, unsigned size) {
  total.requests += requests;
  total.cost += cost.actual;
  total.least += cost.least;
  total.lanes += lanes;
  total.bytes += std::uint64_t{lanes} * size;
}

void add_total(const LogEntry& entry, std::uint32_t site, std::uint32_t lanes, const Cost& cost,
               bool remote) {
  const SwapLoop loop = remote ? SwapLoop() : swap_loop_of(entry, lanes);
  add(total_of(site, entry.space, entry.access, remote), std::max(loop.rounds, 1u), cost,
      static_cast<unsigned>(std::popcount(lanes)), entry.size);
  if (loop.rounds != 0)
    add(total_of(site, entry.space, Access::read, remote), loop.rounds, {loop.loads.actual, loop.loads.ideal},
        loop.loading_lanes, entry.size);
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

void record_grid(Grid& grid) {
  // Static shared memory shows when threads come to it.
  recorder.trace.launches[launch_of(grid) - 1].shared_bytes = grid.record.shared_bytes;
}

void record_request(const LogEntry& entry) {
  if (entry.unit != Unit::memory) return; // of textures and surfaces there is nothing to draw yet
  const std::uint32_t local = entry.mask & ~remote_lanes(entry);
  const std::uint32_t site = site_of(entry.site);
  const Cost cost = cost_and_least(entry, local);
  if (local != 0) add_total(entry, site, local, cost, false);
  if (local != entry.mask) add_total(entry, site, entry.mask & ~local, {}, true);
  const auto lanes = static_cast<std::size_t>(std::popcount(entry.mask));
  if (is_full(lanes)) {
    ++recorder.trace.left_out;
    return;
  }
  // The lanes of one request may be in several arrays. Those of the block's own come first: their step has the cost.
  bool is_first = true;
  for (std::uint32_t rest = entry.mask; rest != 0;) {
    const int lane = std::countr_zero((rest & local) != 0 ? rest & local : rest);
    const std::uintptr_t address = entry.address[lane];
    const ArrayRange extent =
        entry.space == Space::shared ? shared_extent(address, entry.size) : global_extent(address);
    const bool inside = extent.bytes != 0 && holds(extent, address);
    TracedStep step = step_of(TracedStep::Kind::access, *machine.block, machine.warp->first, 0);
    for (std::uint32_t others = rest; others != 0; others &= others - 1) {
      const int other = std::countr_zero(others);
      // Lanes outside of all arrays stand alone: their nearest ones may differ.
      if (inside ? !holds(extent, entry.address[other]) : other != lane) continue;
      step.lanes |= 1u << other;
      step.offsets.push_back(entry.address[other] - extent.begin);
    }
    rest &= ~step.lanes;
    step.access = entry.access;
    step.bytes = entry.size;
    step.site = site;
    step.array = extent.bytes != 0 ? extent.array : TracedStep::no_array;
    step.outside = !inside;
    step.owner = extent.bytes != 0 ? extent.owner : number_in_grid(*machine.block);
    step.joined = !is_first;
    if (is_first) {
      step.cost = cost.actual;
      step.least = cost.least;
    }
    is_first = false;
    recorder.trace.steps.push_back(std::move(step));
  }
}

void record_barrier(const Block& block, TracedStep::Scope scope, std::uint64_t phase, bool ended) {
  for (const Warp& warp : block.warps) {
    TracedStep step = step_of(TracedStep::Kind::barrier, block, warp.first, 0);
    step.scope = scope;
    step.phase = static_cast<std::uint32_t>(phase);
    step.ended = ended;
    for (unsigned i = warp.size; i-- > 0;) {
      const Lane& lane = block.lanes[warp.first + i];
      if (!waits_at(lane, scope)) continue;
      step.lanes |= 1u << i;
      step.site = barrier_at({lane.wait.file, static_cast<unsigned>(lane.wait.line)});
    }
    if (step.lanes != 0) add_step(std::move(step), 1);
  }
}

void record_exchange(const Block& block, const Warp* warp, std::uint32_t lanes) {
  if (warp)
    add_step(step_of(TracedStep::Kind::exchange, block, warp->first, lanes), 1);
  else
    recorder.trace.carried = true; // a barrier that counts, too rare to be followed
}

TracedThread record_launcher() {
  return {launch_of(*machine.grid), number_in_grid(*machine.block), machine.lane->thread};
}

void record_host_read() { recorder.host_has_read = !recorder.trace.launches.empty(); }

void record_host_write(std::uintptr_t address, std::size_t bytes, TracedStep::Kind kind) {
  recorder.trace.carried |= recorder.host_has_read && kind == TracedStep::Kind::overwritten;
  // What the host writes before the first grid is what the call has been given.
  if (recorder.trace.launches.empty()) return;
  const ArrayRange extent = global_extent(address);
  if (extent.bytes == 0) return;
  TracedStep step;
  step.kind = kind;
  step.launch = static_cast<std::uint32_t>(recorder.trace.launches.size() - 1);
  step.array = extent.array;
  step.offsets = {address - extent.begin, std::min(address - extent.begin + bytes, extent.bytes)};
  add_step(std::move(step), 1);
}

Trace take_trace() {
  const HostCall turn;
  Trace taken = std::move(recorder.trace);
  recorder = {};
  return taken;
}

} // namespace simt
