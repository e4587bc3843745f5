#pragma once
/// Tells the grader's library which lab the executable grades.

namespace warpbook::detail {

/// An object of the program, which warpbook_register_lab() in common/cmake/Warpbook.cmake writes: the rubric's own code names no
/// path of the tree, so that what was compiled of it in one clone serves in another.
struct LabRegistration {
  /// `contract_file`: the path of lab.hpp. `lab`: such as 01-coalescing; if empty, the name of the contract's folder.
  LabRegistration(const char* contract_file, const char* lab);
};

} // namespace warpbook::detail
