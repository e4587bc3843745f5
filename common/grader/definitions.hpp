#pragma once
/// What a kernel file defines at file scope, and which of it uses what: enough of C++ to leave out what is not needed.

#include <string>
#include <vector>

namespace warpbook {

/// One definition or declaration at file scope.
struct Definition {
  std::size_t first = 0;          ///< index of its first line
  std::size_t last = 0;           ///< index behind its last line
  std::vector<std::string> names; ///< that it declares; empty where they are not seen
  std::vector<std::string> words; ///< the identifiers in it
  bool is_contract = false;       ///< outside of every namespace: a function of the contract
  bool has_body = false;

  bool declares(const std::string& name) const;
};

/// All of a file's, in their order. `#` lines, and those that open or close a namespace, belong to none.
std::vector<Definition> definitions_of(const std::vector<std::string>& lines);

} // namespace warpbook
