#include "simulation.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <fstream>
#include <stdexcept>

namespace simt {

const char* module_under_test() {
  const char* named = std::getenv("SIMT_TEST_MODULE");
  if (!named) throw std::runtime_error("SIMT_TEST_MODULE names no module; ctest sets it");
  return named;
}

std::optional<UnseenAccess> unseen_under_test() {
  const char* named = std::getenv("SIMT_TEST_UNSEEN");
  if (!named) return {};
  REQUIRE((std::string_view(named) == "garbles" || std::string_view(named) == "traps"));
  return std::string_view(named) == "traps" ? UnseenAccess::traps : UnseenAccess::garbles;
}

void* find_function(const char* name) {
  static void* handle = nullptr;
  if (!handle) handle = dlopen(module_under_test(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw std::runtime_error(dlerror());
  void* function = dlsym(handle, name);
  if (!function) throw std::runtime_error(dlerror());
  return function;
}

Options with_schedule(Schedule schedule) {
  Options options;
  options.schedule = schedule;
  options.seed = 42;
  return options;
}

Finding the_only(Report report, const std::string& id) {
  static Symbolizer symbolizer;
  merge_by_line(report.diagnostics, symbolizer);
  Finding found;
  std::size_t count = 0;
  for (const Finding& diagnostic : report.diagnostics) {
    INFO(diagnostic.id << ": " << message_of(diagnostic));
    CHECK(diagnostic.id == id);
    if (diagnostic.id != id) continue;
    found = diagnostic;
    ++count;
  }
  REQUIRE(count == 1);
  return found;
}

std::vector<unsigned> lines_of(const Finding& diagnostic) {
  static Symbolizer symbolizer;
  std::vector<unsigned> lines;
  for (const Participant& participant : diagnostic.participants) {
    if (participant.line != 0) {
      lines.push_back(participant.line);
    } else {
      auto source = symbolizer.locate(participant.where);
      lines.push_back(source ? source->line : 0);
    }
  }
  return lines;
}

std::vector<unsigned> sorted_lines(const Finding& diagnostic) {
  std::vector<unsigned> lines = lines_of(diagnostic);
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<unsigned> marked_lines(const char* file, const std::string& first, const std::string& second) {
  std::vector<unsigned> lines = {marked_line(file, first), marked_line(file, second)};
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string beside_the_tests(const char* file) { return std::string(SIMT_TEST_SOURCES) + "/" + file; }

unsigned marked_line(const char* file, const std::string& mark) {
  const std::string path = beside_the_tests(file);
  std::ifstream input(path);
  std::string wanted = "// " + mark;
  unsigned number = 0;
  for (std::string line; std::getline(input, line);) {
    ++number;
    if (line.size() >= wanted.size() && line.compare(line.size() - wanted.size(), wanted.size(), wanted) == 0)
      return number;
  }
  throw std::runtime_error(path + " has no line marked " + mark);
}

} // namespace simt
