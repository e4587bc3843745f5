#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "bench/bench.hpp"

using namespace warpbook;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("warpbook-bench-test-" + std::to_string(::getpid()));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() { fs::remove_all(path); }
};

std::string content(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("the median is the middle value, whatever the order") {
  CHECK(median(std::vector<double>{3, 1, 2}) == 2);
  CHECK(median(std::vector<double>{4, 1, 2, 3}) == 2.5);
  CHECK(median(std::vector<double>{7}) == 7);
  CHECK_THROWS_AS(median(std::vector<double>{}), std::invalid_argument);
}

TEST_CASE("a table is written whole, with its provenance in front") {
  const TemporaryFolder folder;
  Table table({"offset", "value"});
  table.provenance("device", "two\nlines");
  table.add({"0", cell(1.0 / 3)});
  table.write(folder.path / "new" / "table.csv");
  CHECK(content(folder.path / "new" / "table.csv") == "# device: two lines\noffset,value\n0,0.333333\n");
  CHECK_FALSE(fs::exists(folder.path / "new" / "table.csv.part"));
}

TEST_CASE("a row that would break the CSV is refused") {
  Table table({"a", "b"});
  CHECK_THROWS_AS(table.add({"1"}), std::logic_error);
  CHECK_THROWS_AS(table.add({"1", "2,3"}), std::logic_error);
  CHECK_THROWS_AS(table.add({"1", "\n"}), std::logic_error);
  CHECK(table.rows() == 0);
}

TEST_CASE("a sweep shows the solution, then the steps in order, then the peers, and nothing else") {
  const TemporaryFolder folder;
  for (const char* name : {"peer-copy.so", "step-v1_b.so", "starter.so", "step-v0_a.so", "mutant-x.so",
                           "solution.so", "solution.so.d", "check.so"}) {
    std::ofstream(folder.path / name) << "";
  }
  std::vector<std::string> names;
  for (const Measured& m : measured_modules(folder.path)) names.push_back(m.name);
  CHECK(names == std::vector<std::string>{"solution", "step-v0_a", "step-v1_b", "peer-copy"});
}

TEST_CASE("a folder without anything to measure is an error") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(measured_modules(folder.path), std::runtime_error);
  CHECK_THROWS_AS(measured_modules(folder.path / "missing"), std::runtime_error);
}
