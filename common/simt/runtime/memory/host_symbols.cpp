#include "simt/runtime/memory/host_symbols.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/machine/simt.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace simt {

namespace {

/// A variable of which host code has used the address by its name.
struct HostSymbol {
  std::uintptr_t begin;
  std::size_t bytes;
  std::string name;
};
std::vector<HostSymbol> host_symbols;
std::map<std::uintptr_t, std::size_t> constants; ///< of both sides: their bytes, by where they begin
std::vector<std::uintptr_t> told_to_host;        ///< variables whose device address it has asked for

const HostSymbol* find_host_symbol(std::uintptr_t address) {
  const auto found = std::ranges::find_if(
      host_symbols, [=](const HostSymbol& symbol) { return address - symbol.begin < symbol.bytes; });
  return found == host_symbols.end() ? nullptr : &*found;
}

} // namespace

void note_symbol_address(std::uintptr_t variable) { told_to_host.push_back(variable); }

const char* named_by_host(std::uintptr_t address) {
  const HostSymbol* const symbol = find_host_symbol(address);
  return symbol && std::ranges::find(told_to_host, symbol->begin) == told_to_host.end() ? symbol->name.c_str()
                                                                                        : nullptr;
}

bool is_constant_on_both_sides(std::uintptr_t address) {
  const auto behind = constants.upper_bound(address);
  return behind != constants.begin() && address - std::prev(behind)->first < std::prev(behind)->second;
}

void check_symbols_in_arguments(const simt_launch_site& site, const simt_closure_operations& operations,
                                const void* closure) {
  if (host_symbols.empty()) return;
  for (std::size_t i = 0; i + sizeof(std::uintptr_t) <= operations.size; i += sizeof(std::uintptr_t)) {
    std::uintptr_t address;
    std::memcpy(&address, static_cast<const char*>(closure) + i, sizeof address);
    if (const char* const name = named_by_host(address))
      report({"host-pointer-in-kernel", "symbol"}, site.file, site.line, fact::Subject{name});
  }
}

} // namespace simt

using namespace simt;

extern "C" void __simt_host_symbol(const void* variable, std::size_t bytes, const char* name) {
  if (machine.lane) return;
  const HostCall turn;
  const auto begin = reinterpret_cast<std::uintptr_t>(variable);
  if (!find_host_symbol(begin)) host_symbols.push_back({begin, bytes, name});
}

extern "C" void __simt_constant_on_both_sides(const void* variable, std::size_t bytes) {
  constants[reinterpret_cast<std::uintptr_t>(variable)] = bytes;
}
