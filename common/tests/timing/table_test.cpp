// Tables of results: CSV and JSON say the same, and half a file is never left.
#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "timing/table.hpp"

using namespace warpbook;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("warpbook-table-test-" + std::to_string(::getpid()));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() { fs::remove_all(path); }
};

std::string content(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Table example() {
  Table table({"name", "n", "value"});
  table.provenance("device", "two\nlines");
  table.provenance("command", "a \"b\" \\ c");
  table.add({"plain", std::size_t{1} << 40, 1.0 / 3});
  table.add({"with, \"quotes\"", -5, 2.0f});
  return table;
}

} // namespace

TEST_CASE("a table is written whole, with its provenance in front") {
  const TemporaryFolder folder;
  example().write(folder.path / "new" / "table.csv");
  CHECK(content(folder.path / "new" / "table.csv") ==
        "# device: two lines\n# command: a \"b\" \\ c\nname,n,value\nplain,1099511627776,0.333333\n"
        "\"with, \"\"quotes\"\"\",-5,2\n");
  CHECK_FALSE(fs::exists(folder.path / "new" / "table.csv.part"));
}

TEST_CASE("the JSON beside it says the same, with numbers as numbers") {
  const TemporaryFolder folder;
  example().write(folder.path / "table.csv");
  const auto json = nlohmann::json::parse(content(folder.path / "table.json"));
  CHECK(json.at("provenance").at("device") == "two lines");
  CHECK(json.at("provenance").at("command") == "a \"b\" \\ c");
  REQUIRE(json.at("rows").size() == 2);
  CHECK(json.at("rows")[0].at("n") == std::size_t{1} << 40);
  CHECK(json.at("rows")[0].at("value") == doctest::Approx(1.0 / 3).epsilon(1e-5));
  CHECK(json.at("rows")[1].at("name") == "with, \"quotes\"");
  CHECK(json.at("rows")[1].at("n") == -5);
}

TEST_CASE("the CSV read back has the cells that were added") {
  // A reader of quoted cells, as plots/measurements.py has it.
  std::istringstream lines(example().csv());
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) continue;
    std::vector<std::string> cells(1);
    bool is_quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"')
        cells.back() += line[++i];
      else if (line[i] == '"')
        is_quoted = !is_quoted;
      else if (line[i] == ',' && !is_quoted)
        cells.emplace_back();
      else
        cells.back() += line[i];
    }
    rows.push_back(cells);
  }
  const std::vector<std::vector<std::string>> wanted = {
      {"name", "n", "value"}, {"plain", "1099511627776", "0.333333"}, {"with, \"quotes\"", "-5", "2"}};
  CHECK(rows == wanted);
}

TEST_CASE("an empty table is still JSON") {
  CHECK(nlohmann::json::parse(Table({"a"}).json()).at("rows").empty());
}

TEST_CASE("what is no row is refused") {
  Table table({"a", "b"});
  CHECK_THROWS_AS(table.add({"1"}), std::logic_error);
  CHECK_THROWS_AS(table.add({"1", "\n"}), std::logic_error);
  CHECK_THROWS_AS(table.add({1, std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
  CHECK(table.rows() == 0);
}

TEST_CASE("a full disk is reported with the file's name, and leaves no half file and the old ones whole") {
  const TemporaryFolder folder;
  example().write(folder.path / "table.csv");
  const std::string before = content(folder.path / "table.csv");
  Table longer({"a"});
  longer.add({1});
  fs::create_symlink("/dev/full", folder.path / "table.json.part"); // every write fails as on a full disk
  std::string told;
  try {
    longer.write(folder.path / "table.csv");
  } catch (const std::runtime_error& error) {
    told = error.what();
  }
  CHECK(told == "cannot write " + (folder.path / "table.json").string() + ": No space left on device");
  CHECK(content(folder.path / "table.csv") == before);
  CHECK_FALSE(fs::exists(folder.path / "table.csv.part"));
  CHECK_FALSE(fs::is_symlink(folder.path / "table.json.part"));
}

TEST_CASE("a folder that cannot be made, and a name that is no CSV's, are reported") {
  CHECK_THROWS_AS(example().write("/dev/null/x/table.csv"), std::runtime_error);
  CHECK_THROWS_AS(example().write("/dev/null/table.csv"), std::runtime_error);
  CHECK_THROWS_AS(example().write("table.json"), std::invalid_argument);
}

TEST_CASE("dates are in UTC, and commands without the program's folder") {
  CHECK(utc_text(0) == "1970-01-01 00:00 UTC");
  const char* words[] = {"/home/somebody/program", "--size", "5"};
  CHECK(command_text(3, words) == "program --size 5");
}
