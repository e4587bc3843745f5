#pragma once
/// Rubric items. An item is a doctest test case with the workbook's own decorators:
///
///   TEST_CASE("offset_add adds one at every offset" * points(2) * tests("offset_add_f32") * todo(1)) { ... }
///
/// Its name is a sentence, unique ignoring case, without any of []; * ? " and backslash.

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace warpbook {

/// What the decorators said about an item.
struct Item {
  std::string name;
  std::string file; ///< of the TEST_CASE
  unsigned line = 0;
  int points = 0;
  int todo = 0;                   ///< 0: none
  std::vector<int> further_todos; ///< that the functions it calls run through
  std::vector<std::string> functions;
  std::vector<std::string> labels;
  bool on_sim = true;
  bool on_cuda = true;
  int capability_major = 0; ///< least compute capability of a GPU
  int capability_minor = 0;
  std::size_t shown_size = 0; ///< of a scene, which is no item: the size that it has by itself
};

/// The points that the item is worth; 0 for one that informs and decides no mark.
struct points {
  explicit points(int value) : value(value) {}
  void fill(doctest::detail::TestCase& test) const;
  int value;
};

/// The contract's functions that the item calls. A step or peer without one of them does not run it.
struct tests {
  template <typename... Names>
  explicit tests(Names... names) : functions{names...} {}
  void fill(doctest::detail::TestCase& test) const;
  std::vector<std::string> functions;
};

/// The number of the TODO(n) marker in the starter that the item is about.
struct todo {
  explicit todo(int number) : number(number) {}
  void fill(doctest::detail::TestCase& test) const;
  int number;
};

/// Functions of the contract that run through several TODOs: an item that calls one of them can fail for any of these.
///
///   const RunsThrough dots({"dot_f32", "dot_f64"}, {2, 3, 4});
struct RunsThrough {
  RunsThrough(std::initializer_list<std::string> functions, std::vector<int> todos);
};

/// Whether a failure of the item can have its cause in TODO(`todo`).
bool can_fail_for(const Item& item, int todo);

/// Whether the item is the first to judge what comes out of one of its functions.
bool is_first_to_judge(const Item& item);

/// A further label in --list-items, e.g. "technique".
struct label {
  explicit label(std::string text) : text(std::move(text)) {}
  void fill(doctest::detail::TestCase& test) const;
  std::string text;
};

/// The item is graded on the simulator only (counters, schedules).
struct sim_only {
  void fill(doctest::detail::TestCase& test) const;
};

/// The item is graded on a GPU only (real sizes, speed).
struct cuda_only {
  void fill(doctest::detail::TestCase& test) const;
};

/// On a GPU the item needs this compute capability; it is skipped, with that reason, on a lesser one.
struct needs_capability {
  explicit needs_capability(int major, int minor = 0) : major(major), minor(minor) {}
  void fill(doctest::detail::TestCase& test) const;
  int major;
  int minor;
};

/// The case is a scene and no item: a small call that shows what a function does with memory (./warpbook see). It calls the
/// function with size_to_see(), which is `size` unless the student asks for another, and checks what that returns.
struct shows {
  shows(std::string function, std::size_t size) : function(std::move(function)), size(size) {}
  void fill(doctest::detail::TestCase& test) const;
  std::string function;
  std::size_t size;
};

/// How large the call of the scene that is running is to be.
std::size_t size_to_see();

/// All scenes in the order of their lines.
std::vector<Item> all_scenes();
/// All items in the order of their lines.
std::vector<Item> all_items();
/// The item that is running. Throws std::logic_error outside of one.
const Item& current_item();

/// Sets what current_item() means.
void set_current_item(const std::string& name);

/// What is wrong with the items of a rubric, or an empty string: names that CTest or doctest would
/// misread, or that are not unique ignoring case.
std::string item_problem(const std::vector<Item>& items);

} // namespace warpbook
