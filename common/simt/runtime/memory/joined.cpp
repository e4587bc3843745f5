#include "simt/runtime/memory/joined.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace simt {

namespace {

constexpr std::size_t widest_access = 16;

/// What a parameter points to, or a variable in shared memory.
struct Objects {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;   ///< of all
  std::size_t size = 0;    ///< of one
  std::size_t aligned = 0; ///< to so many bytes by their type
  bool restricted = false;
};
std::vector<Objects> of_parameters, of_block;
bool has_objects = false; ///< of parameters

/// Those that begin last before it.
const Objects* objects_at(Space space, std::uintptr_t address) {
  const Objects* found = nullptr;
  for (const Objects& each : space == Space::shared ? of_block : of_parameters)
    if (address - each.begin < each.bytes && (!found || found->begin < each.begin)) found = &each;
  return found;
}

/// The variables of the running block: no two share memory.
void look_for_variables() {
  of_block.clear();
  for (const SharedVariable& each : machine.grid->variables)
    of_block.push_back({machine.block->shared_base + each.offset, each.bytes, each.type->element_size,
                        each.type->element_aligned, true});
}

/// A part of an object that may be accessed as a whole, and the accesses of the same lanes to it that make one or a few.
struct Slot {
  const LogEntry* first = nullptr;
  unsigned first_part = 0;  ///< of all lanes
  std::uintptr_t begin = 0; ///< of the first lane
  const Objects* objects = nullptr;
  std::size_t bytes = 0;
  // Parts of the size of an access, from bit 0 on: those that are accessed, and of loads those that a store may have changed since.
  std::uint32_t present = 0, changed = 0;
  std::vector<std::uintptr_t> sites; ///< of its accesses
};

std::array<Slot, 16> slots;
std::size_t open = 0; ///< of them

unsigned first_lane(const LogEntry& entry) { return static_cast<unsigned>(std::countr_zero(entry.mask)); }

/// Whether a number is 0 for each lane; of a whole warp without a branch.
template <typename Number>
bool is_zero_for_all(std::uint32_t mask, const Number& number_of) {
  std::uintptr_t differing = 0;
  if (mask == ~std::uint32_t{0})
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) differing |= number_of(lane);
  else
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
      differing |= number_of(static_cast<unsigned>(std::countr_zero(rest)));
  return differing == 0;
}

struct Joining {
  unsigned wide = 0, single = 0; ///< accesses
  unsigned bytes = 0;            ///< of a wide one
};

/// What its parts make. A load may take more than is asked for: three parts of four are one, if the first is among them, and in
/// shared memory any three words. A store writes what is there.
Joining joining_of(const Slot& slot) {
  const unsigned size = slot.first->size, bytes = static_cast<unsigned>(slot.bytes), parts = bytes / size;
  const auto count = static_cast<unsigned>(std::popcount(slot.present));
  if (count == parts) return {1, 0, bytes};
  if (slot.first->access == Access::read && parts == 4) {
    const bool has_first = (slot.present & 1) != 0;
    if (count >= 3 && (has_first || (slot.first->space == Space::shared && size >= 4))) return {1, 0, bytes};
    if (has_first && size < 4 && slot.present >= 4) return {1, 0, bytes};
  }
  unsigned pairs = 0;
  for (std::uint32_t pair = 3; pair < 1u << parts; pair <<= 2) pairs += (slot.present & pair) == pair;
  return {pairs, count - 2 * pairs, 2 * size};
}

/// Parts of one site are elements that a loop goes through, which a compiler knows of no alignment.
bool have_sites_of_their_own(const Slot& slot) {
  std::vector<std::uintptr_t> sites = slot.sites;
  std::ranges::sort(sites);
  return std::cmp_greater_equal(std::ranges::unique(sites).begin() - sites.begin(),
                                std::popcount(slot.present));
}

/// What is one access on a device has to be aligned as a whole there.
void check_aligned(const Slot& slot, const Joining& joining) {
  if (slot.objects->begin % joining.bytes == 0 || joining.wide == 0 || !have_sites_of_their_own(slot)) return;
  const LogEntry& first = *slot.first;
  const unsigned lane = first_lane(first);
  report_joined(machine.block->lanes[machine.warp->first + lane], first.address[lane], first.size,
                first.access, first.site, joining.bytes, slot.objects->aligned);
}

/// What each of the slot's accesses costs if it is one of `bytes`: all parts of it lie in the same sectors, and in as many banks.
RequestCost cost_of_each(const Slot& slot, unsigned bytes) {
  const LogEntry& first = *slot.first;
  if (first.space == Space::global) return {count_sectors(first.address, first.mask, first.size), 0};
  std::uintptr_t begins[lanes_per_warp];
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
    begins[lane] = first.address[lane] - slot.first_part * first.size;
  const Wavefronts wavefronts = count_wavefronts(begins, first.mask, bytes, first.access);
  return {wavefronts.actual, wavefronts.ideal};
}

/// Takes these off, and puts those on.
void take_off(Counters& counters, const Traffic& traffic, std::uint64_t requests, const RequestCost& off,
              const RequestCost& on = {}) {
  counters.*traffic.joined_requests += requests;
  counters.*traffic.joined_cost += std::uint64_t{off.actual} - on.actual;
  if (traffic.joined_ideal) counters.*traffic.joined_ideal += std::uint64_t{off.ideal} - on.ideal;
}

/// The accesses that came first are those that are made, and the wide ones among these.
void close(std::size_t i) {
  Slot& slot = slots[i];
  const Joining joining = joining_of(slot);
  const std::size_t made = joining.wide + joining.single;
  if (slot.sites.size() > made) {
    check_aligned(slot, joining);
    const Traffic& traffic = traffic_of(slot.first->space, slot.first->access);
    const RequestCost single = cost_of_each(slot, slot.first->size);
    const bool may_differ = slot.first->space == Space::shared && joining.wide != 0;
    const RequestCost wide = may_differ ? cost_of_each(slot, joining.bytes) : single;
    const auto add_to = [&](Counters& counters, bool is_made) {
      is_made ? take_off(counters, traffic, 0, single, wide) : take_off(counters, traffic, 1, single);
    };
    for (std::size_t k = 0; k < slot.sites.size(); ++k) {
      const bool is_made = k < made;
      if (is_made && (!may_differ || k >= joining.wide)) continue;
      add_to(machine.totals, is_made);
      if (machine.options.sites) add_to(site_counters(slot.sites[k]), is_made);
    }
  }
  slot.sites.clear();
  std::swap(slot, slots[--open]);
}

/// The parts of the slot that `entry`, which goes to `objects` if they are known, may be for all that a compiler knows. An access of
/// another size is of another type, which is elsewhere; so is another member of the same type.
std::uint32_t parts_hit(const LogEntry& entry, const Objects* objects, const Slot& slot) {
  const std::size_t size = slot.first->size;
  if (entry.size != size || entry.space != slot.first->space) return 0;
  const Objects& here = *slot.objects;
  if (objects != &here && (here.restricted || (objects && objects->restricted))) return 0;
  if (!objects || objects->aligned != here.aligned || objects->size != here.size || here.size == 0)
    return ~0u;
  const std::uintptr_t begin = (slot.first->address[first_lane(*slot.first)] - here.begin) % here.size;
  std::uint32_t hit = 0;
  for (std::uint32_t rest = entry.mask; rest != 0; rest &= rest - 1) {
    const std::uintptr_t address = entry.address[std::countr_zero(rest)];
    const std::uintptr_t offset = (address - objects->begin) % here.size - begin / slot.bytes * slot.bytes;
    if (offset < slot.bytes) hit |= 1u << offset / size;
  }
  return hit;
}

/// Whether the access is to a further part of the slot, or again to one that is as it was.
bool belongs(const LogEntry& entry, unsigned part, const Slot& slot) {
  const LogEntry& first = *slot.first;
  const std::uintptr_t distance = (std::uintptr_t{part} - slot.first_part) * entry.size; // modulo 2^64
  return entry.access == first.access && entry.space == first.space && entry.size == first.size &&
         entry.mask == first.mask && (slot.changed >> part & 1) == 0 &&
         is_zero_for_all(entry.mask, [&](unsigned each) {
           return (entry.address[each] - first.address[each]) ^ distance;
         });
}

/// Null for an access that is not to the same part of all lanes' objects.
Slot* slot_for(const LogEntry& entry, unsigned part, const Objects& objects, std::size_t bytes) {
  const std::uintptr_t offset = std::uintptr_t{part} * entry.size,
                       begin = entry.address[first_lane(entry)] - offset;
  for (std::size_t i = 0; i < open; ++i)
    if (slots[i].begin == begin && belongs(entry, part, slots[i])) return &slots[i];
  if (!is_zero_for_all(entry.mask, [&](unsigned lane) {
        return ((entry.address[lane] - objects.begin) & (bytes - 1)) ^ offset;
      }))
    return nullptr;
  if (open == slots.size()) close(0);
  Slot& slot = slots[open++];
  slot.first = &entry;
  slot.first_part = part;
  slot.begin = begin;
  slot.objects = &objects;
  slot.bytes = bytes;
  slot.present = slot.changed = 0;
  return &slot;
}

void join(const LogEntry& entry) {
  const std::uintptr_t address = entry.address[first_lane(entry)];
  const Objects* const objects = objects_at(entry.space, address);
  for (std::size_t i = open; i-- > 0;) {
    const bool is_load = slots[i].first->access == Access::read;
    if (is_load && entry.access == Access::read) continue;
    const std::uint32_t hit = parts_hit(entry, objects, slots[i]);
    if (is_load)
      slots[i].changed |= hit;
    else if (objects != slots[i].objects && (hit & slots[i].present) != 0)
      close(i);
  }
  if (!objects) return;
  const std::size_t bytes = std::min({objects->aligned, widest_access, std::size_t{4} * entry.size});
  if (bytes <= entry.size) return;
  const auto part = static_cast<unsigned>(((address - objects->begin) & (bytes - 1)) / entry.size);
  Slot* const slot = slot_for(entry, part, *objects, bytes);
  if (!slot) return;
  slot->present |= 1u << part;
  slot->sites.push_back(entry.site);
}

} // namespace

void note_joinable(std::span<const simt_argument> arguments, unsigned long long restricted) {
  of_parameters.clear();
  has_objects = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const simt_argument& argument = arguments[i];
    if (argument.kind != simt_pointer) continue;
    const auto address = static_cast<std::uintptr_t>(argument.bits);
    const Allocation* const allocation = find_allocation(address);
    if (!allocation) continue;
    of_parameters.push_back({address, allocation->valid + allocation->valid_bytes - address, argument.pointed,
                             argument.aligned, i < 64 && (restricted >> i & 1) != 0});
    has_objects |= argument.aligned > 1;
  }
}

bool may_join() { return has_objects || machine.grid->has_classes; }

void count_joined(const LogEntry* first, const LogEntry* end) {
  const bool joins_shared = machine.grid->has_classes;
  if (joins_shared) look_for_variables();
  for (const LogEntry* entry = first; entry != end; entry = entry->next) {
    if (entry->access == Access::atomic)
      while (open != 0) close(open - 1);
    else if (entry->unit == Unit::memory && entry->mask != 0 &&
             (entry->space == Space::global ? has_objects : joins_shared && remote_lanes(*entry) == 0))
      join(*entry);
  }
  while (open != 0) close(open - 1);
}

} // namespace simt
