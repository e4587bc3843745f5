#include "simt/runtime/memory/bounds_watch.hpp"

#include "simt/runtime/machine/machine.hpp"
#include "simt/runtime/machine/splitmix.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include <array>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace simt {

namespace {

using WatchedPages = std::pair<std::uintptr_t, std::size_t>;
std::vector<WatchedPages> watched_pages;
/// An instruction needs several where an access crosses a boundary, and where it copies.
std::array<std::uintptr_t, 4> opened;
std::size_t opened_count = 0;

bool is_watching = false; ///< the grid that runs, and its children
std::size_t left_here = 0;

void set_page_rights(const WatchedPages& pages, int rights) {
  mprotect(reinterpret_cast<void*>(pages.first), pages.second, rights);
}

/// One part in so many of the accesses that may still be watched are from now on.
void watch_next(std::size_t parts) {
  left_here = (*machine.options.watched_accesses + parts - 1) / parts;
  if (left_here == 0 || !watched_pages.empty()) return;
  watched_pages = used_global_memory();
  for (const WatchedPages& pages : watched_pages) set_page_rights(pages, PROT_NONE);
}

} // namespace

BoundsWatch::BoundsWatch(const Grid& grid) {
  if (!machine.options.watched_accesses || machine.moved != 0) return;
  is_watching = true;
  watch_next(volume(grid.extent) == 1 ? 2 : 4);
}

BoundsWatch::~BoundsWatch() {
  end_bounds_watch();
  is_watching = false;
}

void watch_block(std::uint64_t number, std::uint64_t blocks) {
  if (!is_watching || blocks == 1) return;
  std::uint64_t state = machine.options.seed + blocks;
  if (number == next_of_splitmix(state) % blocks) watch_next(4);
  if (number == blocks - 1) watch_next(2);
}

void end_bounds_watch() {
  for (const WatchedPages& pages : std::exchange(watched_pages, {}))
    set_page_rights(pages, PROT_READ | PROT_WRITE);
  opened_count = 0;
}

bool is_bounds_watched(std::uintptr_t address) {
  for (const auto& [begin, bytes] : watched_pages)
    if (address - begin < bytes) return true;
  return false;
}

bool is_in_bounds(std::uintptr_t address) {
  const Allocation* const allocation = find_allocation(address);
  return allocation != nullptr && address - allocation->valid < allocation->valid_bytes;
}

bool is_near_bounds(std::uintptr_t address) {
  const std::uintptr_t begin = address / processor_page * processor_page;
  for (std::uintptr_t place = begin; place < begin + processor_page; ++place)
    if (is_in_bounds(place)) return true;
  return false;
}

bool begin_step(std::uintptr_t address) {
  if (left_here == 0 || opened_count == opened.size()) {
    end_bounds_watch();
    return false;
  }
  --left_here;
  --*machine.options.watched_accesses;
  opened[opened_count++] = address / processor_page * processor_page;
  set_page_rights({opened[opened_count - 1], processor_page}, PROT_READ | PROT_WRITE);
  return true;
}

void end_step() {
  while (opened_count != 0) set_page_rights({opened[--opened_count], processor_page}, PROT_NONE);
}

} // namespace simt
