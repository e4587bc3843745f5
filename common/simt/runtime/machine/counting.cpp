#include "simt/runtime/machine/counting.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <span>

namespace simt {

namespace {

constexpr unsigned bank_bytes = 4;
constexpr unsigned banks = 32;

/// Calls visit(lane) for every lane in `mask`, lowest first.
template <class Visit>
void for_each_lane(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}

/// A set of few numbers that are often added in increasing order.
class SmallSet {
public:
  void add(std::uintptr_t value) {
    if (count_ > 0 && value == values_[count_ - 1]) return;
    if (count_ == 0 || value > largest_) {
      largest_ = value;
    } else {
      for (unsigned i = 0; i < count_; ++i)
        if (values_[i] == value) return;
    }
    values_[count_++] = value;
  }
  unsigned size() const { return count_; }

private:
  std::uintptr_t values_[2 * lanes_per_warp];
  std::uintptr_t largest_ = 0;
  unsigned count_ = 0;
};

/// Whether all active lanes that are `distance` (1 or 2) apart within pairs or fours have equal addresses.
bool paired(const std::uintptr_t* address, std::uint32_t mask, unsigned distance) {
  bool equal = true;
  for_each_lane(mask, [&](unsigned lane) {
    unsigned partner = lane ^ distance;
    if ((mask >> partner & 1) && address[partner] != address[lane]) equal = false;
  });
  return equal;
}

/// Whether all lanes of a warp access one place.
bool is_broadcast(const std::uintptr_t* address, std::uint32_t mask) {
  std::uintptr_t differing = 0;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) differing |= address[lane] ^ address[0];
  return mask == ~std::uint32_t{0} && differing == 0;
}

/// Whether all that the lanes access lies within as many words as there are banks: in each bank it is one word at most.
bool is_within_banks(const std::uintptr_t* address, std::uint32_t mask, unsigned size) {
  std::uintptr_t lowest = address[std::countr_zero(mask)], highest = lowest;
  for_each_lane(mask, [&](unsigned lane) {
    lowest = std::min(lowest, address[lane]);
    highest = std::max(highest, address[lane]);
  });
  return (highest + size - 1) / bank_bytes - lowest / bank_bytes < banks;
}

/// The number of passes of a whole warp whose lanes access aligned single words, in either half of it all of them the same or
/// in even steps, the same steps in both: as in the rows and columns of an array, and of tiles half as wide as a warp. It is
/// `distance` from a lane to its neighbour in the other half. 0 where some lanes of the halves share words.
unsigned passes_of_steps(std::uintptr_t step, std::uintptr_t distance, bool served_alone) {
  constexpr unsigned half = lanes_per_warp / 2;
  const std::uintptr_t steps_banks = step / bank_bytes, distance_banks = distance / bank_bytes;
  // A half is in as many banks as its step leaves, in each of them with as many lanes; the other half is in the same
  // banks or in none of them.
  const unsigned factors =
      static_cast<unsigned>(std::min(std::countr_zero(steps_banks), std::countr_zero(banks)));
  const unsigned lanes_in_bank = factors == 0 ? 1 : (half << factors) / banks;
  const bool same_banks =
      factors == 0 ? distance_banks % banks != half : distance_banks % (std::uintptr_t{1} << factors) == 0;
  const unsigned in_step = step == 0 && !served_alone ? 1 : lanes_in_bank;
  if (distance == 0) return served_alone ? 2 * in_step : in_step;
  if (step != 0 && !served_alone) {
    const auto along = static_cast<std::intptr_t>(step), apart = static_cast<std::intptr_t>(distance);
    if (std::abs(apart) < static_cast<std::intptr_t>(half) * std::abs(along) && apart % along == 0) return 0;
  }
  return same_banks ? 2 * in_step : in_step;
}

/// The same of lanes at these addresses; 0 of other requests, too.
unsigned passes_of_steps(const std::uintptr_t* address, bool served_alone) {
  constexpr unsigned half = lanes_per_warp / 2;
  const std::uintptr_t step = address[1] - address[0], distance = address[half] - address[0];
  std::uintptr_t differing = (address[0] | step | distance) % bank_bytes, expected = address[0];
  for (unsigned lane = 0; lane < half; ++lane, expected += step)
    differing |= (address[lane] ^ expected) | (address[lane + half] ^ (expected + distance));
  return differing == 0 ? passes_of_steps(step, distance, served_alone) : 0;
}

/// The largest number of words that any bank has to deliver to the lanes in `mask`: distinct words, or each
/// lane's if lanes are `served_alone`.
unsigned passes(const std::uintptr_t* address, std::uint32_t mask, unsigned size, bool served_alone) {
  if (mask == ~std::uint32_t{0} && size == bank_bytes) // most are
    if (const unsigned known = passes_of_steps(address, served_alone)) return known;
  if (!served_alone && is_within_banks(address, mask, size)) return 1;
  std::uint32_t used_banks = 0;
  std::uintptr_t first_word[banks];
  bool simple = true;
  auto for_each_word = [&](auto visit) {
    for_each_lane(mask, [&](unsigned lane) {
      std::uintptr_t last = (address[lane] + size - 1) / bank_bytes;
      for (std::uintptr_t word = address[lane] / bank_bytes; word <= last; ++word) visit(word);
    });
  };
  for_each_word([&](std::uintptr_t word) {
    unsigned bank = word % banks;
    if (!(used_banks >> bank & 1)) {
      used_banks |= 1u << bank;
      first_word[bank] = word;
    } else if (first_word[bank] != word || served_alone) {
      simple = false;
    }
  });
  if (simple) return 1;

  std::uintptr_t words[4 * lanes_per_warp];
  unsigned count = 0;
  for_each_word([&](std::uintptr_t word) { words[count++] = word; });
  std::sort(words, words + count);
  if (!served_alone) count = static_cast<unsigned>(std::unique(words, words + count) - words);
  unsigned in_bank[banks] = {};
  unsigned most = 0;
  for (unsigned i = 0; i < count; ++i) most = std::max(most, ++in_bank[words[i] % banks]);
  return most;
}

} // namespace

unsigned count_sectors(const std::uintptr_t* address, std::uint32_t mask, unsigned size) {
  if (mask == ~std::uint32_t{0} && address[0] % sector_bytes == 0) {
    // Neighbours in their order, as they should be.
    std::uintptr_t differing = 0, expected = address[0];
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane, expected += size)
      differing |= address[lane] ^ expected;
    if (differing == 0) return lanes_per_warp * size / sector_bytes;
  }
  SmallSet sectors;
  for_each_lane(mask, [&](unsigned lane) {
    sectors.add(address[lane] / sector_bytes);
    sectors.add((address[lane] + size - 1) / sector_bytes);
  });
  return sectors.size();
}

unsigned count_atomic_sectors(const std::uintptr_t* address, std::uint32_t mask, unsigned size) {
  unsigned sectors = 0;
  while (mask != 0) {
    // One round serves the first waiting lane of every address.
    SmallSet served;
    std::uint32_t round = 0;
    for_each_lane(mask, [&](unsigned lane) {
      unsigned before = served.size();
      served.add(address[lane]);
      if (served.size() != before) round |= 1u << lane;
    });
    sectors += count_sectors(address, round, size);
    mask &= ~round;
  }
  return sectors;
}

unsigned count_texture_sectors(const std::uintptr_t* address, std::uint32_t mask, unsigned size,
                               bool linear) {
  const unsigned lanes = linear && size <= 8 ? 8 : 4;
  const std::uint32_t first = (1u << lanes) - 1;
  unsigned sectors = 0;
  for (unsigned begin = 0; begin < lanes_per_warp; begin += lanes)
    sectors += count_sectors(address, mask & first << begin, size);
  return sectors;
}

Wavefronts count_wavefronts(const std::uintptr_t* address, std::uint32_t mask, unsigned size, Access access,
                            AtomicForm form) {
  Wavefronts result;
  const bool served_alone = access == Access::atomic && form != AtomicForm::increments;
  const unsigned turns = form == AtomicForm::swaps ? 2 : 1;
  auto add_group = [&](std::uint32_t active) {
    if (active == 0) return;
    result.actual += turns * passes(address, active, size, served_alone);
    result.ideal += turns;
  };
  if (size <= 4) {
    add_group(mask);
    return result;
  }
  // In units of two groups: the whole warp for 8 bytes, each half of it for 16 bytes.
  unsigned units = size <= 8 ? 1 : 2, lanes = lanes_per_warp / units / 2;
  if (access == Access::read && is_broadcast(address, mask)) return {units, units};
  bool merges = access == Access::read && (paired(address, mask, 1) || paired(address, mask, 2));
  std::uint32_t group = (1u << lanes) - 1;
  for (unsigned unit = 0; unit < units; ++unit) {
    std::uint32_t low = mask & group << (2 * unit * lanes), high = mask & group << ((2 * unit + 1) * lanes);
    if (merges) {
      add_group(low | high);
    } else {
      add_group(low);
      add_group(high);
    }
  }
  return result;
}

SwapLoop count_swap_loop(const std::uintptr_t* address, std::uint32_t mask, unsigned size) {
  constexpr unsigned passes_of_swap = 2;
  const std::uint32_t halves[] = {0xffff, 0xffff0000}, whole[] = {~std::uint32_t{0}};
  const std::span<const std::uint32_t> groups =
      size <= bank_bytes ? std::span<const std::uint32_t>(whole) : halves;
  SwapLoop loop;
  while (mask != 0) {
    const Wavefronts loads = count_wavefronts(address, mask, size, Access::read);
    unsigned swaps = 0;
    std::uint32_t done = 0;
    for (const std::uint32_t group : groups) {
      if ((mask & group) == 0) continue;
      swaps += passes_of_swap;
      const std::uint32_t done_before = done;
      std::uint32_t used_banks = 0;
      for_each_lane(mask & group, [&](unsigned lane) {
        const std::uint32_t needed = (size > bank_bytes ? 3u : 1u) << (address[lane] / bank_bytes % banks);
        if ((used_banks & needed) != 0) return;
        used_banks |= needed;
        bool is_changed = false;
        for_each_lane(done_before, [&](unsigned other) { is_changed |= address[other] == address[lane]; });
        if (!is_changed) done |= 1u << lane;
      });
    }
    if (loop.rounds++ == 0) {
      loop.loads.ideal = loads.ideal;
      loop.swaps.ideal = swaps;
    }
    loop.loads.actual += loads.actual;
    loop.swaps.actual += swaps;
    loop.loading_lanes += lanes_in(mask);
    mask &= ~done;
  }
  return loop;
}

SwapLoop swap_loop_of(const LogEntry& entry, std::uint32_t lanes) {
  return entry.form >= AtomicForm::loops ? count_swap_loop(entry.address, lanes, entry.size) : SwapLoop();
}

namespace {

SiteTable own_sites;
SiteTable* counted_sites = &own_sites;

void add(Counters& counters, const LogEntry& entry, unsigned cost, unsigned ideal) {
  const unsigned lanes = lanes_in(entry.mask);
  const Traffic& traffic = traffic_of(entry.space, entry.access);
  counters.*traffic.requests += 1;
  counters.*traffic.cost += cost;
  counters.*traffic.bytes += lanes * entry.size;
  counters.*traffic.lanes += lanes;
  if (traffic.ideal) counters.*traffic.ideal += ideal;
  counters.approximate += entry.approximate;
}

void add_texels(Counters& counters, const LogEntry& entry, unsigned sectors) {
  const auto lanes = lanes_in(entry.mask);
  if (entry.unit == Unit::surface) {
    const bool reads = entry.access == Access::read;
    (reads ? counters.surface_load_requests : counters.surface_store_requests) += 1;
    (reads ? counters.surface_load_lanes : counters.surface_store_lanes) += lanes;
  } else {
    counters.texture_requests += 1;
    counters.texture_lanes += lanes;
    if (has_known_sectors(entry)) {
      counters.texture_linear_requests += 1;
      counters.texture_linear_sectors += sectors;
      counters.texture_linear_bytes += lanes * entry.size;
    }
  }
  counters.approximate += entry.approximate;
}

struct RemoteFields {
  std::uint64_t Counters::*requests;
  std::uint64_t Counters::*accesses;
};

constexpr RemoteFields remote_fields[] = {
    {&Counters::remote_shared_load_requests, &Counters::remote_shared_loads},
    {&Counters::remote_shared_store_requests, &Counters::remote_shared_stores},
    {&Counters::remote_shared_atomic_requests, &Counters::remote_shared_atomics},
};

/// Takes the lanes that access other blocks' shared memory out of a request, and counts them.
void count_remote_lanes(LogEntry& entry) {
  const std::uint32_t remote = remote_lanes(entry);
  if (remote == 0) return;
  entry.mask &= ~remote;
  const RemoteFields& field = remote_fields[static_cast<int>(entry.access)];
  auto add_to = [&](Counters& counters) {
    counters.*field.requests += 1;
    counters.*field.accesses += lanes_in(remote);
  };
  add_to(machine.totals);
  if (machine.options.sites) add_to((*counted_sites)[entry.site]);
}

} // namespace

std::uint32_t remote_lanes(const LogEntry& entry) {
  std::uint32_t remote = 0;
  if (entry.space != Space::shared || !machine.block || !machine.block->cluster) return remote;
  for_each_lane(entry.mask, [&](unsigned lane) {
    if (entry.address[lane] - machine.block->shared_base >= shared_window) remote |= 1u << lane;
  });
  return remote;
}

namespace {

/// What a loop has beside one atomic request: its loads, and the requests of later rounds.
void add_rounds(Counters& counters, const LogEntry& entry, const SwapLoop& loop) {
  counters.shared_atomic_requests += loop.rounds - 1;
  counters.shared_load_requests += loop.rounds;
  counters.shared_load_wavefronts += loop.loads.actual;
  counters.shared_load_ideal_wavefronts += loop.loads.ideal;
  counters.shared_load_lanes += loop.loading_lanes;
  counters.shared_load_bytes += std::uint64_t{loop.loading_lanes} * entry.size;
}

} // namespace

namespace {

/// The same as cost_of(), of the loop that these lanes are.
RequestCost cost_with(const SwapLoop& loop, const LogEntry& entry, std::uint32_t lanes) {
  if (entry.space == Space::shared) {
    const Wavefronts wavefronts =
        loop.rounds != 0 ? loop.swaps
                         : count_wavefronts(entry.address, lanes, entry.size, entry.access, entry.form);
    // For pairs the device asks first whether it can add them at the address in another way.
    const unsigned question = entry.form == AtomicForm::loops_of_pairs ? 1 : 0;
    return {wavefronts.actual + question, wavefronts.ideal + question};
  }
  if (entry.access == Access::atomic) return {count_atomic_sectors(entry.address, lanes, entry.size), 0};
  if (!has_known_sectors(entry)) return {};
  if (entry.unit != Unit::memory)
    return {count_texture_sectors(entry.address, lanes, entry.size, entry.unit == Unit::linear_texture), 0};
  return {count_sectors(entry.address, lanes, entry.size), 0};
}

/// Writes the places of the first `lanes` lanes of the row.
void fill_addresses(LogEntry& entry, unsigned lanes) {
  std::uintptr_t address = entry.row_begin;
  for (unsigned lane = 0; lane < lanes; ++lane, address += entry.row_step) entry.address[lane] = address;
}

/// The same as cost_of(), mostly without a look at each lane.
RequestCost cost_of_even(LogEntry& entry) {
  // A row of global memory is aligned to its size.
  if (entry.space == Space::global) return {lanes_per_warp * entry.size / sector_bytes, 0};
  if (entry.size == bank_bytes)
    if (const unsigned known = passes_of_steps(entry.row_step, lanes_per_warp / 2 * entry.row_step, false)) return {known, 1};
  spread(entry);
  return cost_with({}, entry, entry.mask); // a row is of loads or stores
}

} // namespace

RequestCost cost_of(const LogEntry& entry, std::uint32_t lanes) {
  return cost_with(swap_loop_of(entry, lanes), entry, lanes);
}

std::uint32_t end_row(LogEntry& entry) {
  const unsigned lanes = std::exchange(entry.row_lanes, 0);
  entry.row_next = LogEntry::no_place;
  if (lanes == lanes_per_warp) {
    entry.is_even = true;
    return entry.mask = ~std::uint32_t{0};
  }
  fill_addresses(entry, lanes);
  const std::uint32_t there = (std::uint32_t{1} << lanes) - 1;
  entry.mask |= there;
  return there;
}

void spread(LogEntry& entry) {
  if (entry.is_even) fill_addresses(entry, lanes_per_warp);
  entry.is_even = false;
}

void count_request(LogEntry& entry) {
  count_remote_lanes(entry);
  if (entry.mask == 0) return;
  if (entry.unit == Unit::further_texel) return;
  const SwapLoop loop = swap_loop_of(entry, entry.mask);
  const RequestCost cost = entry.is_even ? cost_of_even(entry) : cost_with(loop, entry, entry.mask);
  if (entry.unit != Unit::memory) {
    add_texels(machine.totals, entry, cost.actual);
    if (machine.options.sites) add_texels((*counted_sites)[entry.site], entry, cost.actual);
    return;
  }
  const auto add_to = [&](Counters& counters) {
    add(counters, entry, cost.actual, cost.ideal);
    if (loop.rounds != 0) add_rounds(counters, entry, loop);
  };
  add_to(machine.totals);
  if (machine.options.sites) add_to((*counted_sites)[entry.site]);
}

Counters& site_counters(std::uintptr_t site) { return (*counted_sites)[site]; }

SiteTable* use_sites(SiteTable* table) { return std::exchange(counted_sites, table ? table : &own_sites); }

std::vector<std::pair<std::uintptr_t, Counters>> take_sites() { return own_sites.take(); }

} // namespace simt
