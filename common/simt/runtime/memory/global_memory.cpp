#include "simt/runtime/memory/global_memory.hpp"

#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/races/waiting_rows_end.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <utility>

namespace simt {

SectionSpan device_sections;
std::array<UnwrittenReads, 64> unwritten_reads;

namespace {

/// Of the tables of memory, and of what is closed: threads of the host read them while another one is in the runtime.
std::recursive_mutex memory_tables;

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = 2 << 20;
constexpr std::ptrdiff_t huge_page_bits = huge_page / 8; ///< in bytes

std::vector<Allocation> allocations; ///< in address order, dead ones included
std::size_t live_bytes = 0;
std::uintptr_t next_address = 0;
std::uintptr_t reused_up_to = 0; ///< where addresses of freed blocks were given out again last
std::uintptr_t sparse_floor = 0; ///< sparse blocks lie above it, up to the arena's end; 0: there is none
std::vector<DeviceSection> sections;
std::map<std::uintptr_t, std::size_t> pinned;

std::size_t round_up(std::size_t bytes) { return (bytes + page - 1) / page * page; }

bool is_fenced = false;

/// Whether that could be done. Memory that is closed counts for no limit: if it cannot be opened, the program has taken its
/// place, and ends.
bool close_pages(std::uintptr_t begin, std::size_t bytes, bool closed) {
  const int rights = closed ? PROT_NONE : PROT_READ | PROT_WRITE;
  if (mprotect(reinterpret_cast<void*>(begin), bytes, rights) == 0) return true;
  if (closed) return false;
  end_for_want_of_memory();
}

std::size_t span_of(const Allocation& allocation) {
  return round_up(std::max<std::size_t>(allocation.bytes, 1));
}

void set_closed(Allocation& allocation, bool closed) {
  if (allocation.closed != closed && close_pages(allocation.base, span_of(allocation), closed))
    allocation.closed = closed;
}

/// All that can be closed, or are. Neighbours are so at once, with the red zone between them: the system's calls are what this
/// costs.
void set_all_closed(bool closed) {
  const auto is_concerned = [closed](const Allocation& allocation) {
    if (!closed) return allocation.closed;
    return allocation.live && !allocation.closed && !allocation.sparse && !allocation.page_locked;
  };
  auto first = allocations.begin();
  while ((first = std::find_if(first, allocations.end(), is_concerned)) != allocations.end()) {
    const auto end = std::find_if_not(first, allocations.end(), is_concerned);
    const Allocation& last = *(end - 1);
    if (close_pages(first->base, last.base + span_of(last) - first->base, closed))
      for (auto each = first; each != end; ++each) {
        each->closed = closed;
        if (each + 1 != end) each->zone_closed = closed;
      }
    first = end;
  }
}

/// The pages of a section that nothing else is in.
std::pair<std::uintptr_t, std::uintptr_t> whole_pages(const DeviceSection& section) {
  return {round_up(section.begin), (section.begin + section.bytes) / page * page};
}

void set_closed(DeviceSection& section, bool closed) {
  const auto [begin, end] = whole_pages(section);
  if (section.closed != closed && begin < end && close_pages(begin, end - begin, closed))
    section.closed = closed;
}

/// For host code of a program mostly uses what it has just used. Nothing of it changes until the runtime is called.
HostView latest_view;

void close_memory() {
  if (!is_fenced) return;
  latest_view = {};
  for (DeviceSection& section : sections) set_closed(section, true);
  set_all_closed(true);
}

void open_memory() {
  for (DeviceSection& section : sections) set_closed(section, false);
  set_all_closed(false);
}

/// The last allocation that starts at or below `address`. Mostly it is the one that was asked for before.
std::vector<Allocation>::iterator at_or_below(std::uintptr_t address) {
  static std::atomic<std::size_t> latest = 0;
  const std::size_t known = latest.load(std::memory_order_relaxed);
  if (known < allocations.size() && address - allocations[known].base < allocations[known].bytes)
    return allocations.begin() + static_cast<std::ptrdiff_t>(known);
  auto above = std::upper_bound(allocations.begin(), allocations.end(), address,
                                [](std::uintptr_t a, const Allocation& entry) { return a < entry.base; });
  if (above == allocations.begin()) return allocations.end();
  latest.store(static_cast<std::size_t>(above - 1 - allocations.begin()), std::memory_order_relaxed);
  return above - 1;
}

/// What is valid has changed.
void forget_valid_range() {
  machine.valid[static_cast<int>(Space::global)] = {};
  unwritten_reads = {};
}

/// As many bytes of the arena as a page of the bits of `written` is for.
constexpr std::size_t sparse_page = 8 * page;

/// A sparse block is forgotten, for the next one may need its addresses.
void free_sparse(std::vector<Allocation>::iterator allocation) {
  const std::size_t span = (allocation->bytes + sparse_page - 1) / sparse_page * sparse_page;
  madvise(reinterpret_cast<void*>(allocation->base), span, MADV_DONTNEED);
  madvise(machine.written + (allocation->base - machine.arena) / 8, span / 8, MADV_DONTNEED);
  allocations.erase(allocation);
  const auto next = std::ranges::find_if(allocations, &Allocation::sparse);
  sparse_floor = next == allocations.end() ? 0 : next->base;
  forget_valid_range();
}

const OnReset free_all([] {
  std::erase_if(allocations, [](const Allocation& allocation) { return allocation.sparse; });
  sparse_floor = 0;
  for (Allocation& allocation : allocations) {
    if (!allocation.live) continue;
    void* const base = reinterpret_cast<void*>(allocation.base);
    if (!allocation.of_driver) {
      allocation.freed_by_reset = free_global(base);
    } else {
      forget_bytes(base, allocation.bytes);
      set_usable_part(base, 0, 0);
      allocation.freed_by_reset = true;
    }
  }
  pinned.clear();
});

} // namespace

void fence_memory(bool on) {
  const std::lock_guard lock(memory_tables);

  is_fenced = on;
  if (on)
    close_memory();
  else
    open_memory();
}

void open_memory_at(std::uintptr_t address) {
  const std::lock_guard lock(memory_tables);

  const auto allocation = at_or_below(address);
  if (allocation != allocations.end() && address - allocation->base < allocation->bytes)
    set_closed(*allocation, false);
  for (DeviceSection& section : sections)
    if (address - section.begin < section.bytes) set_closed(section, false);
}

ClosedPart closed_to_host(std::uintptr_t address) {
  const std::lock_guard lock(memory_tables);

  const DeviceSection* section = find_section(address);
  if (section && section->closed) return {section->begin, section->bytes};
  const Allocation* allocation = machine.arena != 0 && in_arena(address) ? find_allocation(address) : nullptr;
  if (allocation && allocation->managed && allocation->closed) return {allocation->base, allocation->bytes};
  return {};
}

OpenMemory::OpenMemory() {
  const std::lock_guard lock(memory_tables);
  open_memory();
}
OpenMemory::~OpenMemory() {
  const std::lock_guard lock(memory_tables);
  close_memory();
}

OpenRange::OpenRange(const void* begin, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  std::uintptr_t first = address / page * page, last = round_up(address + bytes);
  if (const DeviceSection* section = find_section(address)) {
    if (!section->closed) return;
    const auto [inner, outer] = whole_pages(*section);
    first = std::max(first, inner), last = std::min(last, outer);
  } else {
    const Allocation* allocation = find_allocation(address);
    if (!allocation || !allocation->closed) return;
  }
  if (first >= last) return;
  begin_ = first, bytes_ = last - first;
  close_pages(begin_, bytes_, false);
}

OpenRange::~OpenRange() {
  if (bytes_ != 0) close_pages(begin_, bytes_, true);
}

namespace {

/// A place for a block: among the addresses that were never used, or 0.
std::uintptr_t fresh_addresses(std::size_t span, std::size_t alignment) {
  const std::uintptr_t base = (next_address + alignment - 1) / alignment * alignment;
  if (base + span + red_zone > (sparse_floor != 0 ? sparse_floor : machine.arena + arena_span)) return 0;
  next_address = base + span + red_zone;
  return base;
}

/// The same among addresses of blocks that were freed, from `first` on. The blocks that stood there are forgotten: pointers into
/// them look like pointers into the new one from then on.
std::uintptr_t addresses_of_the_dead(std::size_t span, std::size_t alignment, std::uintptr_t first) {
  const auto is_dead = [](const Allocation& one) {
    return !one.live && !one.of_graph && !one.of_driver && !one.sparse;
  };
  auto run = std::ranges::lower_bound(allocations, first, {}, &Allocation::base);
  for (;;) {
    run = std::find_if(run, allocations.end(), is_dead);
    if (run == allocations.end()) return 0;
    const auto end = std::find_if_not(run, allocations.end(), is_dead);
    const std::uintptr_t base = (run->base + alignment - 1) / alignment * alignment;
    const std::uintptr_t limit = end == allocations.end() || end->sparse ? next_address : end->base;
    if (base + span + red_zone <= limit) {
      const auto last =
          std::find_if(run, end, [&](const Allocation& one) { return one.base >= base + span + red_zone; });
      allocations.erase(run, last);
      return base;
    }
    run = end;
  }
}

/// Addresses are used again when there are no others, and then as late as possible.
std::uintptr_t find_addresses(std::size_t span, std::size_t alignment) {
  std::uintptr_t base = fresh_addresses(span, alignment);
  if (base != 0) return base;
  base = addresses_of_the_dead(span, alignment, reused_up_to);
  if (base == 0) base = addresses_of_the_dead(span, alignment, 0);
  if (base != 0) reused_up_to = base + span;
  return base;
}

} // namespace

void* allocate_global(std::size_t bytes, bool managed) {
  const std::lock_guard lock(memory_tables);

  initialise_machine();
  const std::size_t span = span_of({.bytes = bytes});
  const std::size_t most = machine.options.device_memory;
  if (bytes > most || live_bytes + span > most) return nullptr;
  if (next_address == 0) next_address = machine.arena + shared_span + red_zone;
  // The system gives large blocks their memory in large pieces: one fault instead of 512.
  const std::size_t whole_pages = bytes / huge_page * huge_page;
  const std::size_t alignment = whole_pages != 0 ? huge_page : page;
  const std::uintptr_t base = find_addresses(span, alignment);
  if (base == 0) return nullptr;
  if (whole_pages != 0) madvise(reinterpret_cast<void*>(base), whole_pages, MADV_HUGEPAGE);
  Allocation allocation;
  allocation.base = allocation.valid = base;
  allocation.bytes = allocation.valid_bytes = bytes;
  allocation.managed = managed;
  live_bytes += span;
  if (is_fenced && !machine.runs_grid) set_closed(allocation, true);
  allocations.insert(std::ranges::lower_bound(allocations, base, {}, &Allocation::base), allocation);
  return reinterpret_cast<void*>(allocation.base);
}

bool allocate_again(void* pointer, std::size_t bytes) {
  const std::lock_guard lock(memory_tables);

  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto allocation = at_or_below(address);
  const std::size_t span = span_of({.bytes = bytes});
  if (allocation == allocations.end() || allocation->base != address || allocation->live ||
      !allocation->on_heap || span_of(*allocation) != span ||
      live_bytes + span > machine.options.device_memory)
    return false;
  *allocation = {.base = address, .bytes = bytes, .valid = address, .valid_bytes = bytes};
  live_bytes += span;
  return true;
}

bool free_global(void* pointer) {
  const std::lock_guard lock(memory_tables);

  end_rows(); // of a kernel that frees what it has allocated
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(pointer);
  auto allocation = at_or_below(address);
  if (allocation == allocations.end() || allocation->base != address || !allocation->live ||
      allocation->of_driver)
    return false;
  if (allocation->sparse) {
    free_sparse(allocation);
    return true;
  }
  const std::size_t span = span_of(*allocation);
  set_closed(*allocation, false); // a kernel that still uses it gets a finding
  if (std::exchange(allocation->zone_closed, false)) close_pages(address + span, red_zone, false);
  allocation->live = false;
  live_bytes -= span;
  set_written_bits(address, allocation->bytes, false);
  madvise(pointer, span, MADV_DONTNEED);
  forget_valid_range();
  return true;
}

std::size_t allocated_bytes() { return live_bytes; }

void* reserve_addresses(std::size_t bytes, std::size_t alignment) {
  initialise_machine();
  if (next_address == 0) next_address = machine.arena + shared_span + red_zone;
  const std::uintptr_t base = (next_address + alignment - 1) / alignment * alignment;
  const std::uintptr_t limit = sparse_floor != 0 ? sparse_floor : machine.arena + arena_span;
  if (base > limit || bytes > limit - base || limit - base - bytes < red_zone) return nullptr;
  Allocation allocation;
  allocation.base = allocation.valid = base;
  allocation.bytes = allocation.valid_bytes = bytes;
  allocation.live = false;
  allocation.of_driver = true;
  next_address = base + bytes + red_zone;
  allocations.insert(std::ranges::find_if(allocations, &Allocation::sparse), allocation);
  return reinterpret_cast<void*>(base);
}

void set_usable_part(void* addresses, std::size_t offset, std::size_t bytes) {
  const auto allocation = at_or_below(reinterpret_cast<std::uintptr_t>(addresses));
  set_closed(*allocation, false);
  allocation->live = bytes > 0;
  allocation->bytes = offset + bytes; // what lies behind is not there
  allocation->valid = allocation->base + offset;
  allocation->valid_bytes = bytes;
  if (allocation->live && is_fenced && !machine.runs_grid) set_closed(*allocation, true);
  forget_valid_range();
}

bool take_device_memory(std::size_t bytes) {
  if (bytes > machine.options.device_memory || live_bytes + bytes > machine.options.device_memory)
    return false;
  live_bytes += bytes;
  return true;
}
void give_device_memory(std::size_t bytes) { live_bytes -= bytes; }

std::vector<char> written_bits_of(std::uintptr_t address, std::size_t bytes) {
  const char* const first = reinterpret_cast<const char*>(machine.written + (address - machine.arena) / 8);
  return {first, first + bytes / 8};
}
void set_written_bits_of(std::uintptr_t address, const std::vector<char>& bits) {
  std::memcpy(machine.written + (address - machine.arena) / 8, bits.data(), bits.size());
}

void forget_bytes(void* pointer, std::size_t bytes) {
  set_written_bits(reinterpret_cast<std::uintptr_t>(pointer), bytes, false);
  madvise(pointer, bytes, MADV_DONTNEED);
}

void* reserve_for_graph(std::size_t bytes) {
  void* pointer = allocate_global(bytes);
  if (!pointer) return nullptr;
  find_allocation(reinterpret_cast<std::uintptr_t>(pointer))->of_graph = true;
  free_global(pointer);
  return pointer;
}

bool allocate_reserved(void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto allocation = at_or_below(address);
  if (allocation == allocations.end() || allocation->base != address || !allocation->of_graph ||
      allocation->live || live_bytes + span_of(*allocation) > machine.options.device_memory)
    return false;
  allocation->live = true;
  live_bytes += span_of(*allocation);
  if (is_fenced && !machine.runs_grid) set_closed(*allocation, true);
  return true;
}

std::size_t live_graph_bytes() {
  std::size_t bytes = 0;
  for (const Allocation& allocation : allocations)
    if (allocation.of_graph && allocation.live) bytes += span_of(allocation);
  return bytes;
}

Allocation* find_allocation(std::uintptr_t address) {
  auto allocation = at_or_below(address);
  if (allocation == allocations.end() || !allocation->live || address - allocation->base >= allocation->bytes)
    return nullptr;
  return &*allocation;
}

Allocation* nearest_allocation(std::uintptr_t address) {
  if (allocations.empty()) return nullptr;
  auto below = at_or_below(address);
  if (below == allocations.end()) return &allocations.front();
  auto above = below + 1;
  std::uintptr_t end = below->base + below->bytes;
  if (address < end || above == allocations.end() || address - end <= above->base - address) return &*below;
  return &*above;
}

bool is_live(std::uintptr_t address, std::size_t bytes) {
  const Allocation* allocation = find_allocation(address);
  return allocation && bytes <= allocation->base + allocation->bytes - address;
}

void set_written_bits(std::uintptr_t address, std::size_t bytes, bool written) {
  std::size_t begin = address - machine.arena, end = begin + bytes;
  const auto set_bits = [written](std::size_t offset, std::size_t count) {
    const unsigned bits = ((1u << count) - 1) << offset % 8;
    std::uint8_t& byte = machine.written[offset / 8];
    byte = static_cast<std::uint8_t>(written ? byte | bits : byte & ~bits);
  };
  if (begin < end && begin % 8 != 0) {
    const std::size_t count = std::min(end - begin, 8 - begin % 8);
    set_bits(begin, count);
    begin += count;
  }
  if (begin < end && end % 8 != 0) {
    const std::size_t count = std::min(end - begin, end % 8);
    set_bits(end - count, count);
    end -= count;
  }
  if (begin == end) return;
  std::uint8_t* first = machine.written + begin / 8;
  std::uint8_t* last = first + (end - begin) / 8;
  // Bits that the system makes zero take no memory. Of a large block they would take an eighth of its size.
  std::uint8_t* const first_page =
      reinterpret_cast<std::uint8_t*>(round_up(reinterpret_cast<std::uintptr_t>(first)));
  std::uint8_t* const last_page =
      reinterpret_cast<std::uint8_t*>(reinterpret_cast<std::uintptr_t>(last) / page * page);
  if (!written && last - first >= huge_page_bits && first_page < last_page &&
      madvise(first_page, static_cast<std::size_t>(last_page - first_page), MADV_DONTNEED) == 0) {
    std::memset(last_page, 0, static_cast<std::size_t>(last - last_page));
    last = first_page;
  }
  std::memset(first, written ? 0xff : 0, static_cast<std::size_t>(last - first));
}

bool all_written(std::uintptr_t address, std::size_t bytes) {
  std::size_t offset = address - machine.arena;
  for (const std::size_t end = offset + bytes; offset < end;) {
    if (offset % 8 == 0 && end - offset >= 64) {
      std::uint64_t bits;
      std::memcpy(&bits, machine.written + offset / 8, sizeof bits);
      if (bits != ~std::uint64_t{0}) return false;
      offset += 64;
      continue;
    }
    const std::size_t count = std::min(end - offset, 8 - offset % 8);
    const unsigned mask = ((1u << count) - 1) << offset % 8;
    if ((machine.written[offset / 8] & mask) != mask) return false;
    offset += count;
  }
  return true;
}

bool none_written(std::uintptr_t address, std::size_t bytes) {
  for (std::size_t offset = address - machine.arena; bytes > 0; ++offset, --bytes)
    if (machine.written[offset / 8] >> offset % 8 & 1) return false;
  return true;
}

void mark_written(std::uintptr_t address, std::size_t bytes) {
  const Allocation* allocation = find_allocation(address);
  if (!allocation) return;
  std::uintptr_t begin = std::max(address, allocation->valid);
  std::uintptr_t end = std::min(address + bytes, allocation->valid + allocation->valid_bytes);
  if (begin < end) set_written_bits(begin, end - begin, true);
}

void copy_written(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  if (all_written(from, bytes)) return mark_written(to, bytes);
  for (std::size_t i = 0; i < bytes;) {
    bool written = all_written(from + i, 1);
    std::size_t run = 1;
    while (i + run < bytes && all_written(from + i + run, 1) == written) ++run;
    if (written)
      mark_written(to + i, run);
    else
      set_written_bits(to + i, run, false);
    i += run;
  }
}

const std::vector<Allocation>& all_allocations() { return allocations; }
const std::vector<DeviceSection>& all_sections() { return sections; }

SectionSpan SectionSpan::with(std::uintptr_t first, std::size_t count) const {
  if (bytes == 0) return {first, count};
  const std::uintptr_t lowest = std::min(first, begin);
  return {lowest, std::max(first + count, begin + bytes) - lowest};
}

bool is_mapped(const DeviceSection& section) {
  const std::uintptr_t begin = section.begin / page * page;
  std::vector<unsigned char> resident((section.begin + section.bytes - begin + page - 1) / page);
  return mincore(reinterpret_cast<void*>(begin), section.begin + section.bytes - begin, resident.data()) == 0;
}

std::vector<std::pair<std::uintptr_t, std::size_t>> used_global_memory() {
  std::vector<std::pair<std::uintptr_t, std::size_t>> used;
  const std::uintptr_t first = machine.arena + shared_span, end = machine.arena + arena_span;
  if (next_address != 0) used.emplace_back(first, next_address - first);
  if (sparse_floor != 0) used.emplace_back(sparse_floor, end - sparse_floor);
  return used;
}

const DeviceSection* find_section(std::uintptr_t address) {
  for (const DeviceSection& section : sections)
    if (address - section.begin < section.bytes) return &section;
  return nullptr;
}

void add_pinned(void* pointer, std::size_t bytes) {
  pinned[reinterpret_cast<std::uintptr_t>(pointer)] = bytes;
}

bool remove_pinned(void* pointer) { return pinned.erase(reinterpret_cast<std::uintptr_t>(pointer)) != 0; }

bool is_pinned(std::uintptr_t address) {
  auto above = pinned.upper_bound(address);
  if (above == pinned.begin()) return false;
  --above;
  return address - above->first < above->second;
}

void describe_allocation(void* base, std::size_t offset, std::size_t bytes, bool initialised,
                         std::string name, std::size_t element_size) {
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(base);
  Allocation* allocation = find_allocation(address);
  if (!allocation || allocation->base != address || offset > allocation->bytes ||
      bytes > allocation->bytes - offset)
    throw std::invalid_argument("describe_allocation: no live block holds buffer " + name);
  allocation->valid = address + offset;
  allocation->valid_bytes = bytes;
  allocation->name = std::move(name);
  allocation->element_size = element_size;
  allocation->lent = true;
  forget_valid_range();
  if (allocation->sparse) return;
  set_written_bits(address, allocation->bytes, false);
  if (initialised) set_written_bits(allocation->valid, bytes, true);
}

void* allocate_sparse(std::size_t bytes) {
  initialise_machine();
  const std::size_t span = (bytes + sparse_page - 1) / sparse_page * sparse_page;
  const std::size_t end = (sparse_floor != 0 ? sparse_floor - machine.arena : arena_span) - red_zone;
  const std::size_t least = (next_address != 0 ? next_address - machine.arena : shared_span) + red_zone;
  if (bytes == 0 || span > end - least) return nullptr;
  const std::size_t offset = (end - span) / sparse_page * sparse_page;
  if (offset < least) return nullptr;
  Allocation allocation;
  allocation.base = allocation.valid = machine.arena + offset;
  allocation.bytes = allocation.valid_bytes = bytes;
  allocation.sparse = true;
  sparse_floor = allocation.base;
  allocations.insert(std::ranges::find_if(allocations, &Allocation::sparse), allocation);
  return reinterpret_cast<void*>(allocation.base);
}

std::vector<std::pair<std::size_t, std::size_t>> written_ranges(const void* begin, std::size_t bytes) {
  const std::size_t first = reinterpret_cast<std::uintptr_t>(begin) - machine.arena, last = first + bytes;
  const std::uintptr_t bits = reinterpret_cast<std::uintptr_t>(machine.written);
  const std::uintptr_t map = (bits + first / 8) / page * page;
  std::vector<unsigned char> resident((bits + (last + 7) / 8 - map + page - 1) / page);
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  // Of the bits only pages that were touched are there.
  if (mincore(reinterpret_cast<void*>(map), resident.size() * page, resident.data()) != 0) return ranges;
  for (std::size_t number = 0; number < resident.size(); ++number) {
    if ((resident[number] & 1) == 0) continue;
    const std::size_t offset = (map + number * page - bits) * 8;
    for (std::size_t i = std::max(offset, first); i < std::min(offset + sparse_page, last); ++i) {
      const std::uint8_t eight = machine.written[i / 8];
      if (eight == 0) i |= 7;
      if (!(eight >> i % 8 & 1)) continue;
      if (!ranges.empty() && ranges.back().first + ranges.back().second == i - first)
        ++ranges.back().second;
      else
        ranges.emplace_back(i - first, 1);
    }
  }
  return ranges;
}

std::vector<std::pair<std::uintptr_t, std::size_t>> memory_of_kernels(bool shared_with_host) {
  const std::lock_guard lock(memory_tables);
  std::vector<std::pair<std::uintptr_t, std::size_t>> ranges(pinned.begin(), pinned.end());
  for (const Allocation& one : allocations)
    if (one.live && !one.sparse && (one.managed || !shared_with_host))
      ranges.emplace_back(one.base, one.bytes);
  for (const DeviceSection& section : sections)
    if (section.kind == managed_section || !shared_with_host)
      ranges.emplace_back(section.begin, section.bytes);
  std::ranges::sort(ranges);
  return ranges;
}

HostView open_for_host(std::uintptr_t address, std::size_t bytes) {
  if (latest_view.has(address, bytes) && latest_view.call == calls_of_runtime() && __libc_single_threaded)
    return latest_view;
  const std::lock_guard lock(memory_tables);
  Allocation* allocation = find_allocation(address);
  if (!allocation) return {};
  set_closed(*allocation, false);
  const HostView view = {allocation->managed, allocation->page_locked, allocation->valid,
                         __libc_single_threaded ? allocation->valid_bytes : 0, calls_of_runtime()};
  if (view.managed) latest_view = view;
  return view;
}

bool host_can_reach(std::uintptr_t address) {
  if (!in_arena(address)) {
    const DeviceSection* section = find_section(address);
    return section ? section->kind == 2 : is_pinned(address);
  }
  const Allocation* allocation = find_allocation(address);
  return allocation && allocation->managed && !allocation->lent;
}

} // namespace simt

extern "C" void __simt_name_allocation(const void* pointer, const char* name, std::size_t element_size) {
  const simt::HostCall turn; // another thread may be allocating
  simt::Allocation* allocation = simt::find_allocation(reinterpret_cast<std::uintptr_t>(pointer));
  if (!allocation) return;
  allocation->name = name;
  allocation->element_size = element_size;
}

extern "C" void __simt_register_section(int kind, const void* begin, const void* end) {
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(begin),
                       last = reinterpret_cast<std::uintptr_t>(end);
  if (first == last) return;
  for (simt::DeviceSection& section : simt::sections)
    if (section.begin == first) return;
  simt::sections.push_back({kind, first, last - first});
  simt::device_sections = simt::device_sections.with(first, last - first);
}
