#pragma once
/// A mutant as it is compiled. Most mutants have nothing but a header and the regions that they replace in the lab's
/// solution; the others, which have code outside of regions, are whole files.

#include <string>
#include <vector>

namespace warpbook {

/// A text with the path that messages name it by.
struct SourceFile {
  std::string path;
  std::string text;
};

/// What is compiled for `mutant`: an #include of it if it is a whole file, else the solution's text with the mutant's
/// regions in place of its own, and `#line` directives, so that messages name the file that a line comes from.
///
/// TODO(2) replaces the text between the solution's markers, GIVEN(name) the definition of `name`, wherever it stands. Of
/// the contract's functions only those named in `functions` are kept, or all if it is empty; then what they use, and
/// what has lines of the mutant's. Throws std::invalid_argument with "PATH:LINE: error: …" for a mutant that does not fit.
std::string compose(const SourceFile& mutant, const SourceFile& solution,
                    const std::vector<std::string>& functions);

/// Which of the contract's functions are kept: those of the item that a mutant's header names, or all.
enum class Kept { functions_of_item, all_functions };

/// Composes each of `mutants` with the solution at `solution_path` into `folder`, under its own file name. Files that would
/// not change are not written. Returns a line for each mutant that does not fit, as compose() throws it; the others are
/// written all the same.
std::string compose_into(const std::string& folder, const std::string& solution_path,
                         const std::vector<std::string>& mutants, Kept kept);

} // namespace warpbook
