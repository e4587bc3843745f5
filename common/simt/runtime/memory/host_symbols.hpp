// A variable of the device has an address on each side of a GPU: that of the device, which cudaGetSymbolAddress tells, and that of a
// stand-in that host code uses by the variable's name. Here both are one, so what host code has is known by where it came from.
#pragma once

#include <cstdint>

struct simt_launch_site;
struct simt_closure_operations;

namespace simt {

/// Host code has asked for the device's address: what it passes to kernels may be right from now on.
void note_symbol_address(std::uintptr_t variable);

/// What the variable is called that the address is in, if the host has it by the variable's name alone; else null.
const char* named_by_host(std::uintptr_t address);

/// Whether host code may read there: a variable that is `const` has one value on both sides.
bool is_constant_on_both_sides(std::uintptr_t address);

/// Reports arguments that are an address of a variable, if the host has it by the variable's name alone.
void check_symbols_in_arguments(const simt_launch_site& site, const simt_closure_operations& operations,
                                const void* closure);

} // namespace simt
