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
#include <sys/single_threaded.h>
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

constexpr std::uintptr_t piece = 4096;
constexpr std::uintptr_t word_bits = 64;

/// The bytes that have crossed since the last launch, by direction and piece.
class CrossedBytes {
public:
  /// How many of these bytes have not crossed in this direction; all have, from now on.
  std::size_t add(Crossing direction, std::uintptr_t address, std::size_t bytes) {
    std::size_t fresh = 0;
    for_each_word(address, bytes, [&](Word& word, std::uint64_t bits, std::size_t count) {
      fresh += add_bits(word[static_cast<int>(direction)], bits, count);
    });
    return fresh;
  }

  struct Fresh {
    std::size_t to_device = 0, to_host = 0;
  };
  /// The same for what host code writes, or reads: what it has written itself has not come from the device.
  Fresh add(Access access, std::uintptr_t address, std::size_t bytes) {
    Fresh fresh;
    for_each_word(address, bytes, [&](Word& word, std::uint64_t bits, std::size_t count) {
      if (access != Access::read)
        fresh.to_device += add_bits(word[static_cast<int>(Crossing::to_device)], bits, count);
      const std::size_t seen = add_bits(word[static_cast<int>(Crossing::to_host)], bits, count);
      if (access != Access::write) fresh.to_host += seen;
    });
    return fresh;
  }

  void clear() {
    pieces_.clear();
    latest_ = nullptr;
  }

private:
  using Word = std::array<std::uint64_t, 2>; ///< a bit per byte, by direction
  using Words = std::array<Word, piece / word_bits>;

  template <class Function>
  void for_each_word(std::uintptr_t address, std::size_t bytes, Function function) {
    for (const std::uintptr_t end = address + bytes; address < end;) {
      if (!latest_ || address / piece != latest_number_)
        latest_ = &pieces_[latest_number_ = address / piece];
      const std::uintptr_t first = address % word_bits, count = std::min(end - address, word_bits - first);
      function((*latest_)[address % piece / word_bits], ~std::uint64_t{0} >> (word_bits - count) << first,
               count);
      address += count;
    }
  }
  /// `bits` are `count` ones.
  static std::size_t add_bits(std::uint64_t& word, std::uint64_t bits, std::size_t count) {
    const std::uint64_t unknown = bits & ~word;
    word |= bits;
    return unknown == 0 ? 0 : unknown == bits ? count : static_cast<std::size_t>(std::popcount(unknown));
  }

  std::unordered_map<std::uintptr_t, Words> pieces_;
  std::uintptr_t latest_number_ = 0; ///< the same piece is mostly asked for again
  Words* latest_ = nullptr;
} crossed_bytes;
int mapped_blocks = 0;
std::uint64_t accesses_to_host = 0;

void add_to(TransferAmount& amount, std::size_t bytes, std::uint64_t count = 1) {
  amount.bytes += bytes;
  amount.count += count;
}

void add_transfer(Crossing direction, std::size_t bytes, const std::string& by, std::uintptr_t site) {
  if (bytes == 0 || copies_for_caller) return;
  add_to(amounts[{site, direction, by}], bytes);
}

/// Accesses of host code by one line, one behind the other as its loops make them, that are still to be noted.
struct HostRun {
  std::uintptr_t site = 0, begin = 0, end = 0;
  std::size_t bytes = 0; ///< of each access
  Access access = Access::read;
} host_run;

void add_transfer_by_host(Crossing direction, std::size_t bytes, const HostRun& run) {
  if (bytes == 0 || copies_for_caller) return;
  LatestSpot& latest = latest_of_host[static_cast<int>(direction)];
  if (latest.site != run.site || !latest.amount)
    latest = {run.site, &amounts[{run.site, direction, "host code"}]};
  add_to(*latest.amount, bytes, (bytes + run.bytes - 1) / run.bytes);
}

/// Before anything else looks at what has crossed, or adds to it.
void note_host_run() {
  if (host_run.begin == host_run.end) return;
  const HostRun run = std::exchange(host_run, {});
  const auto [to_device, to_host] = crossed_bytes.add(run.access, run.begin, run.end - run.begin);
  add_transfer_by_host(Crossing::to_device, to_device, run);
  add_transfer_by_host(Crossing::to_host, to_host, run);
}

const OnReset forget_transfers([] {
  const std::lock_guard lock(transfers_guard);
  note_host_run();
  mapped_blocks = 0;
  crossed_bytes.clear();
});

bool is_of_host(std::uintptr_t address) {
  const Allocation* allocation = in_arena(address) ? find_allocation(address) : nullptr;
  return allocation ? allocation->page_locked : is_pinned(address);
}

} // namespace

void note_copy(Crossing direction, std::size_t bytes, const char* function, std::uintptr_t site) {
  const std::lock_guard lock(transfers_guard);
  note_host_run();
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
  std::unique_lock lock(transfers_guard, std::defer_lock);
  if (!__libc_single_threaded) lock.lock();
  if (address != host_run.end || site != host_run.site || access != host_run.access || bytes != host_run.bytes) {
    note_host_run();
    host_run = {site, address, address, bytes, access};
  }
  host_run.end += bytes;
}

void change_mapped_blocks(int by) {
  const std::lock_guard lock(transfers_guard);
  mapped_blocks += by;
}

bool has_mapped_blocks() { return mapped_blocks > 0; }

void note_kernel_access(const LogEntry& entry) {
  if (entry.space != Space::global) return;
  const std::lock_guard lock(transfers_guard);
  note_host_run();
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    if (!(entry.mask >> lane & 1) || !is_of_host(entry.address[lane])) continue;
    ++accesses_to_host;
    const auto note = [&](Crossing direction) {
      add_transfer(direction, crossed_bytes.add(direction, entry.address[lane], entry.size),
                   "kernel " + machine.grid->record.name, entry.site);
    };
    if (entry.access != Access::write) note(Crossing::to_device);
    if (entry.access != Access::read) note(Crossing::to_host);
  }
}

std::uint64_t kernel_accesses_to_host() { return accesses_to_host; }

void forget_crossed_bytes() {
  const std::lock_guard lock(transfers_guard);
  note_host_run();
  crossed_bytes.clear();
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

std::uintptr_t caller_stack = 0;

} // namespace

std::uintptr_t stack_of_caller() { return caller_stack; }

bool copy_for_caller(bool own) {
  {
    const std::lock_guard lock(transfers_guard);
    note_host_run();
  }
  caller_stack = own ? 0 : reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  keep_runtime(own);
  fence_memory(!own);
  if (own) judge_copies();
  return std::exchange(copies_for_caller, own);
}

std::vector<Transfer> take_transfers() {
  const std::lock_guard lock(transfers_guard);
  note_host_run();
  std::ranges::fill(latest_of_host, LatestSpot{});
  std::vector<Transfer> transfers;
  for (const auto& [spot, amount] : std::exchange(amounts, {}))
    transfers.push_back({spot.direction, spot.by, code_address(spot.site), amount.bytes, amount.count});
  return transfers;
}

} // namespace simt
