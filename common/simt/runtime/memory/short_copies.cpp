#include "simt/runtime/memory/short_copies.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
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

void look_at(std::uintptr_t begin, std::size_t bytes) {
  left_out.begin = begin;
  left_out.bytes = bytes;
}

/// How large the block is that was allocated there: page-locked, or by the C library, where the word before it says so. 0: not known.
std::size_t size_of_block(std::uintptr_t address) {
  if (in_arena(address)) {
    const Allocation* allocation = find_allocation(address);
    return allocation && allocation->valid == address ? allocation->valid_bytes : 0;
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

/// Whether that is a block for so many bytes, and no larger than the C library makes it.
bool is_for(std::size_t block, std::size_t bytes) { return block >= bytes && block - bytes < processor_page + 32; }

} // namespace

void note_copy_to_host(const void* to, const void* from, std::size_t bytes, const char* function,
                       std::uintptr_t site) {
  const std::lock_guard lock(left_out_guard);
  look_at(0, 0);
  const auto source = reinterpret_cast<std::uintptr_t>(from), target = reinterpret_cast<std::uintptr_t>(to);
  const Allocation* allocation = in_arena(source) ? find_allocation(source) : nullptr;
  const std::size_t block = allocation ? size_of_block(target) : 0;
  if (block == 0) return;
  if (source == allocation->valid && allocation->element_size >= 2 && bytes > allocation->element_size &&
      bytes * allocation->element_size == allocation->valid_bytes && is_for(block, allocation->valid_bytes)) {
    made = {{function, site, source, bytes, allocation->valid_bytes}, target,
            std::vector<bool>(allocation->valid_bytes - bytes)};
    return look_at(target + bytes, allocation->valid_bytes - bytes);
  }
  if (block < bytes || all_written(source, bytes)) return;
  std::size_t first = 0;
  while (!none_written(source + first, 1)) ++first;
  made = {{function, site, source + first, bytes, bytes}, target, std::vector<bool>(bytes - first)};
  for (std::size_t i = first; i < bytes; ++i) made.written[i - first] = !none_written(source + i, 1);
  look_at(target + first, bytes - first);
}

void check_left_out(std::uintptr_t address, std::size_t bytes, Access access, std::uintptr_t site) {
  ShortCopy copy;
  {
    const std::lock_guard lock(left_out_guard);
    const std::uintptr_t begin = left_out.begin;
    if (address - begin >= left_out.bytes) return;
    const auto first = made.written.begin() + static_cast<std::ptrdiff_t>(address - begin);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(bytes, left_out.bytes - (address - begin)));
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
