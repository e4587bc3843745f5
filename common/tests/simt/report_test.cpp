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

TEST_CASE("the data of a finding survive JSON") {
  Diagnostic finding = race();
  finding.space = Space::shared;
  finding.element = {3, -5};
  finding.owner = {{1, 2, 3}};
  finding.outside = Outside{Outside::Side::across, 4, 400};
  finding.written = {{7, 8}};
  finding.alike = finding.crowded = true;
  finding.refused = Refused{"dynamic-shared-memory", "cudaErrorInvalidValue", 50'000, 49'152, 8};
  finding.rank = {{4, 2}};
  finding.participants[0].access = Access::atomic;
  finding.participants[0].bytes = 16;
  finding.participants[0].depth = 0;
  const Diagnostic copy = nlohmann::json::parse(nlohmann::json(finding).dump()).get<Diagnostic>();
  CHECK(copy.space == Space::shared);
  CHECK(copy.element == finding.element);
  CHECK(copy.owner == finding.owner);
  REQUIRE(copy.outside);
  CHECK(copy.outside->side == Outside::Side::across);
  CHECK(copy.outside->distance == 4);
  CHECK(copy.outside->array_bytes == 400);
  CHECK(copy.written == finding.written);
  CHECK(copy.alike);
  CHECK(copy.crowded);
  REQUIRE(copy.refused);
  CHECK(copy.refused->rule == "dynamic-shared-memory");
  CHECK(copy.refused->asked == 50'000);
  CHECK(copy.refused->allowed == 49'152);
  CHECK(copy.refused->cluster_blocks == 8);
  CHECK(copy.rank == finding.rank);
  CHECK(copy.participants[0].access == Access::atomic);
  CHECK(copy.participants[0].bytes == 16);
  CHECK(copy.participants[0].depth == 0u);
  CHECK_FALSE(copy.participants[1].access);
  CHECK(nlohmann::json(copy) == nlohmann::json(finding));
  nlohmann::json unknown = finding;
  unknown["space"] = "texture";
  CHECK_THROWS_AS(unknown.get<Diagnostic>(), std::invalid_argument);
}

TEST_CASE("two parties are of one warp, one block or two blocks, and of neither in two grids") {
  Diagnostic finding = race(); // of warps 0 and 1 of one block
  CHECK_FALSE(within_warp(finding));
  CHECK(within_block(finding));
  CHECK_FALSE(between_blocks(finding));
  finding.participants[1].thread->block[0] = 1;
  CHECK_FALSE(within_block(finding));
  CHECK(between_blocks(finding));
  finding.participants[1].depth = 1;
  CHECK_FALSE(within_block(finding));
  CHECK_FALSE(between_blocks(finding));
}

TEST_CASE("what is told of a diagnostic can leave out its message and its advice, or give other advice") {
  Symbolizer symbolizer;
  const auto lines_with = [&](const Telling& telling, const std::string& part) {
    const std::string text = render(race(), symbolizer, telling);
    return text.find(part) != std::string::npos;
  };
  CHECK(lines_with({}, race().message));
  CHECK_FALSE(lines_with({.message = false}, race().message));
  CHECK(lines_with({}, "try: put __syncthreads()"));
  CHECK_FALSE(lines_with({.advice = ""}, "try: "));
  CHECK(lines_with({.advice = "count again."}, "  try: count again."));
  CHECK(lines_with({.advice = ""}, "note: a note"));
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
