#include "simt/runtime/memory/place.hpp"

#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/shared_memory.hpp"

#include <map>

namespace simt {

namespace {

/// Index of the element at byte `offset`, over up to four dimensions.
std::vector<std::int64_t> element_at(std::size_t offset, std::size_t element_size, unsigned rank,
                                     const std::size_t* extents) {
  if (element_size == 0 || rank == 0) return {};
  std::size_t element = offset / element_size;
  std::vector<std::int64_t> index;
  for (unsigned d = rank > 4 ? 4 : rank; d-- > 1;) {
    index.insert(index.begin(), static_cast<std::int64_t>(element % extents[d]));
    element /= extents[d];
  }
  index.insert(index.begin(), static_cast<std::int64_t>(element));
  return index;
}

/// Where `address` lies beside an array.
Outside beside(std::uintptr_t address, std::uintptr_t begin, std::size_t bytes, std::size_t element_bytes,
               bool dynamic) {
  using Side = Outside::Side;
  Outside outside{.array_bytes = bytes, .element_bytes = element_bytes, .dynamic = dynamic};
  outside.side = address < begin ? Side::before : address < begin + bytes ? Side::across : Side::past;
  if (outside.side == Side::before) outside.distance = begin - address;
  if (outside.side == Side::past) outside.distance = address - (begin + bytes);
  return outside;
}

/// The index that leads from the start of the allocation to `address`; empty where unknown.
std::vector<std::int64_t> outside_index(std::uintptr_t address, const Allocation& allocation) {
  if (allocation.element_size == 0) return {};
  auto distance = static_cast<std::int64_t>(address) - static_cast<std::int64_t>(allocation.valid);
  auto size = static_cast<std::int64_t>(allocation.element_size);
  return {distance >= 0 ? distance / size : -((-distance + size - 1) / size)};
}

/// No array is as large: there is less device memory than this.
constexpr std::size_t far_away = std::size_t{1} << 30;

/// How far below an array's start a wrapped index is looked for.
constexpr std::int64_t most_below_zero = 64 * 1024;

/// Of an index of 32 bits: what it adds for each element that it is below 0.
constexpr std::uint64_t wrap = std::uint64_t{1} << 32;

std::size_t distance(std::uintptr_t address, std::uintptr_t begin, std::size_t bytes) {
  if (address < begin) return begin - address;
  return address < begin + bytes ? 0 : address - (begin + bytes);
}

/// Whether `address` is where an index near 2^32 leads from `begin`, with elements of `scale` bytes.
bool leads_to(std::uintptr_t address, std::uintptr_t begin, std::size_t bytes, std::size_t scale) {
  const auto offset = static_cast<std::int64_t>(address - begin - wrap * scale);
  return scale != 0 && offset >= -most_below_zero && offset < static_cast<std::int64_t>(bytes);
}

/// The shared variable from which such an index leads to `address`, the nearest one, with elements of `scale` bytes
/// (0: each variable's own); or null.
const SharedVariable* wrapped_shared_variable(const Block& block, std::uintptr_t address, std::size_t scale) {
  const SharedVariable* best = nullptr;
  std::size_t nearest = 0;
  for (const SharedVariable& variable : block.grid->variables) {
    const std::size_t step = scale != 0 ? scale : variable.type->element_size;
    const std::uintptr_t begin = block.shared_base + variable.offset;
    if (!leads_to(address, begin, variable.bytes, step)) continue;
    const std::size_t off = distance(address - wrap * step, begin, variable.bytes);
    if (best && off >= nearest) continue;
    best = &variable;
    nearest = off;
  }
  return best;
}

/// Whether the kernel has a pointer of its own to byte `offset` of its dynamic shared memory, or before it, whose elements
/// are not those of the declaration: the nearest one; or null.
const SharedPointer* pointer_to(const Grid& grid, std::size_t offset, const simt_shared_type& declared) {
  const SharedPointer* best = nullptr;
  const auto is_better = [&](const SharedPointer& pointer) {
    if (!best || pointer.offset != best->offset) return !best || pointer.offset > best->offset;
    return pointer.element_size != best->element_size; // a second name for the same is no better
  };
  for (const SharedPointer& pointer : grid.pointers)
    if (!pointer.varies && pointer.offset <= offset && is_better(pointer)) best = &pointer;
  return best && (best->offset != 0 || best->element_size != declared.element_size) ? best : nullptr;
}

std::map<std::uintptr_t, const simt_shared_type*> types_of_variables; ///< in device memory

} // namespace

Place place_of(const Allocation& allocation) {
  return {.variable = allocation.name,
          .unnamed_bytes = allocation.name.empty() ? allocation.bytes : 0,
          .space = Space::global,
          .in_array = allocation.array};
}

const simt_shared_type* type_of_variable(std::uintptr_t variable) {
  const auto known = types_of_variables.find(variable);
  return known == types_of_variables.end() ? nullptr : known->second;
}

Place find_place(const Block* block, std::uintptr_t address) {
  if (block && in_shared(address)) {
    const Block& owner = shared_owner(address);
    const SharedVariable* variable = find_shared_variable(owner, address, 1);
    if (!variable) return {};
    const simt_shared_type& type = *variable->type;
    std::size_t offset = address - owner.shared_base - variable->offset;
    const SharedPointer* pointer = type.size == 0 ? pointer_to(*owner.grid, offset, type) : nullptr;
    if (pointer) offset -= pointer->offset;
    const std::size_t element_size = pointer ? pointer->element_size : type.element_size;
    Place place{.variable = pointer ? std::string(pointer->name) : variable->name,
                .space = Space::shared,
                .element = element_at(offset, element_size, type.rank, type.extents)};
    place.byte = place.element.empty() ? offset : offset % element_size;
    if (&owner != block) place.owner = extent_of(owner.index);
    return place;
  }
  if (in_global(address)) {
    const Allocation* allocation = find_allocation(address);
    if (!allocation || address - allocation->valid >= allocation->valid_bytes) return {};
    const std::size_t offset = address - allocation->valid;
    Place place = place_of(*allocation);
    place.element = element_at(offset, allocation->element_size, allocation->rank, allocation->extents);
    place.byte = place.element.empty() ? offset : offset % allocation->element_size;
    return place;
  }
  if (find_section(address)) {
    Symbol symbol = find_variable(address);
    Place place{.variable = symbol.name, .space = Space::global, .byte = symbol.offset};
    const simt_shared_type* const type = type_of_variable(address - symbol.offset);
    if (!type) return place;
    place.element = element_at(symbol.offset, type->element_size, type->rank, type->extents);
    if (!place.element.empty()) place.byte = symbol.offset % type->element_size;
    return place;
  }
  return {};
}

std::optional<std::size_t> offset_of_pointer(const Block& block, std::uintptr_t address) {
  const SharedVariable* variable = in_shared(address) ? find_shared_variable(block, address, 1) : nullptr;
  if (!variable || variable->type->size != 0) return std::nullopt;
  const SharedPointer* pointer =
      pointer_to(*block.grid, address - block.shared_base - variable->offset, *variable->type);
  return pointer ? std::optional(pointer->offset) : std::nullopt;
}

Near nearest_place(const Block* block, std::uintptr_t address) {
  Near near;
  if (block && in_shared(address)) {
    const Block& owner = shared_owner(address);
    near.place.space = Space::shared;
    if (&owner != block) near.place.owner = extent_of(owner.index);
    if (const SharedVariable* variable = nearest_shared_variable(owner, address)) {
      near.place.variable = variable->name;
      const std::size_t size = variable->type->element_size, start = owner.shared_base + variable->offset;
      if (variable->type->rank == 1 && variable->type->size != 0 && size > 1 && address >= start)
        near.place.element = {static_cast<std::int64_t>((address - start) / size)};
      near.outside = beside(address, owner.shared_base + variable->offset, variable->bytes,
                            variable->type->element_size, variable->type->size == 0);
    }
  } else if (const Allocation* allocation = nearest_allocation(address)) {
    near.place = place_of(*allocation);
    near.place.element = outside_index(address, *allocation);
    near.outside =
        beside(address, allocation->valid, allocation->valid_bytes, allocation->element_size, false);
    near.outside->pitch = allocation->origin.pitch;
    near.outside->width = allocation->origin.width;
  }
  const std::size_t far = near.place.space == Space::shared ? shared_window : far_away;
  near.is_far = near.outside && near.outside->distance >= far;
  return near;
}

bool is_far_from_all(std::uintptr_t address) {
  const Allocation* nearest = in_global(address) ? nearest_allocation(address) : nullptr;
  return nearest && distance(address, nearest->valid, nearest->valid_bytes) >= far_away;
}

std::optional<Overflow> overflow_at(std::uintptr_t address, unsigned size) {
  for (const unsigned bits : {16u, 32u}) {
    const std::uintptr_t meant = address + (std::uintptr_t{size} << bits);
    const Allocation* allocation = find_allocation(meant);
    if (!allocation || allocation->element_size != size || address >= allocation->valid ||
        meant - allocation->valid >= allocation->valid_bytes)
      continue;
    // The lower half of the negative numbers: of those near 0 it is likelier that they are meant to be what they are.
    const std::int64_t half = std::int64_t{1} << (bits - 1), index = outside_index(address, *allocation)[0];
    if (index < -half || index >= -half / 2) continue;
    Overflow found{place_of(*allocation),
                   beside(address, allocation->valid, allocation->valid_bytes, size, false), bits};
    found.place.element = {index};
    return found;
  }
  return std::nullopt;
}

Place place_below_zero(const Block* block, std::uintptr_t address, unsigned size) {
  if (block) {
    if (const SharedVariable* variable = wrapped_shared_variable(*block, address, 0)) {
      const std::size_t offset = address - block->shared_base - variable->offset;
      Place place{.variable = variable->name, .space = Space::shared};
      if (variable->type->rank == 1)
        place.element = {static_cast<std::int64_t>(offset / variable->type->element_size)};
      return place;
    }
    if (const SharedVariable* variable = wrapped_shared_variable(*block, address, size))
      return {.variable = variable->name, .space = Space::shared};
  }
  const Allocation* allocation = nearest_allocation(address - wrap * size);
  if (!allocation || !leads_to(address, allocation->valid, allocation->valid_bytes, size)) return {};
  Place place = place_of(*allocation);
  if (allocation->element_size == size) place.element = outside_index(address, *allocation);
  return place;
}

std::optional<Near> place_before_cut(std::uintptr_t address) {
  for (const Allocation& allocation : all_allocations()) {
    if (!allocation.live || address < allocation.valid + wrap) continue;
    Near near{.place = place_of(allocation),
              .outside =
                  beside(address, allocation.valid, allocation.valid_bytes, allocation.element_size, false)};
    if (!is_near_cut_end(*near.outside)) continue;
    near.place.element = outside_index(address, allocation);
    return near;
  }
  return std::nullopt;
}

} // namespace simt

extern "C" void __simt_describe_variable(const void* variable, const simt_shared_type* type) {
  simt::types_of_variables[reinterpret_cast<std::uintptr_t>(variable)] = type;
}
