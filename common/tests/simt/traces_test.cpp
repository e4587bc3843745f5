// Traces, the formulas and the lineage that are read from them.
#include "simulation.hpp"

#include "simt/trace/formula.hpp"
#include "simt/trace/lineage.hpp"

#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace simt;

namespace {

template <class... Arguments>
Trace trace_of(const char* name, Schedule schedule, Arguments... arguments) {
  take_trace();
  Options options = with_schedule(schedule);
  options.trace = true;
  const Report report = run_function(options, name, arguments...);
  CHECK(report.diagnostics.empty());
  // As it travels.
  return nlohmann::json::parse(nlohmann::json(take_trace()).dump()).get<Trace>();
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
    CHECK(index_text(read) == "64 * blockIdx.x + 128 * turn + threadIdx.x");
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
    run_function(options, "run_argument", out.get(), in.get());
    const Trace trace = nlohmann::json::parse(nlohmann::json(take_trace()).dump()).get<Trace>();
    REQUIRE(trace.launches.size() == 2);
    CHECK(trace.launches[1].parent_thread == 3);
    const Ancestry ancestry = Lineage(trace).ancestry(array_named(trace, "out"), 2 * 4, 4);
    CHECK(ancestry.is_known);
    CHECK(elements_of(trace, ancestry, "in") == std::set<std::uint64_t>{9});
  }
}

TEST_CASE("nothing is recorded unless it is asked for, and a trace that contradicts itself is none") {
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

namespace {

using Kind = TracedStep::Kind;

std::vector<TracedStep> steps_of(const Trace& trace, Kind kind) {
  std::vector<TracedStep> steps;
  for (const TracedStep& step : trace.steps)
    if (step.kind == kind) steps.push_back(step);
  return steps;
}

/// Of a run that may have findings.
struct TracedRun {
  Trace trace;
  Report report;
};

template <class... Arguments>
TracedRun run_traced(const char* name, Schedule schedule, Arguments... arguments) {
  take_trace();
  Options options = with_schedule(schedule);
  options.trace = true;
  Report report = run_function(options, name, arguments...);
  return {nlohmann::json::parse(nlohmann::json(take_trace()).dump()).get<Trace>(), std::move(report)};
}

void check_counters(const TracedRun& run) {
  const Counters all = total(run.report), seen = counters_of(run.trace);
  for (auto field :
       {&Counters::global_load_requests, &Counters::global_load_sectors, &Counters::global_load_bytes,
        &Counters::global_store_requests, &Counters::global_store_sectors, &Counters::global_atomic_requests,
        &Counters::global_atomic_sectors, &Counters::global_atomic_lanes, &Counters::shared_load_requests,
        &Counters::shared_load_wavefronts, &Counters::shared_store_wavefronts,
        &Counters::shared_atomic_requests, &Counters::shared_atomic_wavefronts,
        &Counters::shared_atomic_lanes})
    CHECK(all.*field == seen.*field);
  std::uint64_t of_steps = 0, of_totals = 0, remote = 0;
  for (const TracedStep& step : run.trace.steps) of_steps += step.cost;
  for (const TracedTotal& each : run.trace.totals) {
    of_totals += each.cost;
    remote += each.remote ? each.lanes : 0;
    CHECK(each.least <= each.cost);
  }
  CHECK(of_steps == of_totals);
  CHECK(remote == all.remote_shared_loads + all.remote_shared_stores + all.remote_shared_atomics);
}

} // namespace

TEST_CASE("what requests cost is what the counters say, and a least that is not above it") {
  constexpr int rows = 20, cols = 50, n = 300;
  for (Schedule schedule : all_schedules) {
    Buffer<float> out(rows * cols), in(rows * cols);
    const TracedRun matrix = run_traced("run_matrix", schedule, out.get(), in.get(), rows, cols);
    check_counters(matrix);
    // A row of 50 floats begins in the middle of a sector; the transposed writes touch one for each lane.
    const std::vector<TracedStep> steps = steps_of(matrix.trace, Kind::access);
    CHECK(std::ranges::any_of(steps, [](const TracedStep& step) {
      return step.access == Access::write && step.cost == 32 && step.least == 4;
    }));
    Buffer<int> sum(1), numbers(n);
    check_counters(run_traced("run_strided", schedule, sum.get(), numbers.get(), n));
    Buffer<int> counts(64);
    check_counters(run_traced("run_cluster", schedule, counts.get()));
  }
}

TEST_CASE("arrays have their address and extents, and barriers their place and number") {
  constexpr int rows = 20, cols = 50;
  Buffer<float> out(rows * cols), in(rows * cols);
  const Trace trace = run_traced("run_matrix", Schedule::forward, out.get(), in.get(), rows, cols).trace;
  const TracedArray& tile = trace.arrays[array_named(trace, "tile")];
  CHECK(tile.extents == std::vector<std::uint64_t>{8, 33});
  CHECK(tile.address == 0);
  const std::vector<TracedStep> barriers = steps_of(trace, Kind::barrier);
  REQUIRE(barriers.size() == 6 * 8); // a step for each warp of each block
  for (const TracedStep& step : barriers) {
    CHECK(step.scope == TracedStep::Scope::block);
    CHECK(step.phase == 0);
    CHECK(step.ended);
    CHECK(step.lanes == ~0u);
    CHECK(trace.barriers[step.site].line == 8);
  }
  CHECK(trace.launches[0].shared_bytes == 8 * 33 * 4);
}

TEST_CASE("a cluster's barriers are those of all its blocks, and remote lanes have an owner and no cost") {
  Buffer<int> counts(64);
  const Trace trace = run_traced("run_cluster", Schedule::forward, counts.get()).trace;
  CHECK(trace.launches[0].cluster == Extent{2, 1, 1});
  std::map<std::uint32_t, unsigned> blocks_at;
  for (const TracedStep& step : steps_of(trace, Kind::barrier)) {
    CHECK(step.scope == TracedStep::Scope::cluster);
    ++blocks_at[step.phase];
  }
  CHECK(blocks_at == std::map<std::uint32_t, unsigned>{{0, 2}, {1, 2}});
  unsigned remote = 0;
  for (const TracedStep& step : steps_of(trace, Kind::access)) {
    if (step.owner == step.block || trace.arrays[step.array].space != Space::shared) continue;
    remote += static_cast<unsigned>(std::popcount(step.lanes));
    CHECK(step.joined); // the block's own lanes come first
    CHECK(step.cost == 0);
  }
  CHECK(remote == 32);
}

TEST_CASE("lanes outside of an array are at their offset from the nearest one") {
  Buffer<int> out(64);
  describe_allocation(out.get(), 64, 128, false, "out", sizeof(int));
  const TracedRun run = run_traced("run_misplaced", Schedule::forward, out.get() + 16);
  the_only(run.report, "out-of-bounds");
  const std::vector<TracedStep> steps = steps_of(run.trace, Kind::access);
  std::vector<std::int64_t> outside;
  for (const TracedStep& step : steps)
    if (step.outside) outside.push_back(static_cast<std::int64_t>(step.offsets[0]));
  CHECK(outside == std::vector<std::int64_t>{-8, -4});
  CHECK(run.trace.arrays[steps[0].array].name == "out");
  check_counters(run);

  // Beside memory that nothing else was allocated for.
  Buffer<int> whole(32);
  name(whole, 32, "whole");
  const TracedRun beside = run_traced("run_misplaced", Schedule::forward, whole.get());
  the_only(beside.report, "out-of-bounds");
  outside.clear();
  for (const TracedStep& step : steps_of(beside.trace, Kind::access)) {
    CHECK(beside.trace.arrays.at(step.array).name == "whole");
    if (step.outside) outside.push_back(static_cast<std::int64_t>(step.offsets[0]));
  }
  CHECK(outside == std::vector<std::int64_t>{-8, -4});
}

TEST_CASE("a barrier that is never completed is recorded as such") {
  struct FreshDevice { // the kernel leaves an error that every later call has
    ~FreshDevice() { cudaDeviceReset(); }
  } fresh_device;
  Buffer<int> out(64);
  const TracedRun run = run_traced("run_halved_barrier", Schedule::forward, out.get());
  CHECK_FALSE(run.report.diagnostics.empty());
  const std::vector<TracedStep> barriers = steps_of(run.trace, Kind::barrier);
  REQUIRE(barriers.size() == 3);
  CHECK(barriers[0].ended);
  CHECK(barriers[1].phase == 0);
  CHECK_FALSE(barriers[2].ended);
  CHECK(barriers[2].phase == 1);
  CHECK(barriers[2].first_thread == 0);
}

TEST_CASE("a child grid begins with a step of the lane that launched it") {
  for (Schedule schedule : all_schedules) {
    Buffer<int> in(32), out(4);
    const Trace trace = run_traced("run_argument", schedule, out.get(), in.get()).trace;
    const std::vector<TracedStep> launches = steps_of(trace, Kind::launch);
    REQUIRE(launches.size() == 1);
    CHECK(launches[0].launch == 0);
    CHECK(launches[0].lanes == 1u << 3);
    CHECK(launches[0].child == 1);
  }
}
