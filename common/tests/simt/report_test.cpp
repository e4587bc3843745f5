#include "simt/report/symbolizer.hpp"

#include <cstdint>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace simt;

namespace {

Diagnostic race() {
  Diagnostic d;
  d.id = "shared-race";
  d.kernel = "reverse";
  d.message = "Two threads use tile[3].";
  d.variable = "tile";
  d.index = "[3]";
  Participant write, read;
  write.action = "writes 4 bytes of it";
  write.thread = ThreadId{{0, 0, 0}, {3, 0, 0}, 0, 3};
  write.file = __FILE__;
  write.line = 2;
  read.action = "reads 4 bytes of it";
  read.thread = ThreadId{{0, 0, 0}, {40, 0, 0}, 1, 8};
  read.where = {"/no/such/module.so", 0x1234};
  d.participants = {write, read};
  d.notes = {"a note"};
  d.suggestion = "put __syncthreads() between them.";
  d.count = 5;
  return d;
}

} // namespace

TEST_CASE("a report survives JSON") {
  Report report;
  KernelRecord kernel;
  kernel.name = "k";
  kernel.grid = {2, 3, 4};
  kernel.counters.global_load_requests = 7;
  kernel.counters.approximate = 1;
  kernel.sites.push_back({{"/m.so", 99}, kernel.counters});
  report.kernels = {kernel, kernel};
  report.diagnostics.push_back(race());
  report.diagnostics[0].cause = "barrier-divergence";
  Report copy = nlohmann::json::parse(nlohmann::json(report).dump()).get<Report>();
  CHECK(copy.kernels[1].grid == kernel.grid);
  CHECK(copy.kernels[0].counters == kernel.counters);
  CHECK(copy.kernels[0].sites[0].where == kernel.sites[0].where);
  CHECK(copy.diagnostics[0].participants[0].thread == race().participants[0].thread);
  CHECK(copy.diagnostics[0].count == 5);
  CHECK(copy.diagnostics[0].cause == "barrier-divergence");
  CHECK(total(copy).global_load_requests == 14);
  CHECK(nlohmann::json(copy) == nlohmann::json(report));
}

TEST_CASE("counters use their field names as keys and leave zeros out") {
  Counters counters;
  counters.shared_load_ideal_wavefronts = 3;
  CHECK(nlohmann::json(counters).dump() == R"({"shared_load_ideal_wavefronts":3})");
}

TEST_CASE("a rendered diagnostic names what, who, where, how often and what to try") {
  Symbolizer symbolizer;
  std::string text = render(race(), symbolizer);
  for (const char* part : {"error: shared-race in kernel reverse (5 times", "Two threads use tile[3].",
                           "thread (3,0,0) of block (0,0,0), warp 0 lane 3 writes 4 bytes of it",
                           "report_test.cpp:2", "thread (40,0,0) of block (0,0,0), warp 1 lane 8 reads",
                           "note: a note", "try: put __syncthreads()"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("a race across a barrier is told to be one of a later turn") {
  const std::string path = "report_test_kernel.cu";
  std::ofstream(path) << "for (;;) {\n  tile[i] = 1;\n  __syncthreads(); // all\n  use(tile[j]);\n}\n";
  Diagnostic d = race();
  d.participants[0].file = d.participants[1].file = path;
  d.participants[0].line = 2;
  d.participants[1].line = 4;
  Symbolizer symbolizer;
  CHECK(render(d, symbolizer).find("gone on to the next turn of a loop") != std::string::npos);
  CHECK(render(d, symbolizer).find("try: put another barrier where one turn ends") != std::string::npos);
  CHECK(render(d, symbolizer).find("try: put __syncthreads() between") == std::string::npos);
  Diagnostic early = d, uneven = d;
  early.cause = "uninitialised-read";
  CHECK(render(early, symbolizer).find("next turn") == std::string::npos);
  CHECK(render(early, symbolizer).find("try: let all be brought before the first is taken") !=
        std::string::npos);
  uneven.cause = "barrier-divergence";
  CHECK(render(uneven, symbolizer).find("next turn") == std::string::npos);
  CHECK(render(uneven, symbolizer).find("try: mend the barrier first") != std::string::npos);
  early.participants[1].line = 3; // no barrier between: what comes with the race is said
  CHECK(render(early, symbolizer).find("try: put __syncthreads() between") != std::string::npos);
  Diagnostic in_cluster = d; // each of the blocks has come to its own barrier, and the other does not know
  in_cluster.participants[1].thread->block[0] = 1;
  CHECK(render(in_cluster, symbolizer).find("next turn") == std::string::npos);
  CHECK(render(in_cluster, symbolizer).find("try: put __syncthreads() between") != std::string::npos);
  d.participants[1].line = 3;
  CHECK(render(d, symbolizer).find("next turn") == std::string::npos);
  CHECK(render(d, symbolizer).find("try: put __syncthreads() between") != std::string::npos);
  std::filesystem::remove(path);
}

TEST_CASE("an address that cannot be looked up leaves the diagnostic without a line") {
  Symbolizer symbolizer;
  CHECK(!symbolizer.locate({"/no/such/module.so", 1}));
  CHECK(!symbolizer.locate({}));
  CHECK(symbolizer.excerpt({"/no/such/file.cu", 1}).empty());
}
