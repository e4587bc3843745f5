// The driver API's virtual memory management. A range of addresses becomes usable where memory is mapped and access is granted;
// what was written stays with the memory when it is unmapped, and comes back where it is mapped again.
#include "simt/runtime/api/copies.hpp"
#include "simt/runtime/driver/calls.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/global_memory.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

using namespace simt;

namespace {

constexpr std::size_t granularity = std::size_t{2} << 20;

struct Memory {
  std::size_t bytes = 0;
  CUmemAllocationProp properties{};
  unsigned references = 1; ///< of the program
  unsigned mappings = 0;
  std::vector<char> contents{}, written{}; ///< while it is not mapped, if it ever was
};
struct Mapping {
  std::size_t bytes = 0;
  CUmemGenericAllocationHandle memory = 0;
  bool is_open = false; ///< access was granted
};
struct Range {
  std::size_t bytes = 0;
  std::map<CUdeviceptr, Mapping> mappings{}; ///< by their addresses
};

std::map<CUmemGenericAllocationHandle, Memory> memories;
std::map<CUdeviceptr, Range> ranges;
CUmemGenericAllocationHandle last_handle = 0;
const OnReset forget_all([] {
  for (const auto& [handle, memory] : memories) give_device_memory(memory.bytes);
  memories.clear();
  ranges.clear();
});

bool is_device(const CUmemLocation& location) {
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE && location.id == 0;
}

CUresult check_properties(const CUmemAllocationProp* properties) {
  if (!properties || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(properties->location)) return CUDA_ERROR_INVALID_DEVICE;
  return properties->requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE ? CUDA_SUCCESS
                                                                     : CUDA_ERROR_NOT_SUPPORTED;
}

/// The range that holds these addresses; null if there is none.
Range* range_of(CUdeviceptr pointer, std::size_t bytes) {
  const auto behind = ranges.upper_bound(pointer);
  if (behind == ranges.begin()) return nullptr;
  auto& [base, range] = *std::prev(behind);
  return pointer - base < range.bytes && bytes <= base + range.bytes - pointer ? &range : nullptr;
}
CUdeviceptr base_of(CUdeviceptr pointer) { return std::prev(ranges.upper_bound(pointer))->first; }

/// The mappings that together are exactly these addresses; empty if there are no such.
std::vector<std::pair<const CUdeviceptr, Mapping>*> mappings_of(Range& range, CUdeviceptr pointer,
                                                                std::size_t bytes) {
  std::vector<std::pair<const CUdeviceptr, Mapping>*> found;
  const CUdeviceptr end = pointer + bytes;
  for (auto next = range.mappings.find(pointer); pointer < end; ++next) {
    if (next == range.mappings.end() || next->first != pointer) return {};
    found.push_back(&*next);
    pointer += next->second.bytes;
  }
  if (pointer != end) found.clear();
  return found;
}

/// Tells the simulator which part of the range can be used.
void show_range(CUdeviceptr base, const Range& range) {
  CUdeviceptr first = 0, end = 0;
  for (const auto& [address, mapping] : range.mappings) {
    if (!mapping.is_open) continue;
    if (end == 0) first = address;
    end = address + mapping.bytes;
  }
  set_usable_part(to_pointer(base), first - (end == 0 ? 0 : base), end - first);
}

void drop_if_unused(CUmemGenericAllocationHandle handle) {
  const auto found = memories.find(handle);
  if (found == memories.end() || found->second.references > 0 || found->second.mappings > 0) return;
  give_device_memory(found->second.bytes);
  memories.erase(found);
}

} // namespace

extern "C" {

CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags option) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (!bytes || option < CU_MEM_ALLOC_GRANULARITY_MINIMUM || option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult result = check_properties(properties);
  if (result == CUDA_SUCCESS) *bytes = granularity;
  return result;
}

CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t bytes, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  const bool is_power = (alignment & (alignment - 1)) == 0;
  if (!pointer || bytes == 0 || bytes % granularity != 0 || !is_power || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  // A wish for an address is not followed, which a program has to expect.
  void* const base = reserve_addresses(bytes, std::max(alignment, granularity));
  if (!base) return CUDA_ERROR_OUT_OF_MEMORY;
  *pointer = address_of_pointer(base);
  ranges[*pointer].bytes = bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  const auto range = ranges.find(pointer);
  if (range == ranges.end() || range->second.bytes != bytes || !range->second.mappings.empty())
    return CUDA_ERROR_INVALID_VALUE;
  ranges.erase(range);
  return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* memory, size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  if (!memory || bytes == 0 || bytes % granularity != 0 || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = check_properties(properties); result != CUDA_SUCCESS) return result;
  if (!take_device_memory(bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
  *memory = ++last_handle;
  memories[*memory].bytes = bytes;
  memories[*memory].properties = *properties;
  return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle memory) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  const auto found = memories.find(memory);
  if (found == memories.end() || found->second.references == 0) return CUDA_ERROR_INVALID_VALUE;
  --found->second.references;
  drop_if_unused(memory); // mapped, it stays until it is unmapped
  return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset, CUmemGenericAllocationHandle memory,
                  unsigned long long flags) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  const auto found = memories.find(memory);
  Range* range = range_of(pointer, bytes);
  if (found == memories.end() || !range || bytes == 0 || pointer % granularity != 0 || offset != 0 ||
      flags != 0 || bytes != found->second.bytes)
    return CUDA_ERROR_INVALID_VALUE;
  for (const auto& [address, mapping] : range->mappings)
    if (address < pointer + bytes && pointer < address + mapping.bytes) return CUDA_ERROR_INVALID_VALUE;
  if (found->second.mappings > 0)
    return CUDA_ERROR_NOT_SUPPORTED; // one memory at two addresses is not simulated
  ++found->second.mappings;
  range->mappings[pointer] = {bytes, memory, false};
  return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  Range* range = range_of(pointer, bytes);
  if (!range) return CUDA_ERROR_INVALID_VALUE;
  const auto mapped = mappings_of(*range, pointer, bytes);
  if (mapped.empty()) return CUDA_ERROR_INVALID_VALUE;
  std::vector<CUdeviceptr> addresses;
  for (const auto* entry : mapped) {
    const auto& [address, mapping] = *entry;
    Memory& memory = memories[mapping.memory];
    if (mapping.is_open) {
      const OpenRange open(to_pointer(address), mapping.bytes);
      const char* const bytes_there = static_cast<const char*>(to_pointer(address));
      memory.contents.assign(bytes_there, bytes_there + mapping.bytes);
      memory.written = written_bits_of(address, mapping.bytes);
    }
    --memory.mappings;
    addresses.push_back(address);
  }
  for (const CUdeviceptr address : addresses) {
    const CUmemGenericAllocationHandle memory = range->mappings[address].memory;
    forget_bytes(to_pointer(address), range->mappings[address].bytes);
    range->mappings.erase(address);
    drop_if_unused(memory);
  }
  show_range(base_of(pointer), *range);
  return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const CUmemAccessDesc* wanted, size_t count) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  Range* range = range_of(pointer, bytes);
  if (!range || !wanted || count == 0) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < count; ++i)
    if (!is_device(wanted[i].location)) return CUDA_ERROR_INVALID_DEVICE;
  const auto mapped = mappings_of(*range, pointer, bytes);
  if (mapped.empty()) return CUDA_ERROR_INVALID_VALUE;
  const bool is_open = wanted[count - 1].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  std::vector<std::pair<CUdeviceptr, Memory*>> fresh;
  for (auto* entry : mapped) {
    if (is_open && !entry->second.is_open) fresh.emplace_back(entry->first, &memories[entry->second.memory]);
    entry->second.is_open = is_open;
  }
  show_range(base_of(pointer), *range);
  for (const auto& [address, memory] : fresh) {
    if (memory->contents.empty()) continue;
    const OpenRange open(to_pointer(address), memory->bytes);
    std::memcpy(to_pointer(address), memory->contents.data(), memory->bytes);
    set_written_bits_of(address, memory->written);
    memory->contents = {};
    memory->written = {};
  }
  return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr pointer) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  Range* range = range_of(pointer, 1);
  if (!flags || !location || !range || !is_device(*location)) return CUDA_ERROR_INVALID_VALUE;
  for (const auto& [address, mapping] : range->mappings)
    if (pointer - address < mapping.bytes) {
      *flags = mapping.is_open ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle memory) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  const auto found = memories.find(memory);
  if (!properties || found == memories.end()) return CUDA_ERROR_INVALID_VALUE;
  *properties = found->second.properties;
  return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* memory, void* pointer) {
  const HostCall turn;
  if (const CUresult missing = missing_state(false); missing != CUDA_SUCCESS) return missing;
  const CUdeviceptr wanted = address_of_pointer(pointer);
  Range* range = range_of(wanted, 1);
  if (!memory || !range) return CUDA_ERROR_INVALID_VALUE;
  for (const auto& [address, mapping] : range->mappings)
    if (wanted - address < mapping.bytes) {
      *memory = mapping.memory;
      ++memories[*memory].references;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}
}
