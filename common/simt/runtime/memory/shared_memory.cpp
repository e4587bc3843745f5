#include "simt/runtime/memory/shared_memory.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/schedule/control.hpp"

#include <algorithm>

namespace simt {

namespace {

// Every variable starts at bank 0, as if it were the only one.
constexpr std::size_t variable_alignment = 128;

std::size_t align_up(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// The space below the first static variable belongs to dynamic shared memory.
std::size_t first_static_offset(const Grid& grid) {
  return align_up(grid.dynamic_bytes + shared_red_zone, variable_alignment);
}

/// By slot; null: of no block.
std::vector<Block*> window_owners;
unsigned windows_taken = 0;

SharedVariable& add_to(Grid& grid, const SharedVariable& variable) {
  grid.has_classes |= variable.type->element_aligned != 0;
  grid.variables.push_back(variable);
  return grid.variables.back();
}

SharedVariable& add_variable(Grid& grid, const char* name, const char* file, int line,
                             const simt_shared_type* type) {
  if (grid.next_offset == 0) grid.next_offset = first_static_offset(grid);
  SharedVariable variable{name, file, line, type, 0, type->size};
  variable.offset = align_up(grid.next_offset, std::max(type->alignment, variable_alignment));
  grid.static_bytes = align_up(grid.static_bytes, type->alignment) + type->size;
  // On the device static arrays cannot opt in to more than the default.
  if (grid.static_bytes > default_shared_limit ||
      grid.static_bytes + grid.dynamic_bytes > grid.shared_limit) {
    record_at(diagnostic_at({.variable = name}, {"invalid-launch", "shared-memory"},
                            fact::Amount{grid.static_bytes + grid.dynamic_bytes},
                            fact::Limit{grid.shared_limit}),
              file, line);
    abandon_grid(cudaErrorInvalidValue);
  }
  grid.next_offset = variable.offset + type->size + shared_red_zone;
  grid.record.shared_bytes = grid.static_bytes + grid.dynamic_bytes;
  return add_to(grid, variable);
}

} // namespace

unsigned take_window(Block& block) {
  // Mostly those that are taken are the first ones.
  const bool has_gap = windows_taken < window_owners.size();
  const auto free = has_gap ? std::ranges::find(window_owners, nullptr) : window_owners.end();
  const auto slot = static_cast<unsigned>(free - window_owners.begin());
  if (has_gap)
    *free = &block;
  else
    window_owners.push_back(&block);
  ++windows_taken;
  return slot;
}

void give_window_back(unsigned slot) {
  window_owners[slot] = nullptr;
  --windows_taken;
  while (!window_owners.empty() && !window_owners.back()) window_owners.pop_back();
}

unsigned windows_in_use() { return windows_taken; }

void reset_shared_memory(Block& block) {
  const Grid& grid = *block.grid;
  set_written_bits(block.shared_base, grid.dynamic_bytes, false);
  for (const SharedVariable& variable : grid.variables)
    set_written_bits(block.shared_base + variable.offset, variable.bytes, false);
}

const Block& shared_owner(std::uintptr_t address) {
  const std::size_t slot = (address - machine.arena) / shared_window;
  const Block* const owner = slot < window_owners.size() ? window_owners[slot] : nullptr;
  return owner && owner->grid == machine.grid ? *owner : *machine.block;
}

const SharedVariable* find_shared_variable(const Block& block, std::uintptr_t address, std::size_t bytes) {
  std::size_t offset = address - block.shared_base;
  for (const SharedVariable& variable : block.grid->variables)
    if (offset - variable.offset < variable.bytes && bytes <= variable.offset + variable.bytes - offset)
      return &variable;
  return nullptr;
}

const SharedVariable* nearest_shared_variable(const Block& block, std::uintptr_t address) {
  std::size_t offset = address - block.shared_base;
  auto distance = [offset](const SharedVariable& variable) {
    if (offset < variable.offset) return variable.offset - offset;
    std::size_t end = variable.offset + variable.bytes;
    return offset < end ? 0 : offset - end;
  };
  const auto& variables = block.grid->variables;
  auto nearest = std::min_element(variables.begin(), variables.end(),
                                  [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return nearest == variables.end() ? nullptr : &*nearest;
}

} // namespace simt

using namespace simt;

extern "C" void* __simt_shared_variable(const char* name, const char* file, int line,
                                        const simt_shared_type* type) {
  require_kernel("a __shared__ variable");
  Grid& grid = *machine.grid;
  for (const SharedVariable& variable : grid.variables)
    if (variable.name == name && variable.line == line && variable.type == type && variable.file == file)
      return reinterpret_cast<void*>(machine.block->shared_base + variable.offset);
  const SharedVariable& variable = add_variable(grid, name, file, line, type);
  // Blocks that are already resident started before this variable was known.
  for (const Block* block : grid.windows)
    set_written_bits(block->shared_base + variable.offset, variable.bytes, false);
  return reinterpret_cast<void*>(machine.block->shared_base + variable.offset);
}

extern "C" void __simt_name_shared(const void* pointer, const char* name, std::size_t element_size) {
  constexpr std::size_t most = 32; // some kernels have pointers for each turn of a loop
  if (!machine.lane) return;
  Grid& grid = *machine.grid;
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(pointer) - machine.block->shared_base;
  if (offset >= grid.dynamic_bytes) return;
  for (SharedPointer& known : grid.pointers) {
    if (known.name != name || known.element_size != element_size) continue;
    known.varies |= known.offset != offset;
    return;
  }
  if (grid.pointers.size() < most) grid.pointers.push_back({name, offset, element_size});
}

extern "C" void* __simt_dynamic_shared(const char* name, const simt_shared_type* type) {
  require_kernel("dynamic shared memory");
  Grid& grid = *machine.grid;
  if (grid.dynamic_variable == ~std::size_t{0}) {
    grid.dynamic_variable = grid.variables.size();
    add_to(grid, {name, "", 0, type, 0, grid.dynamic_bytes});
  }
  return reinterpret_cast<void*>(machine.block->shared_base);
}
