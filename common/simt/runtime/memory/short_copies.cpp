#include "simt/runtime/memory/short_copies.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/races/global_race.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace simt {

LeftOut left_out;

namespace {

std::mutex left_out_guard;
struct ShortCopyMade {
  ShortCopy copy;
  std::uintptr_t array = 0;  ///< of the host
  std::vector<bool> written; ///< of what is left out, by host code
} made;

/// What copies have brought to the host lately: the rest of a short one may be there already.
using Range = std::pair<std::uintptr_t, std::uintptr_t>;
std::deque<Range> brought;
constexpr std::size_t most_brought = 256;

void look_at(std::uintptr_t begin, std::size_t bytes) {
  left_out.begin = begin;
  left_out.bytes = bytes;
}

} // namespace

std::size_t times_too_few(std::size_t bytes, std::size_t whole, std::size_t element_size) {
  const bool is_part = bytes > element_size && bytes < whole && whole % bytes == 0;
  return is_part && element_size % (whole / bytes) == 0 ? whole / bytes : 0;
}

/// How large the block is that was allocated there: page-locked, or by the C library, where the word before it says so. 0: not known.
std::size_t size_of_block(std::uintptr_t address) {
  if (in_arena(address)) {
    const Allocation* allocation = find_allocation(address);
    return allocation && allocation->valid == address ? allocation->valid_bytes : 0;
  }
  if (classify_host_address(address) == HostRange::writable) { // a variable of a module
    const Symbol variable = find_variable(address);
    return variable.offset == 0 ? variable.bytes : 0;
  }
  constexpr std::size_t header = sizeof(std::size_t), granule = 2 * header, most = std::size_t{1} << 40;
  if (address % granule != 0 || address % processor_page < granule ||
      classify_host_address(address) != HostRange::elsewhere)
    return 0;
  std::size_t size;
  std::memcpy(&size, reinterpret_cast<const void*>(address - header), header);
  size &= ~std::size_t{7}; // flags
  return size > header && size < most ? size - header : 0;
}

namespace {

/// Whether a kernel has written the array from there on to its end, and it is no part that is left to host code.
bool is_result_from(std::uintptr_t rest, const Allocation& array) {
  const std::uintptr_t end = array.valid + array.valid_bytes;
  if (!all_written(rest, end - rest)) return false;
  return !array.first_write.function || (latest_write_of(rest) != 0 && latest_write_of(end - 1) != 0);
}

/// Whether that is a block for so many bytes, and no larger than the C library makes it.
bool is_for(std::size_t block, std::size_t bytes) {
  return block >= bytes && block - bytes < processor_page + 32;
}

} // namespace

void note_copy_to_host(const void* to, const void* from, std::size_t bytes, const char* function,
                       std::uintptr_t site) {
  const std::lock_guard lock(left_out_guard);
  look_at(0, 0);
  const auto source = reinterpret_cast<std::uintptr_t>(from), target = reinterpret_cast<std::uintptr_t>(to);
  if (brought.size() == most_brought) brought.pop_front();
  brought.emplace_back(target, target + bytes);
  const Allocation* allocation = in_arena(source) ? find_allocation(source) : nullptr;
  const std::size_t block = allocation ? size_of_block(target) : 0;
  if (block == 0) return;
  const std::size_t whole = allocation->valid_bytes, element_size = allocation->element_size;
  const std::size_t times = source == allocation->valid ? times_too_few(bytes, whole, element_size) : 0;
  if (times != 0 && is_for(block, whole) &&
      (times == element_size || is_result_from(source + bytes, *allocation))) {
    made = {{function, site, source, bytes, whole}, target, std::vector<bool>(whole - bytes)};
    for (const auto& [begin, end] : brought)
      if (begin > target) // a copy of the whole was an earlier one
        for (std::uintptr_t at = std::max(begin, target + bytes); at < std::min(end, target + whole); ++at)
          made.written[at - target - bytes] = true;
    return look_at(target + bytes, whole - bytes);
  }
  if (block < bytes || all_written(source, bytes)) return;
  std::size_t first = 0;
  while (!none_written(source + first, 1)) ++first;
  made = {{function, site, source + first, bytes, bytes}, target, std::vector<bool>(bytes - first)};
  for (std::size_t i = first; i < bytes; ++i) made.written[i - first] = !none_written(source + i, 1);
  look_at(target + first, bytes - first);
}

void note_rows_to_host(const void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                       std::size_t width, std::size_t height, const char* function, std::uintptr_t site) {
  const std::lock_guard lock(left_out_guard);
  look_at(0, 0);
  const auto source = reinterpret_cast<std::uintptr_t>(from), target = reinterpret_cast<std::uintptr_t>(to);
  const Allocation* allocation = in_arena(source) ? find_allocation(source) : nullptr;
  const std::size_t whole = to_pitch * height;
  if (!allocation || !is_for(size_of_block(target), whole) || from_pitch < to_pitch) return;
  const std::size_t times = times_too_few(width, to_pitch, allocation->element_size);
  if (times == 0 || times != allocation->element_size || !all_written(source + width, to_pitch - width))
    return;
  made = {{function, site, source, width * height, whole}, target, std::vector<bool>(whole - width)};
  for (std::size_t i = 0; i < whole - width; ++i) made.written[i] = (i + width) % to_pitch < width;
  look_at(target + width, whole - width);
}

void check_left_out(std::uintptr_t address, std::size_t bytes, Access access, std::uintptr_t site) {
  ShortCopy copy;
  {
    const std::lock_guard lock(left_out_guard);
    const std::uintptr_t begin = left_out.begin;
    if (address - begin >= left_out.bytes) return;
    const auto first = made.written.begin() + static_cast<std::ptrdiff_t>(address - begin);
    const auto last =
        first + static_cast<std::ptrdiff_t>(std::min(bytes, left_out.bytes - (address - begin)));
    if (access == Access::write) return std::fill(first, last, true);
    if (std::find(first, last, true) != last) return;
    look_at(0, 0);
    copy = made.copy;
    if (copy.bytes == copy.whole) copy.from += address - begin;
  }
  const HostCall turn; // whoever has it may be waiting for the guard
  report_left_out(copy, static_cast<unsigned>(bytes), access, site);
}

void forget_left_out(const void* block) {
  if (left_out.bytes.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard lock(left_out_guard);
  if (reinterpret_cast<std::uintptr_t>(block) == made.array) look_at(0, 0);
}

} // namespace simt
