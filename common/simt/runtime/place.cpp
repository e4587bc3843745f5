#include "simt/runtime/place.hpp"

#include "simt/runtime/code_map.hpp"
#include "simt/runtime/global_memory.hpp"
#include "simt/runtime/shared_memory.hpp"

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

std::string index_text(const std::vector<std::int64_t>& element) {
  std::string text;
  for (const std::int64_t index : element) text += "[" + std::to_string(index) + "]";
  return text;
}

std::string index_text(const std::vector<std::int64_t>& element, std::size_t offset,
                       std::size_t element_size) {
  if (element_size == 0) return " + " + plural(offset, "byte");
  const std::size_t inside = offset % element_size;
  return index_text(element) + (inside == 0 ? "" : " (byte " + std::to_string(inside) + " of it)");
}

std::array<unsigned, 3> index_in_grid(const Block& block) {
  return {block.index.x, block.index.y, block.index.z};
}

std::string size_of(const Allocation& allocation) {
  if (allocation.element_size == 0) return plural(allocation.valid_bytes, "byte");
  return plural(allocation.valid_bytes / allocation.element_size, "element");
}

Outside outside(std::uintptr_t address, std::uintptr_t begin, std::size_t bytes) {
  using Side = Outside::Side;
  if (address < begin) return {Side::before, begin - address, bytes};
  if (address < begin + bytes) return {Side::across, 0, bytes};
  return {Side::past, address - (begin + bytes), bytes};
}

std::string relation(const Outside& place) {
  if (place.side == Outside::Side::across) return "across the end of ";
  if (place.side == Outside::Side::before) return plural(place.distance, "byte") + " before the start of ";
  return place.distance == 0 ? std::string("just past the end of ")
                             : plural(place.distance, "byte") + " past the end of ";
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

std::string index_hint(std::uintptr_t address, const Allocation& allocation) {
  const std::string index = index_text(outside_index(address, allocation));
  return index.empty() ? index : " (as an index: " + allocation.name + index + ")";
}

} // namespace

std::string block_text(const std::array<unsigned, 3>& index) {
  return "(" + std::to_string(index[0]) + "," + std::to_string(index[1]) + "," + std::to_string(index[2]) +
         ")";
}

std::string block_text(const Block& block) { return block_text(index_in_grid(block)); }

std::string Place::text() const {
  return variable + index + (owner ? " of block " + block_text(*owner) : "");
}

void locate(Diagnostic& diagnostic, const Place& place) {
  diagnostic.variable = place.variable;
  diagnostic.index = place.index;
  diagnostic.space = place.space;
  diagnostic.element = place.element;
  diagnostic.owner = place.owner;
}

std::string describe(const Allocation& allocation) {
  return allocation.name.empty() ? "a block of " + plural(allocation.bytes, "byte") + " from cudaMalloc"
                                 : allocation.name;
}

std::string separated(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
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
    Place place{.variable = variable->name,
                .space = Space::shared,
                .element = element_at(offset, type.element_size, type.rank, type.extents)};
    place.index = index_text(place.element, offset, type.element_size);
    if (&owner != block) place.owner = index_in_grid(owner);
    return place;
  }
  if (in_global(address)) {
    const Allocation* allocation = find_allocation(address);
    if (!allocation || address - allocation->valid >= allocation->valid_bytes) return {};
    const std::size_t offset = address - allocation->valid;
    Place place{.variable = describe(*allocation),
                .space = Space::global,
                .element = element_at(offset, allocation->element_size, 1, nullptr)};
    place.index = index_text(place.element, offset, allocation->element_size);
    return place;
  }
  if (find_section(address)) {
    Symbol symbol = find_variable(address);
    return {.variable = symbol.name,
            .index = symbol.offset == 0 ? "" : " + " + plural(symbol.offset, "byte"),
            .space = Space::global};
  }
  return {};
}

Place nearest_place(const Block* block, std::uintptr_t address) {
  if (block && in_shared(address)) {
    const Block& owner = shared_owner(address);
    const SharedVariable* variable = nearest_shared_variable(owner, address);
    Place place{.variable = variable ? variable->name : "", .space = Space::shared};
    if (&owner != block) place.owner = index_in_grid(owner);
    return place;
  }
  const Allocation* allocation = nearest_allocation(address);
  if (!allocation) return {};
  Place place{
      .variable = allocation->name, .space = Space::global, .element = outside_index(address, *allocation)};
  place.index = index_text(place.element);
  return place;
}

bool is_far_away(const Block* block, std::uintptr_t address) {
  if (block && in_shared(address)) {
    const Block& owner = shared_owner(address);
    const SharedVariable* variable = nearest_shared_variable(owner, address);
    return variable &&
           distance(address, owner.shared_base + variable->offset, variable->bytes) >= shared_window;
  }
  const Allocation* allocation = nearest_allocation(address);
  return allocation && distance(address, allocation->base, allocation->bytes) >= far_away;
}

Place place_below_zero(const Block* block, std::uintptr_t address, unsigned size) {
  if (block) {
    if (const SharedVariable* variable = wrapped_shared_variable(*block, address, 0)) {
      const std::size_t offset = address - block->shared_base - variable->offset;
      Place place{.variable = variable->name, .space = Space::shared};
      if (variable->type->rank == 1)
        place.element = {static_cast<std::int64_t>(offset / variable->type->element_size)};
      place.index = index_text(place.element);
      return place;
    }
    if (const SharedVariable* variable = wrapped_shared_variable(*block, address, size))
      return {.variable = variable->name, .space = Space::shared};
  }
  const Allocation* allocation = nearest_allocation(address - wrap * size);
  if (!allocation || !leads_to(address, allocation->valid, allocation->valid_bytes, size)) return {};
  Place place{.variable = describe(*allocation), .space = Space::global};
  if (allocation->element_size == size) place.element = outside_index(address, *allocation);
  place.index = index_text(place.element);
  return place;
}

std::optional<Outside> outside_of(const Block* block, std::uintptr_t address) {
  if (block && in_shared(address)) {
    const Block& owner = shared_owner(address);
    const SharedVariable* variable = nearest_shared_variable(owner, address);
    if (!variable) return {};
    return outside(address, owner.shared_base + variable->offset, variable->bytes);
  }
  const Allocation* allocation = nearest_allocation(address);
  if (!allocation || (!allocation->live && address - allocation->base < allocation->bytes)) return {};
  return outside(address, allocation->valid, allocation->valid_bytes);
}

std::string describe_distance(const Block* block, std::uintptr_t address) {
  if (block && in_shared(address)) {
    const Block& owner = shared_owner(address);
    const SharedVariable* variable = nearest_shared_variable(owner, address);
    if (!variable) return "this kernel has no shared memory there";
    return "it lies " + relation(outside(address, owner.shared_base + variable->offset, variable->bytes)) +
           "the shared variable " + variable->name +
           (&owner == block ? "" : " of block " + block_text(owner)) + ", which has " +
           plural(variable->bytes, "byte");
  }
  const Allocation* allocation = nearest_allocation(address);
  if (!allocation) return "nothing has been allocated on the device";
  if (!allocation->live && address - allocation->base < allocation->bytes)
    return "it lies in " + describe(*allocation) + ", which has been freed with cudaFree";
  return "it lies " + relation(outside(address, allocation->valid, allocation->valid_bytes)) +
         describe(*allocation) + (allocation->name.empty() ? "" : ", which has " + size_of(*allocation)) +
         index_hint(address, *allocation);
}

} // namespace simt
