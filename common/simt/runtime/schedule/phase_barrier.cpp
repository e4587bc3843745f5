#include "simt/runtime/schedule/phase_barrier.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/memory_access.hpp"
#include "simt/runtime/memory/announced.hpp"
#include "simt/runtime/memory/shared_memory.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/schedule/order.hpp"

namespace simt {

namespace {

constexpr std::uint64_t phase_numbers = 16;

PhaseBarrier barrier_at(std::uintptr_t address) {
  PhaseBarrier barrier;
  open_announced(address, sizeof barrier, Access::read);
  std::memcpy(&barrier, reinterpret_cast<const void*>(address), sizeof barrier);
  return barrier;
}

void put(std::uintptr_t address, const PhaseBarrier& barrier) {
  open_announced(address, sizeof barrier, Access::write);
  std::memcpy(reinterpret_cast<void*>(address), &barrier, sizeof barrier);
}

/// An access of the running lane to the object. In shared memory the device has instructions of their own for it, which
/// no counter counts; elsewhere they are atomics.
template <Access Kind>
void use(std::uintptr_t address, std::uintptr_t site) {
  if (!in_shared(address)) {
    machine.exchanging = false;
    return access_memory < 8, Kind, false, Kind == Access::write ? 0 : mark_strong,
           Kind != Access::write > (address, site);
  }
  const std::size_t offset = address - machine.arena;
  if (offset % 8 != 0) misaligned_access(address, 8, Kind, site);
  settle_pending_write();
  machine.exchanging = false;
  if (!is_written<8>(offset)) unwritten_access(address, 8, Kind, site, true);
  check_race<8, Kind>(offset, site);
}

/// The barrier, which the running lane is about to use; ends the grid if it is none.
PhaseBarrier used_barrier(std::uintptr_t address, std::uintptr_t site) {
  const bool is_unwritten = in_shared(address) && !all_written(address, 8) &&
                            find_shared_variable(shared_owner(address), address, 8) != nullptr;
  if (!is_unwritten) use<Access::atomic>(address, site);
  const PhaseBarrier barrier = barrier_at(address);
  if (!is_unwritten && (barrier.expected != 0 || barrier.pending != 0)) return barrier;
  report_access("barrier-not-initialised", address, 8, Access::atomic, site);
  abandon_grid(cudaErrorLaunchFailure);
}

/// For whom an arrival orders: barriers in shared memory are for a block, unless others reach it.
bool is_for_block(std::uintptr_t address, int scope) {
  return scope == simt_scope_block && in_shared(address) && !machine.block->cluster;
}

void end_phase_if_complete(PhaseBarrier& barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0) return;
  barrier.pending = barrier.expected;
  barrier.phase = (barrier.phase + 1) % phase_numbers;
}

/// Whether the lane has made no access to memory since it arrived, as far as the log of its warp tells.
bool waits_at_once(const Lane& lane) {
  const PhaseArrival& arrived = lane.extras().arrived;
  return arrived.mark == machine.mark && arrived.entry == warp_log.previous;
}

PhaseBarrier& tile_barrier(unsigned first, unsigned count) {
  const auto [place, is_new] = machine.block->tiles.try_emplace({first, count}, PhaseBarrier{});
  if (is_new) place->second.expected = place->second.pending = count;
  return place->second;
}

/// The running lane waits until the phase with this number or parity has ended.
void wait_at(std::uintptr_t address, std::uint64_t phase, PhaseWait kind, PhaseOwner owner, bool at_once,
             const char* file, int line) {
  Lane& lane = *machine.lane;
  lane.wait = {.file = file,
               .line = line,
               .kind = owner,
               .result = phase,
               .predicate = at_once,
               .width = kind,
               .value = address};
  lane.state = LaneState::at_phase;
  suspend();
}

bool waits_for(const Lane& lane, std::uintptr_t address) {
  return lane.state == LaneState::at_phase && lane.wait.value == address;
}

} // namespace

bool has_completed(std::uintptr_t address, std::uint64_t phase, int kind) {
  const PhaseBarrier barrier = barrier_at(address);
  return kind == wait_for_parity ? (barrier.phase & 1) != (phase & 1) : barrier.phase != phase;
}

bool release_phases(Block& block) {
  const Lane* first = nullptr;
  bool all_alike = !block.cluster;
  unsigned released = 0;
  for (const Lane& lane : block.lanes) {
    if (lane.state == LaneState::finished) continue;
    if (lane.state == LaneState::at_phase &&
        has_completed(lane.wait.value, lane.wait.result, lane.wait.width)) {
      if (!first) first = &lane;
      ++released;
    }
    all_alike &= first && waits_for(lane, first->wait.value) && lane.wait.predicate != 0;
  }
  if (released == 0) return false;
  all_alike &= released == block.lanes.size();
  if (all_alike) { // as __syncthreads()
    block.epoch = machine.epoch = next_epoch();
    forget_waiting_reads();
    join_block(block);
  }
  for (Lane& lane : block.lanes) {
    if (lane.state != LaneState::at_phase ||
        !has_completed(lane.wait.value, lane.wait.result, lane.wait.width))
      continue;
    if (!all_alike) acquire_for(lane, block, lane.wait.value);
    lane.state = LaneState::ready;
  }
  return true;
}

} // namespace simt

using namespace simt;

extern "C" {

void __simt_barrier_init(void* object, long expected) {
  require_kernel("a cuda::barrier");
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(object);
  use<Access::write>(address, SIMT_SITE);
  PhaseBarrier barrier{};
  barrier.expected = barrier.pending = static_cast<std::uint64_t>(expected);
  put(address, barrier);
}

unsigned long __simt_barrier_arrive(void* object, long count, int what, long bytes, int scope) {
  require_kernel("a cuda::barrier");
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(object);
  complete_copies_for(address);
  pass_fence(is_for_block(address, scope));
  PhaseBarrier barrier = used_barrier(address, SIMT_SITE);
  release_to(address);
  const unsigned long phase = barrier.phase;
  if (static_cast<std::uint64_t>(count) > barrier.pending) {
    report_access("barrier-overrun", address, 8, Access::atomic, SIMT_SITE);
    abandon_grid(cudaErrorLaunchFailure);
  }
  barrier.pending = barrier.pending - static_cast<std::uint64_t>(count);
  barrier.bytes = barrier.bytes + bytes;
  if (what & simt_arrive_drop) barrier.expected = barrier.expected - 1;
  const bool is_last = barrier.pending == 0 && barrier.bytes == 0;
  if (!(what & simt_arrive_hold))
    end_phase_if_complete(barrier);
  else if (is_last) // the completion function, which the thread runs now, comes after all arrivals
    acquire_from(address);
  put(address, barrier);
  machine.lane->change_extras().arrived = {machine.mark, warp_log.previous};
  return is_last ? phase | simt_phase_held : phase;
}

void __simt_barrier_complete(void* object) {
  require_kernel("a cuda::barrier");
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(object);
  pass_fence(false); // what the completion function has done
  release_to(address);
  PhaseBarrier barrier = barrier_at(address);
  end_phase_if_complete(barrier);
  put(address, barrier);
}

bool __simt_barrier_wait(const void* object, unsigned long phase, int by_parity, int tries, const char* file,
                         int line) {
  require_kernel("a cuda::barrier");
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(object);
  const bool at_once = waits_at_once(*machine.lane);
  complete_copies_for(address);
  used_barrier(address, SIMT_SITE);
  const std::uint64_t number = phase & (phase_numbers - 1);
  const PhaseWait kind = by_parity ? wait_for_parity : wait_for_phase;
  if (tries) {
    if (has_completed(address, number, kind)) {
      acquire_from(address);
      return true;
    }
    note_poll(SIMT_SITE, address, number, 0);
    if (!has_completed(address, number, kind)) return false;
    acquire_from(address);
    return true;
  }
  wait_at(address, number, kind, phase_of_object, at_once, file, line);
  return true;
}

unsigned long __simt_tile_arrive(unsigned first, unsigned count) {
  require_kernel("a group of threads");
  PhaseBarrier& barrier = tile_barrier(first, count);
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(&barrier);
  pass_fence(true);
  release_to(address);
  const unsigned long phase = barrier.phase;
  barrier.pending = barrier.pending - 1;
  end_phase_if_complete(barrier);
  machine.lane->change_extras().arrived = {machine.mark, warp_log.previous};
  return phase;
}

void __simt_tile_wait(unsigned first, unsigned count, unsigned long phase, const char* file, int line) {
  require_kernel("a group of threads");
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(&tile_barrier(first, count));
  wait_at(address, phase, wait_for_phase, phase_of_tile, waits_at_once(*machine.lane), file, line);
}

void __simt_tile_put(unsigned long value) {
  require_kernel("a group of threads");
  Block& block = *machine.block;
  if (block.tile_values.empty()) block.tile_values.resize(block.lanes.size());
  block.tile_values[machine.lane->thread] = value;
}

unsigned long __simt_tile_get(unsigned thread) {
  require_kernel("a group of threads");
  const std::vector<std::uint64_t>& values = machine.block->tile_values;
  return thread < values.size() ? values[thread] : 0;
}

} // extern "C"
