// The runner's command line.
#include <doctest/doctest.h>

#include <sys/wait.h>

#include <cstdio>
#include <string>

#include <nlohmann/json.hpp>

namespace {

int run(const std::string& arguments, std::string& printed) {
  FILE* pipe = ::popen((std::string(RUNNER_SIM) + " " + arguments + " 2>&1").c_str(), "r");
  char piece[1024];
  while (const std::size_t length = std::fread(piece, 1, sizeof(piece), pipe)) printed.append(piece, length);
  const int status = ::pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST_CASE("the simulator's runner offers a device of compute capability 9.0") {
  std::string printed;
  CHECK(run("--probe", printed) == 0);
  const auto found = nlohmann::json::parse(printed);
  CHECK(found.at("available") == true);
  CHECK(found.at("compute_capability") == std::vector<int>{9, 0});
  CHECK(found.at("multiprocessors") == 132);
}

TEST_CASE("the simulator's provenance names its device, and no clock: it has none") {
  std::string printed;
  CHECK(run("--provenance", printed) == 0);
  bool has_device = false;
  for (const auto& entry : nlohmann::json::parse(printed)) {
    has_device = has_device || (entry.at(0) == "device" && !entry.at(1).get<std::string>().empty());
    CHECK(entry.at(0) != "SM clock");
  }
  CHECK(has_device);
}

TEST_CASE("a runner without its arguments explains itself") {
  std::string printed;
  CHECK(run("", printed) == 2);
  CHECK(printed.find("usage: ") != std::string::npos);
  CHECK(run("--module x.so", printed) == 2);
}
