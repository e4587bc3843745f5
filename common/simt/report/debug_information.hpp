// What the compiler has left of a module's code for debuggers, and simtcc for the simulator.
#pragma once

#include "call/file_descriptor.hpp"

#include <elfutils/libdw.h>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace simt {

/// The debug information of one module.
class DebugInformation {
public:
  explicit DebugInformation(const std::string& path);

  struct Section {
    Dwarf_Addr address = 0;
    std::string_view bytes;
  };
  Section section(const char* name) const;

  /// Whether a file is none of the submission's: simtcc has left the folders of the others' headers, other compilers leave
  /// none.
  bool is_foreign(const std::string& file) const;

  /// The unit behind `unit`, which begins as null. Returns whether there is one.
  bool next_unit(Dwarf_CU*& unit, Dwarf_Die& die) const;

  /// The unit whose code is at `offset`. Not by way of .debug_aranges, which clang leaves out.
  std::optional<Dwarf_Die> unit_at(Dwarf_Addr offset) const;

private:
  warpbook::FileDescriptor file_;
  std::unique_ptr<Dwarf, decltype(&dwarf_end)> information_;
  std::set<std::string> foreign_; ///< folders, with a slash at their end
};

/// An attribute that is a number; nothing where the entry has none of that name.
std::optional<Dwarf_Word> dwarf_number(Dwarf_Die* die, unsigned name);

} // namespace simt
