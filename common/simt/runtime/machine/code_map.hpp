// Which module an address of code or data belongs to.
#pragma once

#include "simt/report/report.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace simt {

enum class HostRange { read_only, writable, stack, elsewhere };

/// What kind of host memory `address` is: constants and code of a loaded module, its variables, the stack of
/// the host thread, or anything else (mostly the heap).
HostRange classify_host_address(std::uintptr_t address);

/// The stack of the thread of the host that has asked first, as far down as it may grow: lowest address and bytes.
std::pair<std::uintptr_t, std::size_t> host_stack();

/// True for code of the executable itself, as opposed to a module that it has loaded.
bool is_main_program(std::uintptr_t code);

/// The code location of a call, given its return address.
CodeAddress code_address(std::uintptr_t return_address);

/// The return addresses of the calls that the host is in, `most` at the most, from that one outwards which returns to `innermost`.
std::vector<std::uintptr_t> host_frames(std::uintptr_t innermost, std::size_t most);

/// Of such addresses those in the module that the innermost one is in, up to the first one that is not.
std::vector<CodeAddress> callers_at(const std::vector<std::uintptr_t>& frames);

/// A small number for a call site (a return address), at which so many bytes are accessed now; 0 when there are too many.
std::uint16_t site_number(std::uintptr_t site, unsigned bytes);
std::uintptr_t site_of_number(unsigned number);
/// How many bytes an access at the call site has; 0 if there were accesses of several sizes, or none.
unsigned bytes_at_site(std::uintptr_t site);

/// The name of the variable at `address` in a module, with the offset of the address in it and its size in
/// bytes; empty where unknown.
struct Symbol {
  std::string name;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};
Symbol find_variable(std::uintptr_t address);

} // namespace simt
