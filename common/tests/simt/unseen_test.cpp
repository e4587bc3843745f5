#include "simulation.hpp"

#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

using namespace simt;

namespace {

constexpr unsigned count = 186; // two blocks and a part of one

std::vector<float> numbers() {
  std::vector<float> values(2 * count);
  std::iota(values.begin(), values.end(), 0.5F);
  return values;
}

struct Done {
  bool is_right = true;
  Report report;
};

Done run(const std::string& way, const Options& options) {
  cudaDeviceReset(); // and with it an error of the run before
  const std::vector<float> given = numbers();
  Buffer<float> in(given), out(given.size(), false);
  Done done;
  done.report = SIMT_RUN_WITH(options, ("run_" + way).c_str(), out.get(), in.get(), count);
  const std::vector<float> made = out.values();
  for (unsigned i = 0; i < count; ++i)
    done.is_right &= made[2 * i] == given[2 * i + 1] + 1 && made[2 * i + 1] == given[2 * i];
  return done;
}

Done run(const std::string& way, UnseenAccess unseen, std::size_t watched_accesses = 0) {
  static std::size_t left;
  left = watched_accesses;
  Options options;
  options.unseen = unseen;
  options.watched_accesses = &left;
  return run(way, options);
}

const char* const ways_that_are_seen[] = {"members",
                                          "structure",
                                          "passed_by_value",
                                          "passed_to_no_inline",
                                          "copied_before",
                                          "passed_by_reference",
                                          "large",
                                          "large_in_shared",
                                          "copy_constructor",
                                          "copy_assignment",
                                          "variadic",
                                          "unions",
                                          "bit_fields",
                                          "complex_numbers",
                                          "vectors",
                                          "wide_vectors",
                                          "vectors_in_unions",
                                          "lambda_by_reference",
                                          "lambda_by_value",
                                          "placement_new",
                                          "device_heap",
                                          "memory_copy",
                                          "memory_set",
                                          "swapped",
                                          "binding",
                                          "choice",
                                          "member_pointers",
                                          "volatile_members",
                                          "read_only_loads",
                                          "atomics",
                                          "through_function_pointer",
                                          "virtual_call",
                                          "recursion",
                                          "bytes",
                                          "registered",
                                          "with_a_thread",
                                          "in_arrays"};

constexpr UnseenAccess modes[] = {UnseenAccess::passes, UnseenAccess::garbles, UnseenAccess::traps};

} // namespace

TEST_CASE("what the simulator sees is right whatever becomes of what it does not see") {
  for (const std::string way : ways_that_are_seen) {
    CAPTURE(way);
    for (const UnseenAccess unseen : modes) {
      CAPTURE(static_cast<int>(unseen));
      const Done done = run(way, unseen);
      CHECK(done.is_right);
      CHECK(done.report.diagnostics.empty());
      for (const Finding& found : done.report.diagnostics) FAIL_CHECK(found.id << ": " << message_of(found));
      CHECK(total(done.report).global_load_lanes != 0);
    }
  }
}

TEST_CASE("as many accesses as are watched are found out of bounds, whether the simulator sees them or not") {
  constexpr std::size_t all = 1'000'000, some = 100;
  for (const char* way : ways_that_are_seen)
    for (const std::size_t watched : {all, some}) {
      CAPTURE(way);
      const Done done = run(way, UnseenAccess::passes, watched);
      CHECK(done.is_right);
      for (const Finding& found : done.report.diagnostics) FAIL_CHECK(found.id << ": " << message_of(found));
    }
  if (std::string(module_under_test()).ends_with("-clang.so")) return; // it sees structures by value
  const std::string way = "beyond_by_value";
  CHECK(run(way, UnseenAccess::passes).is_right);
  CHECK(run(way, UnseenAccess::passes).report.diagnostics.empty());
  CHECK(run(way, UnseenAccess::passes, some).report.diagnostics.empty());
  const Finding found = the_only(run(way, UnseenAccess::passes, all).report, "out-of-bounds");
  CHECK(lines_of(found) == std::vector{marked_line("unseen.cu", "beyond by value")});
  CHECK(message_of(found).find("it lies just past the end of a block of 1488 bytes") != std::string::npos);
}

TEST_CASE(
    "what it does not see is right as long as it passes, garbage by default, and else found where it is") {
  std::vector<std::pair<std::string, std::string>> ways = {{"unseen_builtin", "builtin"}};
  if (!std::string(module_under_test()).ends_with("-clang.so"))
    ways.emplace_back("unseen_by_value", "by value");
  for (const auto& [way, mark] : ways) {
    CAPTURE(way);
    CHECK(run(way, UnseenAccess::passes).is_right);
    const Done garbled = run(way, UnseenAccess::garbles);
    CHECK_FALSE(garbled.is_right);
    CHECK(garbled.report.diagnostics.empty());
    const Finding found = the_only(run(way, UnseenAccess::traps).report, "unseen-access");
    CHECK(lines_of(found) == std::vector{marked_line("unseen.cu", mark)});
  }
}

TEST_CASE("a local variable is out of other threads' reach") {
  for (const UnseenAccess unseen : modes) {
    const Finding found = the_only(run("of_another_thread", unseen).report, "host-pointer-in-kernel");
    CHECK(lines_of(found) == std::vector{marked_line("unseen.cu", "another's")});
    CHECK(message_of(found).find("local variable of another thread") != std::string::npos);
  }
}

TEST_CASE("launches that are left out, by their numbers or shapes, are not made, and nothing else is missing") {
  const auto run_without = [](LaunchesLeftOut left_out) {
    Options options;
    options.left_out = std::move(left_out);
    return run("by_two_launches", options);
  };
  const auto names_of = [](const Done& done) {
    std::vector<std::string> names;
    for (const KernelRecord& kernel : done.report.kernels) names.push_back(kernel.name);
    return names;
  };
  CHECK(run_without({}).is_right);
  using Names = std::vector<std::string>;
  const std::string shape = "<<<(3, 1, 1), (64, 1, 1)>>>";
  const std::vector<std::pair<LaunchesLeftOut, Names>> ways = {
      {{1, {}}, {"work"}}, {{2, {}}, {"copies"}}, {{3, {}}, {}}, {{4, {}}, {"copies", "work"}},
      {{0, {"copies" + shape}}, {"work"}}, {{2, {"copies" + shape}}, {}}, {{0, {"copies"}}, {"copies", "work"}}};
  for (const auto& [left_out, left] : ways) {
    const Done done = run_without(left_out);
    CHECK(names_of(done) == left);
    CHECK(done.is_right == (left.size() == 2));
  }
}

TEST_CASE("memory of the host is out of a kernel's reach, also in pages with variables of the device") {
  for (const char* way : {"unseen_beside", "unseen_on_host"}) {
    CAPTURE(way);
    CHECK(run(way, UnseenAccess::passes).is_right);
    CHECK_FALSE(run(way, UnseenAccess::garbles).is_right);
    CHECK_FALSE(run(way, UnseenAccess::traps).is_right);
  }
  const Finding found = the_only(run("unseen_on_host", UnseenAccess::garbles).report, "unseen-access");
  CHECK(lines_of(found) == std::vector{marked_line("unseen.cu", "on the host")});
}
