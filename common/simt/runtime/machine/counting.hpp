// From the addresses of one warp-level request to counters.
#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

namespace simt {

/// What serves a request. Of a fetch of several texels only the first is a `texture`, of elements in a line or of memory with a
/// pitch; of `opaque` ones no sectors are counted.
enum class Unit : std::uint8_t {
  memory,
  linear_texture,
  pitched_texture,
  opaque_texture,
  further_texel,
  surface
};

/// What the device makes of an atomic operation in shared memory (as measured on an H200): one instruction, one for adding the
/// constant 1 to 32 bits, a compare-and-swap, or a loop of loads and compare-and-swaps: of floats, and of 64 bits; `pairs` are two
/// floats of 16 bits each.
enum class AtomicForm : std::uint8_t { increments, plain, swaps, loops, loops_of_pairs };

/// A warp-level request: the same access of several lanes.
struct LogEntry {
  std::uint64_t key = 0; ///< call site, part and kind of the access
  LogEntry* next = nullptr;
  std::uint64_t order = 0; ///< increases along the list
  std::uint32_t mask = 0;
  std::uint8_t size = 0;
  Space space = Space::global;
  Access access = Access::read;
  bool approximate = false;
  bool is_followed = false; ///< `next` is the entry behind this one in memory
  Unit unit = Unit::memory;
  AtomicForm form = AtomicForm::plain; ///< in shared memory, of all lanes the one that comes last in the list
  bool waits = false;            ///< a read whose race check does (see waiting_reads.hpp)
  bool may_be_even = false;      ///< one whose lanes' places are to be looked at when the second comes
  bool is_even = false;          ///< all lanes were in even steps from `row_begin` on; `address` does not have their places
  std::uint16_t site_number = 0; ///< see site_number()
  std::uintptr_t site = 0;
  // Reads of these bytes need no check but for races, and that waits (see waiting_reads.hpp).
  std::uintptr_t whole_begin = 0;
  std::size_t whole_bytes = 0;
  // Of a row, whose lanes' accesses wait with that of lane 0 (see waiting_rows.hpp, and look_for_even_steps()).
  std::uintptr_t row_begin = 0;       ///< where lane 0 is
  std::uintptr_t row_step = 0;        ///< how far it is from each lane to the next
  std::uintptr_t row_next = no_place; ///< where the next lane is if it is in the row, too; no_place: it is not waited for
  std::uint32_t row_lanes = 0;        ///< that have been in it, from lane 0 on; neither `address` nor `mask` knows of them yet
  static constexpr std::uintptr_t no_place = 0x8000'0000'0000'0001; ///< that no pointer has
  std::uintptr_t address[lanes_per_warp] = {}; // so that the log costs nothing until it is used
};

/// Whether its sectors are known: the layout of arrays is the device's own.
inline bool has_known_sectors(const LogEntry& entry) {
  return entry.unit == Unit::memory || entry.unit == Unit::linear_texture ||
         entry.unit == Unit::pitched_texture;
}

/// The lanes that have come so far wait, and those behind them will if they go on in these steps.
inline void start_row(LogEntry& entry, std::uintptr_t begin, std::uintptr_t step, unsigned lanes) {
  entry.row_begin = begin;
  entry.row_step = step;
  entry.row_next = begin + lanes * step;
  entry.row_lanes = lanes;
}

/// Whether the request has this lane's access.
inline bool has_lane(const LogEntry& entry, unsigned lane) {
  return (entry.mask >> lane & 1) != 0 || entry.is_even || lane < entry.row_lanes;
}

/// The row, if there is one, gets no more lanes. Returns those that it has.
std::uint32_t end_row(LogEntry& entry);

/// Writes the places of an even request's lanes to `address`.
void spread(LogEntry& entry);

/// How many lanes are in a mask; mostly it is all of them.
inline unsigned lanes_in(std::uint32_t mask) {
  return mask == ~std::uint32_t{0} ? lanes_per_warp : static_cast<unsigned>(std::popcount(mask));
}

/// Distinct 32-byte chunks that the lanes in `mask` touch with `size` bytes each.
unsigned count_sectors(const std::uintptr_t* address, std::uint32_t mask, unsigned size);

/// Sectors of a global atomic: lanes on the same address are served one after the other, each with its own.
unsigned count_atomic_sectors(const std::uintptr_t* address, std::uint32_t mask, unsigned size);

/// Sectors of a fetch of one texel per lane: the texture unit takes neighbouring lanes together, and what one group has read
/// counts again for the next. A group is four lanes, and eight where elements in a line (`linear`) have up to 8 bytes; as
/// measured on an H200.
unsigned count_texture_sectors(const std::uintptr_t* address, std::uint32_t mask, unsigned size, bool linear);

struct Wavefronts {
  unsigned actual = 0;
  unsigned ideal = 0;
};

/// Passes through the 32 banks of 4 bytes that the lanes need, as an H200 counts them.
///
/// 8-byte accesses go in two groups of lanes and 16-byte accesses in four. Neighbouring groups of a load
/// become one if all active lanes agree in address with their neighbour (lane ^ 1), or all with the next but
/// one (lane ^ 2), as in broadcasts. Within a group every bank serves one word per pass: to any number of
/// lanes, but an atomic update to one lane only, unless it `increments`. Ideal is one pass per group. A compare-and-swap takes
/// two passes for each of one.
Wavefronts count_wavefronts(const std::uintptr_t* address, std::uint32_t mask, unsigned size, Access access,
                            AtomicForm form = AtomicForm::plain);

/// A loop of loads and compare-and-swaps, by which a warp updates words in shared memory.
///
/// Each round is a load and a swap by all lanes that are not done. Of a group of lanes (all, or of 8 bytes each half of the warp) the
/// first one in each bank swaps, unless the group before has just changed its word; the others have to come again. A group takes two
/// passes to swap. Other warps that change these words make for more rounds on a device, which are not counted.
struct SwapLoop {
  unsigned rounds = 0;
  Wavefronts loads, swaps;    ///< ideal: those of one round
  unsigned loading_lanes = 0; ///< of all rounds together
};
SwapLoop count_swap_loop(const std::uintptr_t* address, std::uint32_t mask, unsigned size);
/// The loop that these lanes of a request are; one without rounds if they are none.
SwapLoop swap_loop_of(const LogEntry& entry, std::uint32_t lanes);

/// The lanes of a request by a block of a cluster that access the shared memory of other blocks; none of other requests.
std::uint32_t remote_lanes(const LogEntry& entry);

struct RequestCost {
  unsigned actual = 0; ///< sectors of global memory, wavefronts of shared memory
  unsigned ideal = 0;  ///< of wavefronts only
};
/// What these lanes of a request cost, of which none may be remote.
RequestCost cost_of(const LogEntry& entry, std::uint32_t lanes);

/// Adds a request to the running grid's totals and to its call site's. Lanes that access the shared memory of
/// other blocks are counted apart, and taken out of `entry`.
void count_request(LogEntry& entry);

/// Counters by call site (return addresses), in order of first use.
class SiteTable {
public:
  Counters& operator[](std::uintptr_t site) {
    Recent& recent = recent_[site / 4 % std::size(recent_)];
    if (recent.site != site || site == 0) recent = {site, number_of(site)};
    return counters_[recent.number].second;
  }
  void add(const SiteTable& other) {
    for (const auto& [site, counters] : other.counters_) (*this)[site] += counters;
  }
  std::vector<std::pair<std::uintptr_t, Counters>> take() {
    index_.clear();
    std::fill(std::begin(recent_), std::end(recent_), Recent{});
    return std::exchange(counters_, {});
  }

private:
  struct Recent {
    std::uintptr_t site = 0;
    std::size_t number = 0;
  };

  std::size_t number_of(std::uintptr_t site) {
    auto [position, is_new] = index_.try_emplace(site, counters_.size());
    if (is_new) counters_.emplace_back(site, Counters{});
    return position->second;
  }

  Recent recent_[16]; ///< a look-up for every request would take its time
  std::unordered_map<std::uintptr_t, std::size_t> index_;
  std::vector<std::pair<std::uintptr_t, Counters>> counters_;
};

/// Requests are counted in `sites` from now on; returns the table before. Null stands for one that is always
/// there.
SiteTable* use_sites(SiteTable* sites);

/// The counters of a call site in the table that is in use.
Counters& site_counters(std::uintptr_t site);

/// Takes the counters from the table that is always there.
std::vector<std::pair<std::uintptr_t, Counters>> take_sites();

} // namespace simt
