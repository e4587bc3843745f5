#include "simt/runtime/races/waiting_reads.hpp"

#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/races/race.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace simt {

namespace {

constexpr unsigned half_warp = lanes_per_warp / 2;

/// The offsets of half a warp in the block's window, where they follow each other.
struct Sequence {
  std::uint32_t first = 0;
  std::uint32_t step = 0; ///< modulo 2^32
};

/// A request of which all that matters is where it read.
struct WaitingRequest {
  std::uintptr_t site = 0;
  std::uint32_t mask = 0;
  std::uint32_t size = 0;
  Sequence halves[2];
  std::uint32_t listed = none; ///< else the place of its lanes' offsets, one for each bit of `mask`

  static constexpr std::uint32_t none = ~std::uint32_t{0};
};

/// What a warp has read up to a stop.
struct WaitingRound {
  std::size_t first_thread = 0;
  std::size_t end = 0; ///< of its requests
  unsigned lanes = 0;
  std::array<std::uint8_t, lanes_per_warp> order;      ///< of those lanes
  std::array<std::uint64_t, lanes_per_warp> when = {}; ///< by lane, as stamps tell it
};

// Of one block, since its last barrier.
std::uint32_t epoch = 0;
std::size_t window = 0; ///< the block's, in the arena
std::vector<WaitingRound> rounds;
std::vector<WaitingRequest> requests;
std::vector<std::uint32_t> listed_offsets;

/// Beyond, it is cheaper to leave stamps than to take yet more memory.
constexpr std::size_t most_requests = 1 << 14, most_offsets = 1 << 17;

// The round that runs.
const Warp* running_warp = nullptr;
std::span<const std::uint8_t> running_lanes;

void leave_stamp(std::size_t offset, unsigned size, const Stamp& mine) {
  for (std::size_t word = offset / 4; word <= (offset + size - 1) / 4; ++word)
    keep_read(word_cells[word], mine);
}

void leave_stamps() {
  std::size_t begin = 0;
  for (const WaitingRound& round : rounds) {
    for (unsigned turn = 0; turn < round.lanes; ++turn) {
      const unsigned lane = round.order[turn];
      const std::uint32_t bit = std::uint32_t{1} << lane;
      for (std::size_t i = begin; i < round.end; ++i) {
        const WaitingRequest& request = requests[i];
        if (!(request.mask & bit)) continue;
        const Sequence& half = request.halves[lane / half_warp];
        const std::uint32_t offset =
            request.listed == WaitingRequest::none
                ? half.first + lane % half_warp * half.step
                : listed_offsets[request.listed + std::popcount(request.mask & (bit - 1))];
        leave_stamp(window + offset, request.size,
                    {round.when[lane], request.site << 16 | (round.first_thread + lane)});
      }
    }
    begin = round.end;
  }
  rounds.clear();
  requests.clear();
  listed_offsets.clear();
}

/// Whether each half of the warp reads in even steps, which it does mostly; then these are in `request`.
bool find_sequences(const std::array<std::uint32_t, lanes_per_warp>& offsets, WaitingRequest& request) {
  std::uint32_t differing = 0;
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint32_t* const own = offsets.data() + half * half_warp;
    const Sequence sequence{own[0], own[1] - own[0]};
    for (std::uint32_t i = 0; i < half_warp; ++i) differing |= own[i] ^ (sequence.first + i * sequence.step);
    request.halves[half] = sequence;
  }
  return differing == 0;
}

/// Whether all `size` bytes (at most 16) at the offset in the shared arena, which is aligned to that, have been written.
bool has_been_written(std::size_t offset, unsigned size) {
  std::uint16_t bits;
  std::memcpy(&bits, machine.written + offset / 8, sizeof bits);
  const unsigned wanted = (1u << size) - 1;
  return (bits >> offset % 8 & wanted) == wanted;
}

void keep_request(LogEntry& entry) {
  const std::uintptr_t base = machine.arena + window;
  const bool is_row = entry.row_next != LogEntry::no_place;
  if (is_row) end_row(entry);
  WaitingRequest request{.site = entry.site, .mask = entry.mask, .size = entry.size, .halves = {}};
  if (is_row && entry.is_even) {
    const auto first = static_cast<std::uint32_t>(entry.row_begin - base), step = static_cast<std::uint32_t>(entry.row_step);
    request.halves[0] = {first, step};
    request.halves[1] = {first + half_warp * step, step};
    requests.push_back(request);
    return;
  }
  std::array<std::uint32_t, lanes_per_warp> offsets;
  std::uintptr_t together = 0;
  for (unsigned i = 0; i < lanes_per_warp; ++i) {
    const std::uintptr_t offset = entry.address[i] - base;
    together |= offset;
    offsets[i] = static_cast<std::uint32_t>(offset);
  }
  if (entry.mask == ~std::uint32_t{0} && together < shared_window && find_sequences(offsets, request)) {
    requests.push_back(request);
    return;
  }
  request.listed = static_cast<std::uint32_t>(listed_offsets.size());
  request.mask = 0;
  for (std::uint32_t rest = entry.mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(rest));
    // The same place of the source may access global memory in other lanes, which does not wait.
    if (entry.address[lane] - base >= shared_window) continue;
    request.mask |= rest & -rest;
    listed_offsets.push_back(offsets[lane]);
  }
  requests.push_back(request);
}

} // namespace

void begin_waiting(Block& block, const Warp& warp, std::span<const std::uint8_t> lanes) {
  machine.reads_wait = !block.cluster && block.used_in != block.epoch;
  running_warp = &warp;
  running_lanes = lanes;
  if (epoch == block.epoch) return;
  if (!rounds.empty()) leave_stamps(); // of another block, which may go on later
  epoch = block.epoch;
  window = block.shared_base - machine.arena;
}

void keep_waiting_reads() {
  if (!machine.reads_wait) return;
  const std::size_t before = requests.size();
  for (LogEntry* entry = warp_log.first; entry != &end_of_log; entry = entry->next)
    if (entry->waits) keep_request(*entry);
  if (requests.size() == before) return;
  WaitingRound& round = rounds.emplace_back();
  round.first_thread = running_warp->first;
  round.end = requests.size();
  round.lanes = static_cast<unsigned>(running_lanes.size());
  std::ranges::copy(running_lanes, round.order.begin());
  for (const unsigned lane : running_lanes)
    round.when[lane] = std::uint64_t{epoch} << 32 |
                       stamp_clock(*running_warp, machine.block->lanes[running_warp->first + lane]);
  if (requests.size() > most_requests || listed_offsets.size() > most_offsets) leave_stamps();
}

void end_waiting() {
  keep_waiting_reads();
  leave_stamps();
  machine.reads_wait = false;
  machine.block->used_in = machine.block->epoch;
  for (LogEntry* entry = warp_log.first; entry != &end_of_log; entry = entry->next) {
    entry->waits = entry->may_be_even = false;
    entry->whole_bytes = 0;
  }
}

void forget_waiting_reads() {
  rounds.clear();
  requests.clear();
  listed_offsets.clear();
}

void let_wait(std::uintptr_t address) {
  warp_log.previous->waits = true;
  const Block& block = *machine.block;
  for (SharedVariable& variable : machine.grid->variables) {
    const std::uintptr_t begin = block.shared_base + variable.offset;
    if (address - begin >= variable.bytes) continue;
    // Nothing is written while reads wait.
    if (variable.looked_at_in != block.epoch) {
      variable.looked_at_in = block.epoch;
      variable.is_whole = all_written(begin, variable.bytes);
    }
    if (!variable.is_whole) {
      warp_log.previous->may_be_even = true;
      return;
    }
    warp_log.previous->whole_begin = begin;
    warp_log.previous->whole_bytes = variable.bytes;
    return;
  }
}

void look_for_even_steps() {
  LogEntry& entry = *warp_log.previous;
  entry.may_be_even = false;
  if (running_lanes.size() != lanes_per_warp || entry.mask != 0b11 || warp_log.lane != 1) return;
  const std::uintptr_t begin = entry.address[0], step = entry.address[1] - begin;
  // (Steps may go down: all of this is modulo 2^64.)
  if (begin % entry.size != 0 || step % entry.size != 0) return;
  std::size_t offset = begin - machine.arena;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane, offset += step)
    if (offset - window >= shared_window || !has_been_written(offset, entry.size)) return;
  start_row(entry, begin, step, 2);
}

} // namespace simt
