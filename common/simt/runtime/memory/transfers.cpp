#include "simt/runtime/memory/transfers.hpp"

#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/machine/simt.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace simt {

namespace {

/// Of a program's threads any may copy, at any time.
std::mutex transfers_guard;

thread_local bool copies_for_caller = false;

struct TransferSpot {
  std::uintptr_t site;
  Crossing direction;
  std::string by;
  auto operator<=>(const TransferSpot&) const = default;
};
struct TransferAmount {
  std::uint64_t bytes = 0, count = 0;
};
std::map<TransferSpot, TransferAmount> amounts;

/// Where host code has last moved bytes, by direction: it does so in loops.
struct LatestSpot {
  std::uintptr_t site = 0;
  TransferAmount* amount = nullptr;
} latest_of_host[2];

/// A copy within the device moves so much at once, or it is one that a kernel should make.
constexpr std::size_t short_copy = 128;
/// What such copies have left in arrays of the caller's.
struct CopiedBytes {
  std::uintptr_t begin;
  std::vector<char> bytes;
  TransferSpot spot;
};
std::vector<CopiedBytes> copied;
constexpr std::size_t most_kept = 256 << 20;
std::size_t kept_of_copies = 0;

// The bytes that have crossed since the last launch, by direction and piece.
constexpr std::uintptr_t piece = 4096;
constexpr std::uintptr_t word_bits = 64;
using PieceBits = std::array<std::uint64_t, piece / word_bits>;
std::unordered_map<std::uintptr_t, PieceBits> crossed_bytes[2];
int mapped_blocks = 0;
std::uint64_t accesses_to_host = 0;

const OnReset forget_transfers([] {
  const std::lock_guard lock(transfers_guard);
  mapped_blocks = 0;
  for (auto& pages : crossed_bytes) pages.clear();
});

void add_to(TransferAmount& amount, std::size_t bytes) {
  amount.bytes += bytes;
  ++amount.count;
}

void add_transfer(Crossing direction, std::size_t bytes, const std::string& by, std::uintptr_t site) {
  if (bytes == 0 || copies_for_caller) return;
  add_to(amounts[{site, direction, by}], bytes);
}

void add_transfer_by_host(Crossing direction, std::size_t bytes, std::uintptr_t site) {
  if (bytes == 0 || copies_for_caller) return;
  LatestSpot& latest = latest_of_host[static_cast<int>(direction)];
  if (latest.site != site || !latest.amount) latest = {site, &amounts[{site, direction, "host code"}]};
  add_to(*latest.amount, bytes);
}

/// How many of these bytes have not crossed in this direction; all have, from now on.
std::size_t cross_bytes(Crossing direction, std::uintptr_t address, std::size_t bytes) {
  auto& pages = crossed_bytes[static_cast<int>(direction)];
  std::size_t fresh = 0;
  for (const std::uintptr_t end = address + bytes; address < end;) {
    PieceBits& known = pages[address / piece];
    for (const std::uintptr_t stop = std::min(end, (address / piece + 1) * piece); address < stop;) {
      const std::uintptr_t first = address % word_bits;
      const std::uintptr_t count = std::min(stop - address, word_bits - first);
      const std::uint64_t mask = ~std::uint64_t{0} >> (word_bits - count) << first;
      std::uint64_t& word = known[address % piece / word_bits];
      fresh += static_cast<std::size_t>(std::popcount(mask & ~word));
      word |= mask;
      address += count;
    }
  }
  return fresh;
}

bool is_of_host(std::uintptr_t address) {
  const Allocation* allocation = in_arena(address) ? find_allocation(address) : nullptr;
  return allocation ? allocation->page_locked : is_pinned(address);
}

} // namespace

void note_copy(Crossing direction, std::size_t bytes, const char* function, std::uintptr_t site) {
  const std::lock_guard lock(transfers_guard);
  add_transfer(direction, bytes, function, site);
}

void note_copy_within(std::uintptr_t to, std::size_t bytes, const char* function, std::uintptr_t site) {
  const std::lock_guard lock(transfers_guard);
  if (copies_for_caller) return;
  const Allocation* allocation = in_arena(to) ? find_allocation(to) : nullptr;
  const bool is_lent = allocation && allocation->lent;
  // From variables kernels read in any order, and of constants no read is counted.
  if (bytes < short_copy || !allocation || (is_lent && kept_of_copies + bytes > most_kept))
    return add_transfer(Crossing::within_device, bytes, function, site);
  if (!is_lent) return;
  const char* const begin = reinterpret_cast<const char*>(to);
  copied.push_back({to, {begin, begin + bytes}, {site, Crossing::within_device, function}});
  kept_of_copies += bytes;
}

void note_host_access(std::uintptr_t address, std::size_t bytes, Access access, std::uintptr_t site) {
  const std::lock_guard lock(transfers_guard);
  // What the host has written itself has not come from the device.
  if (access != Access::read)
    add_transfer_by_host(Crossing::to_device, cross_bytes(Crossing::to_device, address, bytes), site);
  const std::size_t seen = cross_bytes(Crossing::to_host, address, bytes);
  if (access != Access::write) add_transfer_by_host(Crossing::to_host, seen, site);
}

void change_mapped_blocks(int by) {
  const std::lock_guard lock(transfers_guard);
  mapped_blocks += by;
}

bool has_mapped_blocks() { return mapped_blocks > 0; }

void note_kernel_access(const LogEntry& entry) {
  if (entry.space != Space::global) return;
  const std::lock_guard lock(transfers_guard);
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    if (!(entry.mask >> lane & 1) || !is_of_host(entry.address[lane])) continue;
    ++accesses_to_host;
    const auto note = [&](Crossing direction) {
      add_transfer(direction, cross_bytes(direction, entry.address[lane], entry.size),
                   "kernel " + machine.grid->record.name, entry.site);
    };
    if (entry.access != Access::write) note(Crossing::to_device);
    if (entry.access != Access::read) note(Crossing::to_host);
  }
}

std::uint64_t kernel_accesses_to_host() { return accesses_to_host; }

void forget_crossed_bytes() {
  const std::lock_guard lock(transfers_guard);
  for (auto& pages : crossed_bytes) pages.clear();
}

namespace {

/// The words of a copy that are still what it left.
std::size_t unchanged_bytes(const CopiedBytes& copy) {
  constexpr std::size_t word = 4;
  std::size_t same = 0;
  for (std::size_t i = 0; i + word <= copy.bytes.size(); i += word)
    same += std::memcmp(copy.bytes.data() + i, reinterpret_cast<const char*>(copy.begin) + i, word) == 0
                ? word
                : 0;
  return same;
}

/// The function of the program has returned. What kernels work on in place is mostly changed.
void judge_copies() {
  const std::lock_guard lock(transfers_guard);
  for (const CopiedBytes& copy : copied)
    if (const std::size_t same = unchanged_bytes(copy); same > copy.bytes.size() / 2)
      add_to(amounts[copy.spot], same);
  copied.clear();
  kept_of_copies = 0;
}

} // namespace

bool copy_for_caller(bool own) {
  keep_runtime(own);
  fence_memory(!own);
  if (own) judge_copies();
  return std::exchange(copies_for_caller, own);
}

std::vector<Transfer> take_transfers() {
  const std::lock_guard lock(transfers_guard);
  std::ranges::fill(latest_of_host, LatestSpot{});
  std::vector<Transfer> transfers;
  for (const auto& [spot, amount] : std::exchange(amounts, {}))
    transfers.push_back({spot.direction, spot.by, code_address(spot.site), amount.bytes, amount.count});
  return transfers;
}

} // namespace simt
