#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace simt::compiler {

/// Which files a submission may be made of: itself, and headers that are on every machine.
class HeaderRule {
public:
  /// Files and whole folders, as they are called, and by their real paths, which are compared.
  HeaderRule(const std::vector<std::string>& named, const std::vector<std::string>& real_paths);

  bool allows(const std::string& path) const;

  /// The error for the first of the files that a compiler has read for `source`, if it is not allowed; else empty.
  std::string refusal(const std::string& source, const std::vector<std::string>& read) const;
  /// The error where a preprocessor tells in `said` of a file that this process may not open either; else empty.
  std::string refusal_of_unreadable(const std::string& source, std::string_view said) const;
  /// The same of an assembler, for the files that inline assembly asks for.
  std::string refusal_of_unassembled(const std::string& source, std::string_view said) const;

private:
  std::set<std::string> allowed_;
};

/// The files that a depfile of a compiler or an assembler lists.
std::vector<std::string> read_dependencies(const std::string& depfile);

/// The error for a directive with which a source says that its text is another file's, or has the compiler read its state
/// from a file; empty if there is none. `preprocessed` begins where the source does.
std::string refused_directive(const std::string& source, std::string_view preprocessed);

} // namespace simt::compiler
