#include "simt/runtime/memory/symbol_copies.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/memory/short_copies.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace simt {

UnsetParts unset_parts;

namespace {

struct Part {
  std::uintptr_t variable = 0;
  std::uintptr_t begin = 0, end = 0;
  SymbolCopy copy = {};       ///< that has left it
  std::vector<bool> set = {}; ///< of its bytes
};
std::vector<Part> parts;
constexpr std::size_t most_parts = 64;

/// All that was ever set by copies. With more ranges nothing is judged.
std::vector<std::pair<std::uintptr_t, std::uintptr_t>> ranges_set;
constexpr std::size_t most_ranges = 4096;

const OnReset forget_symbols([] {
  ranges_set.clear();
  parts.clear();
  unset_parts = {};
});

void set_in(Part& part, std::uintptr_t begin, std::uintptr_t end) {
  for (std::uintptr_t at = std::max(begin, part.begin); at < std::min(end, part.end); ++at)
    part.set[at - part.begin] = true;
}

void drop_full_parts() {
  std::erase_if(parts, [](const Part& part) { return std::ranges::find(part.set, false) == part.set.end(); });
  unset_parts = {};
  for (const Part& part : parts) {
    unset_parts.begin = unset_parts.end == 0 ? part.begin : std::min(unset_parts.begin, part.begin);
    unset_parts.end = std::max(unset_parts.end, part.end);
  }
}

bool overlaps_set(std::uintptr_t begin, std::uintptr_t end) {
  return std::ranges::any_of(ranges_set,
                             [&](const auto& range) { return range.first < end && begin < range.second; });
}

} // namespace

void note_copy_to_symbol(const void* symbol, std::size_t offset, const void* from, std::size_t bytes,
                         const char* function, std::uintptr_t site) {
  const auto variable = reinterpret_cast<std::uintptr_t>(symbol);
  const simt_shared_type* const type = type_of_variable(variable);
  if (!type || type->element_size < 2 || ranges_set.size() == most_ranges || parts.size() == most_parts)
    return;
  const std::size_t whole = type->size, element_size = type->element_size;
  const std::uintptr_t begin = variable + offset;
  Part part = {.variable = variable, .copy = {function, running_thread(site), bytes, whole, offset}};
  if (offset == 0) {
    const std::size_t source = size_of_block(reinterpret_cast<std::uintptr_t>(from));
    if (times_too_few(bytes, whole, element_size) == 0 || (source != 0 && source < whole)) return;
    part.begin = variable + bytes, part.end = variable + whole;
  } else {
    // The first copy was that of a part, too.
    std::erase_if(parts,
                  [=](const Part& other) { return other.variable == variable && other.copy.offset == 0; });
    const bool is_odd = offset % element_size != 0 || overlaps_set(begin, begin + bytes);
    if (!is_odd || offset * element_size + bytes > whole) return;
    part.begin = variable + offset * element_size, part.end = part.begin + bytes;
  }
  part.set.resize(part.end - part.begin);
  const OpenRange values(reinterpret_cast<const void*>(part.begin), part.end - part.begin);
  for (std::uintptr_t at = part.begin; at < part.end; ++at) // it may have had its values from the beginning
    part.set[at - part.begin] = *reinterpret_cast<const char*>(at) != 0;
  for (const auto& [first, last] : ranges_set) set_in(part, first, last);
  std::erase_if(parts, [&](const Part& other) { return other.begin == part.begin && other.end == part.end; });
  parts.push_back(std::move(part));
  drop_full_parts();
}

void note_set_in_symbol(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t end = address + bytes;
  const bool is_known = std::ranges::any_of(
      ranges_set, [&](const auto& range) { return range.first <= address && end <= range.second; });
  if (!is_known && ranges_set.size() < most_ranges) ranges_set.emplace_back(address, end);
  for (Part& part : parts) set_in(part, address, end);
  drop_full_parts();
}

void check_unset_part(std::uintptr_t address, std::size_t bytes, Access access, std::uintptr_t site) {
  for (Part& part : parts) {
    if (address < part.begin || address + bytes > part.end) continue;
    const auto first = part.set.begin() + static_cast<std::ptrdiff_t>(address - part.begin);
    const auto last = first + static_cast<std::ptrdiff_t>(bytes);
    if (access != Access::read) {
      std::fill(first, last, true);
    } else if (std::find(first, last, true) == last) {
      report_unset_part(part.copy, address, static_cast<unsigned>(bytes), site);
      part.set.assign(part.set.size(), true); // one finding for each copy
    }
  }
}

} // namespace simt
