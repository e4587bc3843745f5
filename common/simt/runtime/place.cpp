#include "simt/runtime/place.hpp"

#include "simt/runtime/code_map.hpp"
#include "simt/runtime/global_memory.hpp"
#include "simt/runtime/shared_memory.hpp"

namespace simt {

namespace {

std::string bracketed(std::size_t index) { return "[" + std::to_string(index) + "]"; }

/// Index of the element at byte `offset`, over up to four dimensions.
std::string element_index(std::size_t offset, std::size_t element_size, unsigned rank,
                          const std::size_t* extents) {
  if (element_size == 0) return " + " + plural(offset, "byte");
  std::size_t element = offset / element_size, inside = offset % element_size;
  std::string text;
  for (unsigned d = rank > 4 ? 4 : rank; d-- > 1;) {
    text = bracketed(element % extents[d]) + text;
    element /= extents[d];
  }
  if (rank > 0) text = bracketed(element) + text;
  if (inside != 0) text += " (byte " + std::to_string(inside) + " of it)";
  return text;
}

std::string size_of(const Allocation& allocation) {
  if (allocation.element_size == 0) return plural(allocation.valid_bytes, "byte");
  return plural(allocation.valid_bytes / allocation.element_size, "element");
}

std::string relation(std::uintptr_t address, std::uintptr_t begin, std::size_t bytes) {
  if (address < begin) return plural(begin - address, "byte") + " before the start of ";
  if (address < begin + bytes) return "across the end of ";
  std::size_t past = address - (begin + bytes);
  return past == 0 ? std::string("just past the end of ") : plural(past, "byte") + " past the end of ";
}

/// The index that leads from the start of the allocation to `address`; empty where unknown.
std::string outside_index(std::uintptr_t address, const Allocation& allocation) {
  if (allocation.element_size == 0) return {};
  auto distance = static_cast<std::int64_t>(address) - static_cast<std::int64_t>(allocation.valid);
  auto size = static_cast<std::int64_t>(allocation.element_size);
  return "[" + std::to_string(distance >= 0 ? distance / size : -((-distance + size - 1) / size)) + "]";
}

std::string index_hint(std::uintptr_t address, const Allocation& allocation) {
  std::string index = outside_index(address, allocation);
  return index.empty() ? index : " (as an index: " + allocation.name + index + ")";
}

} // namespace

std::string block_text(const Block& block) {
  return "(" + std::to_string(block.index.x) + "," + std::to_string(block.index.y) + "," +
         std::to_string(block.index.z) + ")";
}

std::string describe(const Allocation& allocation) {
  return allocation.name.empty() ? "a block of " + plural(allocation.bytes, "byte") + " from cudaMalloc"
                                 : allocation.name;
}

std::string plural(std::size_t count, const std::string& unit) {
  return std::to_string(count) + " " + unit + (count == 1 ? "" : "s");
}

Place find_place(const Block* block, std::uintptr_t address) {
  if (block && in_shared(address)) {
    const Block& owner = shared_owner(address);
    const SharedVariable* variable = find_shared_variable(owner, address, 1);
    if (!variable) return {};
    const simt_shared_type& type = *variable->type;
    std::size_t offset = address - owner.shared_base - variable->offset;
    return {variable->name, element_index(offset, type.element_size, type.rank, type.extents),
            type.size == 0 ? "dynamic shared memory" : "shared memory",
            &owner == block ? "" : " of block " + block_text(owner)};
  }
  if (in_global(address)) {
    const Allocation* allocation = find_allocation(address);
    if (!allocation || address - allocation->valid >= allocation->valid_bytes) return {};
    return {describe(*allocation),
            element_index(address - allocation->valid, allocation->element_size, 1, nullptr), "global memory",
            ""};
  }
  if (find_section(address)) {
    Symbol symbol = find_variable(address);
    return {symbol.name, symbol.offset == 0 ? "" : " + " + plural(symbol.offset, "byte"), "device variable",
            ""};
  }
  return {};
}

Place nearest_place(const Block* block, std::uintptr_t address) {
  if (block && in_shared(address)) {
    const SharedVariable* variable = nearest_shared_variable(*block, address);
    return variable ? Place{variable->name, "", "shared memory", ""} : Place{};
  }
  const Allocation* allocation = nearest_allocation(address);
  return allocation ? Place{allocation->name, outside_index(address, *allocation), "global memory", ""}
                    : Place{};
}

std::string describe_distance(const Block* block, std::uintptr_t address) {
  if (block && in_shared(address)) {
    const Block& owner = shared_owner(address);
    const SharedVariable* variable = nearest_shared_variable(owner, address);
    if (!variable) return "this kernel has no shared memory there";
    return "it lies " + relation(address, owner.shared_base + variable->offset, variable->bytes) +
           "the shared variable " + variable->name +
           (&owner == block ? "" : " of block " + block_text(owner)) + ", which has " +
           plural(variable->bytes, "byte");
  }
  const Allocation* allocation = nearest_allocation(address);
  if (!allocation) return "nothing has been allocated on the device";
  if (!allocation->live && address - allocation->base < allocation->bytes)
    return "it lies in " + describe(*allocation) + ", which has been freed with cudaFree";
  return "it lies " + relation(address, allocation->valid, allocation->valid_bytes) + describe(*allocation) +
         (allocation->name.empty() ? "" : ", which has " + size_of(*allocation)) +
         index_hint(address, *allocation);
}

} // namespace simt
