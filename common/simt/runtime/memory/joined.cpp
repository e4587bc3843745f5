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

/// What a parameter points to.
struct Objects {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;   ///< of all
  std::size_t size = 0;    ///< of one
  std::size_t aligned = 0; ///< to so many bytes by their type
  bool restricted = false;
};
std::vector<Objects> parameters;
bool has_objects = false;

/// Those that begin last before it.
const Objects* objects_at(std::uintptr_t address) {
  const Objects* found = nullptr;
  for (const Objects& each : parameters)
    if (address - each.begin < each.bytes && (!found || found->begin < each.begin)) found = &each;
  return found;
}

/// A part of an object that may be accessed as a whole, and the accesses of the same lanes to it that make one or a few.
struct Slot {
  const LogEntry* first = nullptr;
  const Objects* objects = nullptr;
  std::size_t bytes = 0;
  // Parts of the size of an access, from bit 0 on: those that are accessed, and of loads those that a store may have changed since.
  std::uint32_t present = 0, changed = 0;
  std::vector<std::uintptr_t> sites; ///< of its accesses
};

std::array<Slot, 16> slots;
std::size_t open = 0; ///< of them

unsigned first_lane(const LogEntry& entry) { return static_cast<unsigned>(std::countr_zero(entry.mask)); }

template <typename Holds>
bool holds_for_all(std::uint32_t mask, const Holds& holds) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    if (!holds(static_cast<unsigned>(std::countr_zero(rest)))) return false;
  return true;
}

struct Joining {
  unsigned accesses = 0;
  std::size_t bytes = 0; ///< of the widest
};

/// What its parts make. A load may take more than is asked for: three parts of four are one, if the first is among them.
/// A store writes what is there.
Joining joining_of(const Slot& slot) {
  const unsigned size = slot.first->size, parts = static_cast<unsigned>(slot.bytes / size);
  const auto count = static_cast<unsigned>(std::popcount(slot.present));
  if (count == parts) return {1, slot.bytes};
  if (slot.first->access == Access::read && parts == 4 && (slot.present & 1) != 0 &&
      (count >= 3 || (size < 4 && slot.present >= 4)))
    return {1, slot.bytes};
  unsigned pairs = 0;
  for (std::uint32_t pair = 3; pair < 1u << parts; pair <<= 2) pairs += (slot.present & pair) == pair;
  return {count - pairs, pairs != 0 ? 2 * size : size};
}

/// Parts of one site are elements that a loop goes through, which a compiler knows of no alignment.
bool have_sites_of_their_own(const Slot& slot) {
  std::vector<std::uintptr_t> sites = slot.sites;
  std::ranges::sort(sites);
  return std::cmp_greater_equal(std::ranges::unique(sites).begin() - sites.begin(),
                                std::popcount(slot.present));
}

/// What is one access on a device has to be aligned as a whole there.
void check_aligned(const Slot& slot, std::size_t bytes) {
  if (slot.objects->begin % bytes == 0 || bytes == slot.first->size || !have_sites_of_their_own(slot)) return;
  const LogEntry& first = *slot.first;
  const unsigned lane = first_lane(first);
  report_joined(machine.block->lanes[machine.warp->first + lane], first.address[lane], first.size,
                first.access, first.site, bytes, slot.objects->aligned);
}

void add(Counters& counters, Access access, std::uint64_t requests, std::uint64_t sectors) {
  const Traffic& traffic = traffic_of(Space::global, access);
  counters.*traffic.joined_requests += requests;
  counters.*traffic.joined_cost += sectors;
}

/// What was joined there is counted at the call sites of those that came last.
void close(std::size_t i) {
  Slot& slot = slots[i];
  const Access access = slot.first->access;
  const auto [accesses, bytes] = joining_of(slot);
  const std::size_t joined = slot.sites.size() - accesses;
  if (joined != 0) {
    check_aligned(slot, bytes);
    const std::uint64_t sectors = count_sectors(slot.first->address, slot.first->mask, slot.first->size);
    add(machine.totals, access, joined, joined * sectors);
    if (machine.options.sites)
      for (std::size_t k = slot.sites.size() - joined; k < slot.sites.size(); ++k)
        add(site_counters(slot.sites[k]), access, 1, sectors);
  }
  slot.sites.clear();
  std::swap(slot, slots[--open]);
}

/// The parts of the slot that `entry`, which goes to `objects` if they are known, may be for all that a compiler knows. An access of
/// another size is of another type, which is elsewhere; so is another member of the same type.
std::uint32_t parts_hit(const LogEntry& entry, const Objects* objects, const Slot& slot) {
  const std::size_t size = slot.first->size;
  if (entry.size != size) return 0;
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

/// Where the lane's access begins, from the first of the objects on.
std::uintptr_t offset_in(const Objects& objects, const LogEntry& entry, unsigned lane) {
  return entry.address[lane] - objects.begin;
}

/// Whether the access is to a further part of the slot, or again to one that is as it was.
bool belongs(const LogEntry& entry, std::uintptr_t part, const Slot& slot) {
  const LogEntry& first = *slot.first;
  return entry.access == first.access && entry.size == first.size && entry.mask == first.mask &&
         (slot.changed >> part & 1) == 0 && holds_for_all(entry.mask, [&](unsigned lane) {
           const std::uintptr_t offset = offset_in(*slot.objects, entry, lane);
           return offset / slot.bytes == offset_in(*slot.objects, first, lane) / slot.bytes &&
                  offset % slot.bytes / entry.size == part;
         });
}

Slot& slot_for(const LogEntry& entry, std::uintptr_t part, const Objects& objects, std::size_t bytes) {
  for (std::size_t i = 0; i < open; ++i)
    if (belongs(entry, part, slots[i])) return slots[i];
  if (open == slots.size()) close(0);
  Slot& slot = slots[open++];
  slot.first = &entry;
  slot.objects = &objects;
  slot.bytes = bytes;
  slot.present = slot.changed = 0;
  return slot;
}

void join(const LogEntry& entry) {
  const std::uintptr_t address = entry.address[first_lane(entry)];
  const Objects* const objects = objects_at(address);
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
  const std::uintptr_t part = offset_in(*objects, entry, first_lane(entry)) % bytes / entry.size;
  Slot& slot = slot_for(entry, part, *objects, bytes);
  slot.present |= 1u << part;
  slot.sites.push_back(entry.site);
}

} // namespace

void note_joinable(std::span<const simt_argument> arguments, unsigned long long restricted) {
  parameters.clear();
  has_objects = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const simt_argument& argument = arguments[i];
    if (argument.kind != simt_pointer) continue;
    const auto address = static_cast<std::uintptr_t>(argument.bits);
    const Allocation* const allocation = find_allocation(address);
    if (!allocation) continue;
    parameters.push_back({address, allocation->valid + allocation->valid_bytes - address, argument.pointed,
                          argument.aligned, i < 64 && (restricted >> i & 1) != 0});
    has_objects |= argument.aligned > 1;
  }
}

bool may_join() { return has_objects; }

void count_joined(const LogEntry* first, const LogEntry* end) {
  for (const LogEntry* entry = first; entry != end; entry = entry->next) {
    if (entry->access == Access::atomic)
      while (open != 0) close(open - 1);
    else if (entry->unit == Unit::memory && entry->space == Space::global && entry->mask != 0)
      join(*entry);
  }
  while (open != 0) close(open - 1);
}

} // namespace simt
