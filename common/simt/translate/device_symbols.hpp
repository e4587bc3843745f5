#pragma once

#include <set>
#include <string>
#include <vector>

namespace simt::compiler {

/// Lets each object keep its own of the device functions and variables that several of them define: without
/// relocatable device code, nvcc's files know nothing of each other. A name that an object asks for and does
/// not define stays as it is, and so do names that are not in `device_names`. Throws EnvironmentError if the
/// tool for it is missing.
void separate_device_symbols(const std::vector<std::string>& objects,
                             const std::set<std::string>& device_names);

/// What a linker says of a symbol that several files define, in a sentence for each symbol; empty if it says
/// no such thing.
std::string multiple_definitions(const std::string& linker_output);

} // namespace simt::compiler
