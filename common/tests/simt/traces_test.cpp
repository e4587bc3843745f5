// Traces, the formulas and the lineage that are read from them.
#include "simulation.hpp"

#include "simt/trace/formula.hpp"
#include "simt/trace/lineage.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace simt;

namespace {

template <class... Arguments>
Trace trace_of(const char* name, Schedule schedule, Arguments... arguments) {
  take_trace();
  Options options = with_schedule(schedule);
  options.trace = true;
  const Report report = run_function(MODULE, options, name, arguments...);
  CHECK(report.diagnostics.empty());
  // As it travels.
  return nlohmann::json::parse(nlohmann::json(take_trace()).dump()).get<Trace>();
}

template <class T>
void name(Buffer<T>& buffer, std::size_t count, const char* text) {
  describe_allocation(buffer.get(), 0, count * sizeof(T), true, text, sizeof(T));
}

std::uint32_t array_named(const Trace& trace, const std::string& name) {
  for (std::uint32_t a = 0; a < trace.arrays.size(); ++a)
    if (trace.arrays[a].name == name) return a;
  FAIL("no array " << name);
  return 0;
}

const AccessFormula& formula_for(const std::vector<AccessFormula>& all, const std::string& array,
                                 Access access) {
  for (const AccessFormula& formula : all)
    if (formula.name == array && formula.access == access) return formula;
  FAIL("no formula for " << array);
  return all.front();
}

std::set<std::uint64_t> elements_of(const Trace& trace, const Ancestry& ancestry, const std::string& array) {
  std::set<std::uint64_t> elements;
  for (const Origin& origin : ancestry.origins)
    if (trace.arrays[origin.array].name == array) elements.insert(origin.offset / 4);
  return elements;
}

} // namespace

TEST_CASE("formulas of a transposition, in global and shared memory, under every schedule") {
  constexpr int rows = 20, cols = 50;
  for (Schedule schedule : all_schedules) {
    Buffer<float> in(rows * cols), out(rows * cols);
    name(in, rows * cols, "in");
    name(out, rows * cols, "out");
    const Trace trace = trace_of("run_matrix", schedule, out.get(), in.get(), rows, cols);
    CHECK(trace.complete);
    CHECK_FALSE(trace.carried);
    const std::vector<AccessFormula> formulas = formulas_of(trace);
    CHECK(formulas.size() == 4);
    const AccessFormula& read = formula_for(formulas, "in", Access::read);
    CHECK(index_text(read) == "400 * blockIdx.y + 32 * blockIdx.x + 50 * threadIdx.y + threadIdx.x");
    CHECK(range_text(read) ==
          "blockIdx.x 0 to 1, blockIdx.y 0 to 2, threadIdx.x 0 to 31, threadIdx.y 0 to 7");
    CHECK(read.count == rows * cols);
    CHECK(index_text(formula_for(formulas, "out", Access::write)) ==
          "8 * blockIdx.y + 640 * blockIdx.x + threadIdx.y + 20 * threadIdx.x");
    const AccessFormula& shared = formula_for(formulas, "tile", Access::write);
    CHECK(shared.space == Space::shared);
    CHECK(index_text(shared) == "33 * threadIdx.y + threadIdx.x");

    // One element comes from one, through the tile.
    const Lineage lineage(trace);
    const std::uint32_t array = array_named(trace, "out");
    const std::uint64_t element = 37 * rows + 13;
    CHECK(elements_of(trace, lineage.ancestry(array, element * 4, 4), "in") ==
          std::set<std::uint64_t>{13 * cols + 37});
    const std::vector<TracedWrite> writes = lineage.writes(array, element * 4, 4);
    REQUIRE(writes.size() == 1);
    CHECK(writes[0].thread.block == std::array<unsigned, 3>{1, 1, 0});
    CHECK(writes[0].thread.thread == std::array<unsigned, 3>{5, 5, 0});
    REQUIRE(lineage.read_for(writes[0]).size() == 1);
  }
}

TEST_CASE("formulas of a loop, and what a sum is made of, through shuffles and atomics") {
  constexpr int n = 300;
  for (Schedule schedule : all_schedules) {
    Buffer<int> in(n), out(1);
    name(in, n, "in");
    name(out, 1, "out");
    const Trace trace = trace_of("run_strided", schedule, out.get(), in.get(), n);
    const std::vector<AccessFormula> formulas = formulas_of(trace);
    const AccessFormula& read = formula_for(formulas, "in", Access::read);
    CHECK(index_text(read) == "64 * blockIdx.x + 128 * k + threadIdx.x");
    CHECK(read.most[iteration] == 2);
    CHECK(index_text(formula_for(formulas, "out", Access::atomic)) == "0");
    const Lineage lineage(trace);
    const Ancestry ancestry = lineage.ancestry(array_named(trace, "out"), 0, 4);
    CHECK(ancestry.is_known);
    CHECK(elements_of(trace, ancestry, "in").size() == n);
    CHECK(lineage.reads(array_named(trace, "in"), 17 * 4, 4) == 1);
    CHECK(lineage.reads(array_named(trace, "out"), 0, 4) == 0); // atomic operations are writes
  }
}

TEST_CASE("an index that is not affine has no formula") {
  Buffer<int> out(1024);
  const Trace trace = trace_of("run_squares", Schedule::forward, out.get());
  CHECK(trace.steps.size() == 1);
  CHECK(formulas_of(trace).empty());
}

TEST_CASE("values that pass through other kernels, a memset or the host") {
  Buffer<int> in(32), out(32), between(32);
  name(in, 32, "in");
  name(out, 32, "out");
  name(between, 32, "between");
  const auto element_7 = [&](const Trace& trace) {
    return Lineage(trace).ancestry(array_named(trace, "out"), 7 * 4, 4);
  };
  const Trace twice = trace_of("run_twice", Schedule::forward, out.get(), in.get(), between.get());
  CHECK(twice.launches.size() == 2);
  CHECK(elements_of(twice, element_7(twice), "in") == std::set<std::uint64_t>{7});
  CHECK(elements_of(twice, element_7(twice), "between").empty());

  const Trace cleared = trace_of("run_cleared", Schedule::forward, out.get(), in.get(), between.get());
  CHECK_FALSE(cleared.carried);
  CHECK(element_7(cleared).is_known);
  CHECK(element_7(cleared).origins.empty());

  const Trace host = trace_of("run_through_host", Schedule::forward, out.get(), in.get(), between.get());
  CHECK(host.carried);
  CHECK_FALSE(element_7(host).is_known);
}

TEST_CASE("a child grid's arguments come from the thread that launched it, under every schedule") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> in(32), out(4);
    name(in, 32, "in");
    name(out, 4, "out");
    take_trace();
    Options options = with_schedule(schedule);
    options.trace = true;
    run_function(MODULE, options, "run_argument", out.get(), in.get());
    const Trace trace = nlohmann::json::parse(nlohmann::json(take_trace()).dump()).get<Trace>();
    REQUIRE(trace.launches.size() == 2);
    CHECK(trace.launches[1].parent_thread == 3);
    const Ancestry ancestry = Lineage(trace).ancestry(array_named(trace, "out"), 2 * 4, 4);
    CHECK(ancestry.is_known);
    CHECK(elements_of(trace, ancestry, "in") == std::set<std::uint64_t>{9});
  }
}

TEST_CASE("nothing is recorded unless somebody asks, and a trace that contradicts itself is none") {
  Buffer<int> out(1024);
  SIMT_RUN("run_squares", out.get());
  CHECK(take_trace().empty());
  nlohmann::json json = trace_of("run_squares", Schedule::forward, out.get());
  json["steps"][0][8] = 5; // an array that is not there
  CHECK_THROWS_AS(json.get<Trace>(), std::runtime_error);
}

TEST_CASE("a counter to which all threads add is made of what they read since it was last written") {
  // Thread t reads in[t], and adds to the counter; thread 10 writes it instead. Threads 20 and 30 then store it.
  Trace trace;
  trace.launches.push_back({.kernel = "k", .block = {40, 1, 1}});
  trace.arrays = {
      {"in", Space::global, 160, 4}, {"counter", Space::global, 4, 4}, {"out", Space::global, 8, 4}};
  trace.sites.push_back({});
  const auto step = [&](std::uint32_t thread, Access access, std::uint32_t array, std::uint64_t offset) {
    trace.steps.push_back({.access = access,
                           .bytes = 4,
                           .first_thread = thread / 32 * 32,
                           .lanes = 1u << thread % 32,
                           .array = array,
                           .offsets = {offset}});
  };
  for (std::uint32_t t = 0; t < 40; ++t) {
    step(t, Access::read, 0, t * 4);
    step(t, t == 10 ? Access::write : Access::atomic, 1, 0);
    if (t != 20 && t != 30) continue;
    step(t, Access::read, 1, 0);
    step(t, Access::write, 2, t == 20 ? 0 : 4);
  }
  const Lineage lineage(trace);
  for (const std::uint64_t last : {20u, 30u}) {
    std::set<std::uint64_t> wanted;
    for (std::uint64_t t = 10; t <= last; ++t) wanted.insert(t);
    const Ancestry ancestry = lineage.ancestry(2, last == 20 ? 0 : 4, 4);
    CHECK(elements_of(trace, ancestry, "in") == wanted);
    CHECK(elements_of(trace, ancestry, "counter").empty());
  }
  CHECK(elements_of(trace, lineage.ancestry(1, 0, 4), "in").size() == 30);
}
