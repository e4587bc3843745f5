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

Done run(const std::string& way, UnseenAccess unseen) {
  cudaDeviceReset(); // and with it an error of the run before
  const std::vector<float> given = numbers();
  Buffer<float> in(given), out(given.size(), false);
  Options options;
  options.unseen = unseen;
  Done done;
  done.report = SIMT_RUN_WITH(options, ("run_" + way).c_str(), out.get(), in.get(), count);
  const std::vector<float> made = out.values();
  for (unsigned i = 0; i < count; ++i)
    done.is_right &= made[2 * i] == given[2 * i + 1] + 1 && made[2 * i + 1] == given[2 * i];
  return done;
}

constexpr UnseenAccess modes[] = {UnseenAccess::passes, UnseenAccess::garbles, UnseenAccess::traps};

} // namespace

TEST_CASE("what the simulator sees is right whatever becomes of what it does not see") {
  for (const std::string way : {"members",
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
                                "lambda_by_reference",
                                "lambda_by_value",
                                "placement_new",
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
                                "in_arrays"}) {
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

TEST_CASE("a launch counts if what it has written has come into the result") {
  for (const std::string way : {"part_through_scratch", "part_through_a_copy", "part_by_bytes", "part_by_a_variable",
                                "part_by_the_host", "part_by_managed_memory", "part_of_children"}) {
    CAPTURE(way);
    const Done done = run(way, UnseenAccess::garbles);
    CHECK(done.is_right);
    CHECK(done.report.diagnostics.empty());
    CHECK(total(done.report).launches == total(run(way, UnseenAccess::passes).report).launches);
  }
  const std::vector<std::pair<std::string, unsigned>> ways = {
      {"without_writing", 1}, {"without_a_reader", 1},       {"without_a_reader_but_its_own_like", 2},
      {"written_over", 1},    {"written_over_by_a_copy", 1}, {"added_and_written_over", 1}};
  for (const auto& [way, unused] : ways) {
    CAPTURE(way);
    const Done done = run(way, UnseenAccess::garbles);
    CHECK(done.is_right);
    REQUIRE(done.report.kernels.size() == 1);
    CHECK(done.report.kernels.front().name == "work");
    CHECK(done.report.diagnostics.size() == 1); // of one line here
    for (const Finding& found : done.report.diagnostics) CHECK(found.id == "unused-launch");
    CHECK(run(way, UnseenAccess::passes).report.kernels.size() == 1 + unused);
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
