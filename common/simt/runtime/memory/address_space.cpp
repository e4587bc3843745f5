// Which memory an address is in, as __isGlobal() and the like ask in kernels, and addresses within one memory alone.
#include "simt/include/simt_shim/entry_points.h"
#include "simt/runtime/machine/fiber.hpp"
#include "simt/runtime/machine/reset.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/shared_memory.hpp"

#include <map>

namespace simt {

namespace {

/// The __grid_constant__ parameters of the threads that run, which lie on their stacks: bytes by their first address.
std::map<std::uintptr_t, std::size_t> grid_constants;
const OnReset forget_grid_constants([] { grid_constants.clear(); });

bool is_grid_constant(std::uintptr_t address) {
  const auto behind = grid_constants.upper_bound(address);
  return behind != grid_constants.begin() && address - std::prev(behind)->first < std::prev(behind)->second;
}

simt_space space_of(std::uintptr_t address) {
  if (in_shared(address))
    return &shared_owner(address) == machine.block ? simt_space_shared : simt_space_other_shared;
  if (on_stack(address)) return is_grid_constant(address) ? simt_space_grid_constant : simt_space_local;
  const DeviceSection* const section = find_section(address);
  return section && section->kind == 1 ? simt_space_constant : simt_space_global;
}

} // namespace

} // namespace simt

extern "C" {

int __simt_space_of(const void* address) {
  return simt::machine.lane ? simt::space_of(reinterpret_cast<std::uintptr_t>(address)) : simt_space_global;
}

std::size_t __simt_shared_base(void) { return simt::machine.lane ? simt::machine.block->shared_base : 0; }

void __simt_grid_constant(const void* parameter, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(parameter);
  if (bytes != 0)
    simt::grid_constants[address] = bytes;
  else
    simt::grid_constants.erase(address);
}

} // extern "C"
