// The variables of a function that runs, by debug information: what a debugger would show of a moment in a diary.
#pragma once

#include "simt/report/diary.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace simt {

/// A variable or parameter, and its value at that moment.
struct VariableValue {
  enum class Kind { integer, floating, pointer, structure };
  std::string name;
  Kind kind = Kind::integer;
  bool is_signed = false; ///< of integers, and of those that a pointer points to
  unsigned bytes = 0;
  std::uint64_t bits = 0; ///< zero-extended; of a structure none
  std::string text;       ///< as a number, or "{1, 2, 3}" of a structure of numbers; of a pointer its address
  bool operator==(const VariableValue&) const = default;
};

/// A function that runs.
struct FunctionScope {
  std::string function;
  std::string file; ///< of the line where it stands
  unsigned line = 0, column = 0;
  bool is_own = false; ///< whether the file is the program's own, and no header of simulator or compiler
  std::vector<VariableValue> variables; ///< those that are declared above that line, the innermost first
};

/// Reads debug information, module by module; the files have to be there as they ran.
class Variables {
public:
  explicit Variables(const Diaries& diaries);
  ~Variables();
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

  /// The functions that ran at this moment, from the innermost outwards, with what is known of them.
  std::vector<FunctionScope> scopes(const Moment& moment) const;

private:
  class Module;
  std::vector<std::unique_ptr<Module>> modules_;
};

} // namespace simt
