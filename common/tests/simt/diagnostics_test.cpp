// Every diagnostic once, with all that diagnosis.hpp checks of it.
#include "diagnosis.hpp"
#include "simt/report/summary.hpp"

using namespace simt;

TEST_CASE("shared-race between write and read") {
  FreshDevice fresh;
  Buffer<int> in(64), out(192);
  Report report = SIMT_RUN("run_missing_barrier", static_cast<const int*>(in.get()), out.get());
  // What is read before it is written follows from the race, and comes after it.
  CHECK(report.diagnostics.back().id == "uninitialised-read");
  std::erase_if(report.diagnostics, [](const Finding& d) { return d.id == "uninitialised-read"; });
  check_diagnostic(report, {.id = "shared-race",
                            .variable = "tile",
                            .index = "[1][32]",
                            .marks = {"shared read", "shared write"},
                            .threads = {thread(0, 31), thread(0, 32)},
                            .count = 3 * 64,
                            .words = {"writes while the other reads", "tile[1][32]"},
                            .cure = "__syncthreads()"});
}

TEST_CASE("places in dynamic shared memory and in variables have the names and indices of the kernel") {
  FreshDevice fresh;
  Buffer<int> out(64);
  const auto place_of_use = [&](int which, const char* id) {
    return place_text(the_only(SIMT_RUN("run_use_parts", out.get(), which), id));
  };
  CHECK(place_of_use(0, "uninitialised-read") == "numbers[33]");
  CHECK(place_of_use(1, "uninitialised-read") == "letters[3]");
  CHECK(place_of_use(2, "global-race") == "cells[1][2] (byte 4 of it)");
  CHECK(place_of_use(3, "global-race") == "total");
}

TEST_CASE("a barrier without parentheses comes before the race that follows from it") {
  FreshDevice fresh;
  Buffer<int> out(64);
  const Report report = SIMT_RUN("run_barrier_not_called", out.get(), true);
  REQUIRE(report.diagnostics.size() >= 2);
  const Finding &not_called = report.diagnostics[0], &race = report.diagnostics[1];
  CHECK(not_called.id == "barrier-not-called");
  CHECK(not_called.severity == Severity::error);
  CHECK(lines_of(not_called)[0] == marked_line(source, "barrier without parentheses"));
  CHECK(message_of(not_called).starts_with("`__syncthreads;` is no call"));
  CHECK(cure_of(not_called) == "write __syncthreads().");
  CHECK(race.id == "shared-race");
  CHECK(race.cause == "barrier-not-called");
  Symbolizer symbolizer;
  CHECK_FALSE(barrier_between(race, symbolizer));
  CHECK(mentions(render(race, symbolizer), "the barrier's parentheses first"));
}

TEST_CASE("a barrier without parentheses from which nothing follows is a warning") {
  FreshDevice fresh;
  Buffer<int> out(64);
  const Finding found = the_only(SIMT_RUN("run_barrier_not_called", out.get(), false), "barrier-not-called");
  CHECK(found.severity == Severity::warning);
  CHECK(found.count == 64);
}

TEST_CASE("shared-race between two writes, with their values") {
  FreshDevice fresh;
  Buffer<int> out(1);
  check_diagnostic(SIMT_RUN("run_both_write_shared", out.get()),
                   {.id = "shared-race",
                    .variable = "winner",
                    .marks = {"shared writes", "shared writes"},
                    .threads = {thread(0, 7), thread(0, 39)},
                    .words = {"both write", "the first write left 7, the second one 39\n"},
                    .cure = "let one thread of the block do it"});
}

TEST_CASE("of two that race each is reported with the bytes of its own access, and no number of two types") {
  FreshDevice fresh;
  Buffer<double> doubles(64);
  const Finding shared = check_diagnostic(SIMT_RUN("run_overlapping_arrays", doubles.get()),
                                          {.id = "shared-race",
                                           .variable = "letters",
                                           .index = "[0]",
                                           .marks = {"writes one byte", "writes eight"},
                                           .threads = {thread(0, 0), thread(0, 48)},
                                           .count = 4,
                                           .words = {"writes 1 byte of it", "writes 8 bytes of it"},
                                           .cure = "two arrays in one buffer, these lie on each other"});
  CHECK(shared.participants[0].bytes == 1);
  CHECK(shared.participants[1].bytes == 8);
  CHECK_FALSE(has_written(shared));
  Buffer<int> out(64);
  const Finding global = check_diagnostic(SIMT_RUN("run_two_sizes", out.get()),
                                          {.id = "global-race",
                                           .marks = {"one byte of it", "all four"},
                                           .threads = {thread(0, 7), thread(0, 39)},
                                           .words = {"writes 1 byte of it", "writes 4 bytes of it"},
                                           .cure = "put __syncthreads() between"});
  CHECK_FALSE(has_written(global));
}

TEST_CASE("out-of-bounds with the distance to the buffer") {
  FreshDevice fresh;
  Buffer<int> in(64), out(64);
  name(in, 64, "in");
  const Finding found = check_diagnostic(
      SIMT_RUN("run_unguarded", static_cast<const int*>(in.get()), out.get()),
      {.id = "out-of-bounds",
       .variable = "in",
       .index = "[64]",
       .marks = {"one too far"},
       .threads = {thread(1, 31)},
       .words = {"reads 4 bytes", "just past the end of in, which has 64 elements", "in[64]"},
       .cure = "if (i < n)"});
  CHECK(found.space == Space::global);
  const auto* outside = found.get<Outside>();
  REQUIRE(outside);
  CHECK(outside->side == Outside::Side::past);
  CHECK(outside->array_bytes == 256);
}

TEST_CASE("a write in arms of which the compiler makes one store is quoted with the lines of all of them") {
  if (std::string(module_under_test()).find("-clang") != std::string::npos)
    return; // which leaves such a store no line at all
  const std::vector<std::vector<const char*>> marks = {
      {"first of two arms", "second of two arms"},
      {"first of three arms", "second of three arms", "last of three arms"},
      {"first case", "second case", "last case"},
      {"a store of its own"}};
  for (int which = 0; which < 4; ++which) {
    FreshDevice fresh;
    Buffer<int> in(64), out(64);
    const Report report = SIMT_RUN("run_one_too_far", which, static_cast<const int*>(in.get()), out.get());
    Symbolizer symbolizer;
    REQUIRE_FALSE(report.diagnostics.empty());
    const std::string text = render(report.diagnostics.front(), symbolizer);
    const std::string costs = summary(report.kernels, symbolizer, true);
    CAPTURE(text);
    CAPTURE(costs);
    CHECK(mentions(text, "writes 4 bytes"));
    std::string numbers;
    for (const char* mark : marks[which]) {
      const std::string line = std::to_string(marked_line(source, mark));
      CHECK(mentions(text, "      diagnostics.cu:" + line + " | "));
      CHECK(mentions(costs, "    diagnostics.cu:" + line + " | "));
      numbers += (numbers.empty() ? "" : mark == marks[which].back() ? " and " : ", ") + line;
    }
    const std::string one = "(the compiler makes one store of lines " + numbers + ")";
    CHECK(mentions(text, one) == (which < 3));
    CHECK(mentions(costs, one) == (which < 3));
  }
}

TEST_CASE("a finding tells the launch that it is of: who launched, and with which arguments") {
  FreshDevice fresh;
  Buffer<int> in(64), out(64);
  name(in, 64, "in");
  name(out, 64, "out");
  const Finding found =
      the_only(SIMT_RUN("run_unguarded", static_cast<const int*>(in.get()) + 1, out.get()), "out-of-bounds");
  REQUIRE(found.launch);
  CHECK(found.launch->arguments ==
        std::vector<Argument>{{"in", 1, {}, sizeof(int)}, {"out", 0, {}, sizeof(int)}});
  CHECK(launch_text(found.kernel, *found.launch) == "unguarded(in + 1, out)");
  Symbolizer symbolizer;
  std::vector<SourceLine> lines;
  for (const CodeAddress& caller : found.launch->callers)
    for (const SourceLine& line : symbolizer.lines(caller)) lines.push_back(line);
  REQUIRE_FALSE(lines.empty());
  CHECK(mentions(symbolizer.excerpt(lines.front()), "unguarded<<<2, 32>>>(in, out)"));
}

TEST_CASE(
    "out-of-bounds by an index that overflows its 16 bits says so, also where memory was freed before") {
  FreshDevice fresh;
  const unsigned count = 40'000;
  { Buffer<int> earlier(4 * count); }
  Buffer<int> data(count);
  name(data, count, "data");
  const Finding found = check_diagnostic(
      SIMT_RUN("run_index_of_16_bits", data.get(), int(count)),
      {.id = "out-of-bounds",
       .variable = "data",
       .index = "[-32768]",
       .marks = {"index overflows"},
       .threads = {thread(128, 0)},
       .count = (count + 255) / 256 * 256 - 32'768,
       .words = {"131072 bytes before the start of data, which has 40000 elements",
                 "In 16 bits, as a short has, an index ends at 32767", "32768, for one, becomes -32768"},
       .cure = "in 64 bits"});
  CHECK(found.has(fact::IndexBits{16}));
  CHECK(SIMT_RUN("run_index_of_16_bits", data.get(), 32'768).diagnostics.empty());
}

TEST_CASE("an index below 0 is no overflow where the array would not reach as far, or near 0") {
  FreshDevice fresh;
  Buffer<int> unused(100'000), small(30'000), unused_too(100'000), large(100'000);
  name(unused, 1, "unused");
  name(unused_too, 1, "unused_too");
  name(small, 30'000, "small");
  name(large, 100'000, "large");
  CHECK(the_only(SIMT_RUN("run_far_before", small.get(), 20'000), "out-of-bounds").kind != "overflow");
  CHECK(the_only(SIMT_RUN("run_far_before", large.get(), 16'384), "out-of-bounds").kind != "overflow");
  CHECK(the_only(SIMT_RUN("run_far_before", large.get(), 16'385), "out-of-bounds").has(fact::IndexBits{16}));
  CHECK(the_only(SIMT_RUN("run_far_before", large.get(), 32'769), "out-of-bounds").kind != "overflow");
}

TEST_CASE("out-of-bounds by an index that overflows its 32 bits says so, however far that leads") {
  FreshDevice fresh;
  const std::size_t count = 3'000'000'000;
  int* const large = static_cast<int*>(allocate_sparse(4 * count));
  REQUIRE(large);
  describe_allocation(large, 0, 4 * count, true, "large", sizeof(int));
  const Finding found = the_only(SIMT_RUN("run_far_before", large, 2'000'000'000), "out-of-bounds");
  CHECK(found.has(fact::IndexBits{32}));
  CHECK(place_text(found) == "large[-2000000000]");
  CHECK(mentions(message_of(found), "In 32 bits, as an int has, an index ends at 2147483647"));
  CHECK(mentions(message_of(found), "2294967296, for one, becomes -2000000000"));
  cudaFree(large);
}

TEST_CASE("memory of an earlier call, which its caller has freed") {
  FreshDevice fresh;
  Buffer<int> out(1);
  int* kept = nullptr;
  {
    Buffer<int> earlier(64);
    name(earlier, 64, "earlier");
    kept = earlier.get();
  }
  check_diagnostic(SIMT_RUN("run_read_pointer", static_cast<const int*>(kept), out.get()),
                   {.id = "use-after-free",
                    .variable = "earlier",
                    .marks = {"follows pointer"},
                    .threads = {thread(0, 0)},
                    .words = {"earlier, a buffer of an earlier call of this function"},
                    .cure = "from one call to the next"});
}

TEST_CASE("out-of-bounds by an unsigned index below 0 names the array that it began in, and no neighbour") {
  const struct {
    unsigned last;
    std::string mark, variable, index;
    unsigned first, count;
  } cases[] = {{62, "wraps in piece", "piece", "[4294967295]", 63, 1},
               {64, "wraps in queue", "queue", "[4294967295]", 63, 1},
               {65, "wraps in global memory", "in", "[4294967295]", 0, 1}};
  for (const auto& c : cases) {
    FreshDevice fresh; // the kernel ends there, with an error that stays
    Buffer<int> in(64), out(64), neighbour(64);
    name(in, 64, "in");
    name(neighbour, 64, "neighbour");
    const Finding found = check_diagnostic(
        SIMT_RUN("run_index_below_zero", static_cast<const int*>(in.get()), out.get(), c.last),
        {.id = "out-of-bounds",
         .variable = c.variable,
         .index = c.index,
         .marks = {c.mark},
         .threads = {thread(0, c.first)},
         .count = c.count,
         .words = {"far from all of them, where " + c.variable + c.index + " would be",
                   "unsigned index that goes below 0"},
         .cure = "subtraction"});
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(!mentions(message_of(found), "neighbour"));
    CHECK(!mentions(message_of(found), "global memory"));
  }
}

TEST_CASE("an out-of-bounds of shared memory is seen behind kernels whose arrays were larger") {
  {
    FreshDevice ended_with_an_error;
    Buffer<int> in(64), out(64);
    the_only(SIMT_RUN("run_index_below_zero", static_cast<const int*>(in.get()), out.get(), 64u),
             "out-of-bounds");
  }
  FreshDevice fresh;
  Buffer<int> out(64);
  CHECK(the_only(SIMT_RUN("run_shared_overrun", out.get(), 0u, 0), "out-of-bounds").variable == "rest");
}

TEST_CASE("the advice for out-of-bounds fits the memory and the side") {
  FreshDevice fresh;
  const auto overrun = [](unsigned turns, int shift) {
    cudaDeviceReset();
    Buffer<int> out(64);
    return the_only(SIMT_RUN("run_shared_overrun", out.get(), turns, shift), "out-of-bounds");
  };
  const Finding beyond = overrun(66, 0), below = overrun(64, -2), dynamic = overrun(0, 0);
  CHECK(lines_of(beyond)[0] == marked_line(source, "beyond the array"));
  CHECK(mentions(cure_of(beyond), "ends at index n - 1"));
  CHECK(mentions(cure_of(below), "below 0"));
  CHECK(lines_of(dynamic)[0] == marked_line(source, "beyond the bytes"));
  CHECK(mentions(cure_of(dynamic), "as many as the launch asks for"));
  cudaDeviceReset();
  Buffer<int> in(64), other(64);
  name(in, 64, "in");
  const Finding before = the_only(
      SIMT_RUN("run_before_the_start", static_cast<const int*>(in.get()), other.get()), "out-of-bounds");
  CHECK(index_text(before) == "[-1]");
  CHECK(mentions(cure_of(before), "compare the index with 0"));
  for (const Finding& diagnostic : {beyond, below, dynamic, before}) {
    CHECK(!mentions(cure_of(diagnostic), "last block"));
    CHECK(!mentions(cure_of(diagnostic), "if (i < n)"));
  }
}

TEST_CASE("a race's witnesses are of two warps where there are such") {
  FreshDevice fresh;
  Buffer<int> data(64), out(64);
  for (Schedule schedule : all_schedules) {
    Report shared = SIMT_RUN_WITH(with_schedule(schedule), "run_swap_in_block",
                                  static_cast<const int*>(data.get()), out.get());
    std::erase_if(shared.diagnostics, [](const Finding& d) { return d.id == "uninitialised-read"; });
    const Finding race = the_only(shared, "shared-race");
    CHECK(race.count == 64);
    CHECK(!within_warp(race));
    CHECK(!mentions(cure_of(race), "__syncwarp"));
    const Finding global = the_only(
        SIMT_RUN_WITH(with_schedule(schedule), "run_swap_in_global", data.get(), out.get()), "global-race");
    CHECK(global.count == 64);
    CHECK(!within_warp(global));
    CHECK(!mentions(cure_of(global), "__syncwarp"));
  }
}

TEST_CASE(
    "global-race between the same threads of two blocks asks for blockIdx, also between read and write") {
  FreshDevice fresh;
  Buffer<int> in(256), data(128);
  for (Schedule schedule : all_schedules) {
    Report same = SIMT_RUN_WITH(with_schedule(schedule), "run_without_block_index",
                                static_cast<const int*>(in.get()), data.get(), 0, 0u);
    const auto between = [](const Report& report) {
      for (const Finding& d : report.diagnostics)
        if (d.id == "global-race" && lines_of(d)[0] != lines_of(d)[1]) return d;
      return Finding{};
    };
    CHECK(cure_of(between(same)).starts_with("both threads have the same threadIdx"));
    CHECK(mentions(cure_of(between(same)), "blockIdx"));
    Report other = SIMT_RUN_WITH(with_schedule(schedule), "run_without_block_index",
                                 static_cast<const int*>(in.get()), data.get(), 5, 3u);
    CHECK(cure_of(between(other)).starts_with("blocks run in any order"));
    CHECK(!mentions(cure_of(between(other)), "blockIdx"));
    const Finding first = the_only(
        SIMT_RUN_WITH(with_schedule(schedule), "run_pass_on_by_first", data.get(), in.get()), "global-race");
    CHECK(cure_of(first).starts_with("blocks run in any order"));
  }
}

TEST_CASE("uninitialised-read of shared and of global memory") {
  FreshDevice fresh;
  Buffer<int> out(64), sums(32, false);
  check_diagnostic(SIMT_RUN("run_unwritten_tile", out.get()), {.id = "uninitialised-read",
                                                               .variable = "tile",
                                                               .index = "[9]",
                                                               .marks = {"unwritten element"},
                                                               .threads = {thread(0, 9)},
                                                               .count = 2,
                                                               .words = {"no thread has written"},
                                                               .cure = "__syncthreads()"});
  name(sums, 32, "sums", false);
  check_diagnostic(SIMT_RUN("run_accumulate", sums.get()),
                   {.id = "uninitialised-read",
                    .variable = "sums",
                    .index = "[0]",
                    .marks = {"never zeroed"},
                    .threads = {thread(0, 0)},
                    .count = 32,
                    .words = {"cudaMalloc starts with arbitrary contents"},
                    .cure = "cudaMemset"});
}

TEST_CASE("uninitialised-read where a call was to write, but has failed or comes too late") {
  const struct {
    const char *function, *mark, *word, *cure, *unheard;
  } cases[] = {{"run_copy_the_wrong_way", "wrong way",
                "cudaMemcpy, which was called before, has failed with cudaErrorInvalidValue",
                "direction of the copy", "source-on-host"},
               {"run_set_the_pointer", "the pointer's own address",
                "cudaMemsetAsync, which was called before, has failed", "not its address", "not-on-device"},
               {"run_set_afterwards", "too late", "cudaMemset writes it after the kernel has been launched",
                "call cudaMemset before the launch", ""}};
  for (const auto& expected : cases) {
    FreshDevice fresh;
    Buffer<int> sums(32, false);
    name(sums, 32, "sums", false);
    Report report = SIMT_RUN(expected.function, sums.get());
    if (expected.unheard != std::string()) {
      REQUIRE(report.diagnostics.size() == 2);
      CHECK(report.diagnostics.front().id == "unheard-error");
      CHECK(report.diagnostics.front().kind == expected.unheard);
      report.diagnostics.erase(report.diagnostics.begin());
    }
    check_diagnostic(std::move(report), {.id = "uninitialised-read",
                                         .variable = "sums",
                                         .index = "[0]",
                                         .marks = {"never zeroed", expected.mark},
                                         .threads = {thread(0, 0), std::nullopt},
                                         .count = 32,
                                         .words = {expected.word},
                                         .cure = expected.cure});
  }
}

TEST_CASE("barrier-divergence with both barriers") {
  FreshDevice fresh;
  Buffer<int> out(64);
  check_diagnostic(SIMT_RUN("run_barrier_in_branch", out.get()),
                   {.id = "barrier-divergence",
                    .marks = {"barrier of some", "barrier of others"},
                    .threads = {thread(0, 0), thread(0, 32)},
                    .count = 2,
                    .words = {"waits at __syncthreads()"},
                    .cure = "out of the branch"});
}

TEST_CASE("barrier-divergence with a barrier that others skip before they end") {
  FreshDevice fresh;
  Buffer<int> out(64);
  cudaMemset(out.get(), 0, 64 * sizeof(int));
  check_diagnostic(SIMT_RUN("run_barrier_in_if", out.get()),
                   {.id = "barrier-divergence",
                    .marks = {"skipped by the others", "not entered by all"},
                    .threads = {thread(0, 0), thread(0, 1)},
                    .count = 6,
                    .words = {"does not enter", "has to reach the barrier"},
                    .cure = "out of the branch"});
  check_diagnostic(SIMT_RUN("run_barrier_in_else", out.get()),
                   {.id = "barrier-divergence",
                    .marks = {"of the first warp", "the second warp"},
                    .threads = {thread(0, 0), thread(0, 32)},
                    .count = 2,
                    .words = {"does not enter"},
                    .cure = "out of the branch"});
  for (Schedule schedule : all_schedules) {
    cudaMemset(out.get(), 0, 64 * sizeof(int));
    CHECK(
        SIMT_RUN_WITH(with_schedule(schedule), "run_barriers_after_returns", out.get()).diagnostics.empty());
  }
}

TEST_CASE("where threads have left a loop for another barrier, the report names both and the visits") {
  FreshDevice fresh;
  Buffer<int> in(70), out(64);
  for (Schedule schedule : all_schedules) {
    const Finding found =
        the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_barriers_in_and_behind_uneven_loop",
                               static_cast<const int*>(in.get()), out.get()),
                 "barrier-divergence");
    static Symbolizer symbolizer;
    const std::string text = render(found, symbolizer);
    CAPTURE(text);
    CHECK(lines_of(found) == std::vector<unsigned>{marked_line("diagnostics.cu", "in the loop"),
                                                   marked_line("diagnostics.cu", "behind the loop")});
    CHECK(mentions(text, "thread 0 twice so far, thread 6 once, and that one has left the loop"));
    CHECK(mentions(text, "move the barrier behind this `if`, still inside of the loop"));
  }
}

TEST_CASE(
    "barrier-divergence of a loop that threads go through more often than others comes before its races") {
  FreshDevice fresh;
  Buffer<int> in(70), out(64);
  for (Schedule schedule : all_schedules) {
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_barrier_in_uneven_loop",
                                  static_cast<const int*>(in.get()), out.get());
    REQUIRE(report.diagnostics.size() >= 2);
    static Symbolizer symbolizer;
    for (std::size_t i = 1; i < report.diagnostics.size(); ++i) {
      const Finding& follows = report.diagnostics[i];
      CHECK((follows.id == "shared-race" || follows.id == "uninitialised-read"));
      if (follows.id != "shared-race") continue;
      const std::string text = render(follows, symbolizer);
      CAPTURE(text);
      CHECK(!mentions(text, "another barrier"));
      CHECK(mentions(text, "see barrier-divergence"));
      CHECK(mentions(text, "try: correct the barrier first"));
    }
    report.diagnostics.resize(1);
    check_diagnostic(report,
                     {.id = "barrier-divergence",
                      .marks = {"of those who stay", "left by most"},
                      .threads = {thread(0, 0), thread(0, 6)},
                      .words = {"stands in a loop", "thread 0 twice so far, thread 6 once, and that one",
                                "leaves the loop"},
                      .cure = "after the loop"});
  }
}

TEST_CASE(
    "barrier-divergence of while and do loops, and none of loops that all leave together or by ending") {
  FreshDevice fresh;
  Buffer<int> out(64);
  for (Schedule schedule : all_schedules) {
    cudaMemset(out.get(), 0, 64 * sizeof(int));
    check_diagnostic(SIMT_RUN_WITH(with_schedule(schedule), "run_barrier_in_uneven_while", out.get()),
                     {.id = "barrier-divergence",
                      .marks = {"three times or once", "of different length"},
                      .threads = {thread(0, 5), thread(0, 0)},
                      .words = {"thread 5 twice so far, thread 0 once"},
                      .cure = "same number of turns"});
    check_diagnostic(SIMT_RUN_WITH(with_schedule(schedule), "run_barrier_in_uneven_do", out.get()),
                     {.id = "barrier-divergence",
                      .marks = {"three times, or only once", "a turn is made in any case"},
                      .threads = {thread(0, 5), thread(0, 0)},
                      .words = {"thread 5 twice so far, thread 0 once"},
                      .cure = "same number of turns"});
    for (unsigned turns : {0u, 1u, 70u})
      CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_barriers_in_even_loops", out.get(), turns)
                .diagnostics.empty());
  }
}

TEST_CASE("a value that a later turn brings is told apart from one that the next turn overwrites") {
  FreshDevice fresh;
  Buffer<int> in(1024), out(1024);
  static Symbolizer symbolizer;
  for (Schedule schedule : all_schedules) {
    auto text_of_race = [&](const char* function) {
      Report report =
          SIMT_RUN_WITH(with_schedule(schedule), function, static_cast<const int*>(in.get()), out.get());
      merge_by_line(report.diagnostics, symbolizer);
      REQUIRE(report.diagnostics.size() == 2);
      CHECK(report.diagnostics[1].id == "uninitialised-read");
      CHECK(report.diagnostics[0].id == "shared-race");
      return render(report.diagnostics[0], symbolizer);
    };
    const std::string early = text_of_race("run_take_before_all_is_there");
    CAPTURE(early);
    CHECK(mentions(early, "before a later turn of the loop"));
    CHECK(mentions(early, "try: let all be brought before the first is taken: two loops"));
    CHECK(!mentions(early, "another barrier"));
    const std::string late = text_of_race("run_reuse_without_second_barrier");
    CAPTURE(late);
    CHECK(mentions(late, "gone on to the next turn of a loop"));
    CHECK(mentions(late, "try: put another barrier"));
  }
}

TEST_CASE("a return from a function before its barrier is named where others wait there") {
  FreshDevice fresh;
  Buffer<int> out(64);
  check_diagnostic(SIMT_RUN("run_some_leave_before_barrier", out.get(), -1),
                   {.id = "barrier-divergence",
                    .marks = {"barrier of the function", "leaves before the barrier"},
                    .threads = {thread(0, 0), thread(0, 32)},
                    .words = {"have returned from a function", "returned before that"},
                    .cure = "in the place of the `return`"});
}

TEST_CASE("of two halves each of which has left a function in which the other waits one is named") {
  FreshDevice fresh;
  Buffer<int> out(64);
  check_diagnostic(SIMT_RUN("run_halves_leave_before_barriers", out.get()),
                   {.id = "barrier-divergence",
                    .marks = {"barrier of the function", "leaves before the barrier"},
                    .threads = {thread(0, 0), thread(0, 32)},
                    .words = {"have returned from a function"},
                    .cure = "in the place of the `return`"});
}

TEST_CASE("a return from an earlier call of a function with a barrier is not taken for the cause") {
  FreshDevice fresh;
  Buffer<int> out(64);
  const Report report = SIMT_RUN("run_some_leave_before_barrier", out.get(), 0);
  const Finding found = the_only(report, "barrier-divergence");
  CHECK(found.kind == "");
  CHECK(lines_of(found) == std::vector{marked_line(source, "barrier of the function"),
                                       marked_line(source, "barrier of the kernel")});
}

TEST_CASE("a return in an earlier block is not taken for the cause") {
  FreshDevice fresh;
  Buffer<int> out(64);
  Report report = SIMT_RUN("run_some_leave_in_first_block", out.get());
  std::erase_if(report.diagnostics, [](const Finding& d) { return d.id == "global-race"; }); // of both blocks
  const Finding found = the_only(report, "barrier-divergence");
  CHECK(found.kind == "");
  CHECK(lines_of(found)[1] == marked_line(source, "barrier of the second block"));
}

TEST_CASE("a return from a function before its shuffle is named where the warp waits for its lanes") {
  FreshDevice fresh;
  Buffer<int> out(64);
  const Finding found = check_diagnostic(SIMT_RUN("run_some_leave_before_shuffle", out.get(), 24, true),
                                         {.id = "lanes-missing",
                                          .marks = {"shuffle of the function", "leaves before the shuffle"},
                                          .threads = {thread(0, 0), thread(0, 24)},
                                          .words = {"waits for ever", "have returned from the function"},
                                          .cure = "in the place of the `return`"});
  CHECK(found.kind == "left");
}

TEST_CASE("a return from a function before its shuffle is named where a value of its lane is taken") {
  FreshDevice fresh;
  Buffer<int> out(64);
  CHECK(SIMT_RUN("run_some_leave_before_shuffle", out.get(), 32, true).diagnostics.empty());
  const Finding found =
      the_only(SIMT_RUN("run_some_leave_before_shuffle", out.get(), 24, false), "lanes-missing");
  CHECK(found.kind == "source-returned");
  CHECK(lines_of(found) == std::vector{marked_line(source, "shuffle of the function"),
                                       marked_line(source, "leaves before the shuffle")});
}

TEST_CASE("deadlock between a barrier and a waiting loop") {
  FreshDevice fresh;
  Buffer<int> out(64), flag(1);
  check_diagnostic(SIMT_RUN("run_barrier_missed", out.get(), flag.get()),
                   {.id = "deadlock",
                    .marks = {"spins here", "waits here"},
                    .threads = {thread(0, 32), thread(0, 0)},
                    .words = {"wait in a loop", "keeps reading the same value"},
                    .cure = "who writes the value"});
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
}

TEST_CASE("deadlock of a loop that waits for a value which no thread writes") {
  FreshDevice fresh;
  Buffer<int> flag(1);
  check_diagnostic(SIMT_RUN("run_spin", flag.get()), {.id = "deadlock",
                                                      .marks = {"waits for no thread"},
                                                      .threads = {thread(0, 0)},
                                                      .words = {"no running thread will ever write"},
                                                      .cure = "who writes the value"});
}

TEST_CASE("waits-for-host: a loop waits for a value that the host could write, and no thread does") {
  const auto managed = [] {
    int* flag = nullptr;
    cudaMallocManaged(reinterpret_cast<void**>(&flag), sizeof(int), cudaMemAttachGlobal);
    return flag;
  };
  const auto locked = [] {
    int* flag = nullptr;
    cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof(int), cudaHostAllocMapped);
    return flag;
  };
  for (int* (*allocate)() : {+managed, +locked}) {
    FreshDevice fresh;
    Buffer<int> out(64);
    int* flag = allocate();
    // The value is there before the launch.
    *flag = 5;
    CHECK(SIMT_RUN("run_wait_for_host", flag, out.get()).diagnostics.empty());
    CHECK(out.values()[63] == 5);
    *flag = 0;
    const Finding found = the_only(SIMT_RUN("run_wait_for_host", flag, out.get()), "waits-for-host");
    CHECK(lines_of(found) == std::vector{marked_line(source, "waits for the host")});
    CHECK(mentions(message_of(found), "The kernel waits for the host"));
    CHECK(mentions(action_of(found, 0), "keeps reading the same value"));
    CHECK(mentions(cure_of(found), "let the host set the value before the launch"));
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  }
  FreshDevice fresh;
  check_diagnostic(SIMT_RUN("run_wait_for_managed_variable"),
                   {.id = "waits-for-host",
                    .variable = "host_flag",
                    .marks = {"asks for the variable"},
                    .threads = {thread(0, 0)},
                    .words = {"threads read host_flag over and over"},
                    .cure = "let the host set the value"});
}

TEST_CASE("waits-for-host: also a loop that asks for two values in turn, when its steps are used up") {
  FreshDevice fresh;
  int* flags = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&flags), 2 * sizeof(int), cudaMemAttachGlobal);
  flags[0] = flags[1] = 0;
  Buffer<int> out(1);
  Options options;
  options.step_budget = 10'000;
  const Finding found =
      the_only(SIMT_RUN_WITH(options, "run_wait_for_either", flags, out.get()), "waits-for-host");
  CHECK(lines_of(found) == std::vector{marked_line(source, "asks for both")});
}

TEST_CASE("blocks that wait for each other in memory which the host can write do not wait for the host") {
  FreshDevice fresh;
  int* flags = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&flags), 2 * sizeof(int), cudaMemAttachGlobal);
  flags[0] = flags[1] = 0;
  const Finding found = the_only(SIMT_RUN("run_wait_for_each_other", flags), "deadlock");
  CHECK(found.kind == "waiting-loop");
}

TEST_CASE("lanes-missing: named in a mask and away, or not named and there") {
  FreshDevice fresh;
  Buffer<int> out(32);
  Report report = SIMT_RUN("run_lane_away", out.get());
  Finding away = the_only(report, "lanes-missing");
  CHECK(lines_of(away)[0] == marked_line(source, "half a warp"));
  CHECK(away.participants[0].thread == thread(0, 0));
  CHECK(mentions(message_of(away), "lanes 16 to 31"));
  CHECK(mentions(cure_of(away), "mask"));
  cudaDeviceReset();
  Buffer<int> other(32);
  Report wrong = SIMT_RUN("run_mask_without_self", other.get());
  REQUIRE(!wrong.diagnostics.empty());
  CHECK(wrong.diagnostics[0].id == "lanes-missing");
  CHECK(lines_of(wrong.diagnostics[0])[0] == marked_line(source, "wrong mask"));
  CHECK(mentions(message_of(wrong.diagnostics[0]), "whose mask, 0x0000fffe, does not name it"));
  CHECK(mentions(cure_of(wrong.diagnostics[0]), "own bit in the mask, which is the first argument"));
}

TEST_CASE("misaligned-access with the element that it begins at") {
  FreshDevice fresh;
  Buffer<float> in(16), out(4);
  name(in, 16, "in");
  check_diagnostic(SIMT_RUN("run_load_vector", static_cast<const float*>(in.get()), out.get()),
                   {.id = "misaligned-access",
                    .variable = "in",
                    .index = "[1]",
                    .marks = {"vector"},
                    .threads = {thread(0, 1)},
                    .words = {"not a multiple of 16", "in[1]"},
                    .cure = "float4 needs 16 bytes"});
}

TEST_CASE("host-pointer-in-kernel and device-pointer-on-host") {
  FreshDevice fresh;
  Buffer<int> in(8), out(1);
  std::vector<int> host(4);
  check_diagnostic(SIMT_RUN("run_read_pointer", static_cast<const int*>(host.data()), out.get()),
                   {.id = "host-pointer-in-kernel",
                    .marks = {"follows pointer"},
                    .threads = {thread(0, 0)},
                    .words = {"memory of the host program"},
                    .cure = "cudaMalloc"});
  cudaDeviceReset();
  Buffer<int> data(8);
  name(data, 8, "data");
  check_diagnostic(SIMT_RUN("read_on_host", static_cast<const int*>(data.get())),
                   {.id = "device-pointer-on-host",
                    .variable = "data",
                    .index = "[5]",
                    .marks = {"host reads"},
                    .threads = {std::nullopt},
                    .words = {"data[5]", "host code"},
                    .cure = "copy it to the host with cudaMemcpy"});
  cudaDeviceReset();
  Buffer<int> written(8);
  name(written, 8, "written");
  check_diagnostic(SIMT_RUN("write_on_host", written.get()),
                   {.id = "device-pointer-on-host",
                    .variable = "written",
                    .index = "[5]",
                    .marks = {"host writes"},
                    .threads = {std::nullopt},
                    .words = {"Host code writes 4 bytes"},
                    .cure = "write it from the host with cudaMemset"});
}

TEST_CASE("constant-write") {
  FreshDevice fresh;
  check_diagnostic(SIMT_RUN("run_write_table", 2), {.id = "constant-write",
                                                    .variable = "table",
                                                    .index = "[2]",
                                                    .marks = {"writes constant"},
                                                    .threads = {thread(0, 0)},
                                                    .words = {"kernels can only read"},
                                                    .cure = "cudaMemcpyToSymbol"});
}

TEST_CASE("unchecked-launch: a refused launch whose error is not asked for") {
  FreshDevice fresh;
  Buffer<int> out(1);
  Report report = SIMT_RUN("run_grid", out.get(), 1u, 2048u);
  REQUIRE(report.diagnostics.size() == 2);
  Report refused{{}, {report.diagnostics[0]}, {}}, unchecked{{}, {report.diagnostics[1]}, {}};
  const Finding refusal = check_diagnostic(refused, {.id = "invalid-launch",
                                                     .marks = {"launch"},
                                                     .threads = {std::nullopt},
                                                     .words = {"2048 threads; 1024 are the most"},
                                                     .cure = "smaller blocks"});
  const Finding unasked = check_diagnostic(unchecked, {.id = "unchecked-launch",
                                                       .marks = {"launch"},
                                                       .threads = {std::nullopt},
                                                       .words = {"cudaErrorInvalidValue", "no_work"},
                                                       .cure = "cudaGetLastError()"});
  for (const Finding& launch : {refusal, unasked}) {
    const auto* refused = launch.get<Refused>();
    REQUIRE(refused);
    CHECK(refused->rule == "block-size");
    CHECK(refused->error == "cudaErrorInvalidValue");
    CHECK(refused->asked == 2048);
    CHECK(refused->allowed == 1024);
    CHECK(refused->cluster == Extent{1, 1, 1});
  }
  Report asked = SIMT_RUN("run_grid_and_ask", out.get(), 2048u);
  the_only(asked, "invalid-launch");
  CHECK(SIMT_RUN("run_grid", out.get(), 1u, 1u).diagnostics.empty());
}

TEST_CASE("use-after-free, double-free and invalid-free") {
  FreshDevice fresh;
  Buffer<int> out(1);
  void* block = nullptr;
  REQUIRE(cudaMalloc(&block, 400) == cudaSuccess);
  REQUIRE(cudaFree(block) == cudaSuccess);
  check_diagnostic(SIMT_RUN("run_read_pointer", static_cast<const int*>(block), out.get()),
                   {.id = "use-after-free",
                    .marks = {"follows pointer"},
                    .threads = {thread(0, 0)},
                    .words = {"a block of 400 bytes from cudaMalloc, which has been freed"},
                    .cure = "after the last kernel"});
  check_diagnostic(SIMT_RUN("free_block", block), {.id = "double-free",
                                                   .marks = {"frees"},
                                                   .threads = {std::nullopt},
                                                   .words = {"a block of 400 bytes", "second time"},
                                                   .cure = "nullptr"});
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaMalloc(&block, 400) == cudaSuccess);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  check_diagnostic(SIMT_RUN("free_block", block), {.id = "double-free",
                                                   .marks = {"frees"},
                                                   .threads = {std::nullopt},
                                                   .words = {"which cudaDeviceReset has freed before"},
                                                   .cure = "leave out cudaDeviceReset"});
  REQUIRE(cudaMalloc(&block, 400) == cudaSuccess);
  check_diagnostic(SIMT_RUN("free_block", static_cast<void*>(static_cast<char*>(block) + 8)),
                   {.id = "invalid-free",
                    .index = " + 8 bytes",
                    .marks = {"frees"},
                    .threads = {std::nullopt},
                    .words = {"8 bytes after the start of a block of 400 bytes"},
                    .cure = "exactly the pointer"});
  Buffer<int> lent(16);
  describe_allocation(lent.get(), 16, 48, true, "lent", sizeof(int));
  check_diagnostic(SIMT_RUN("free_block", static_cast<void*>(lent.get() + 4)),
                   {.id = "invalid-free",
                    .variable = "lent",
                    .marks = {"frees"},
                    .threads = {std::nullopt},
                    .words = {"lent, which belongs to the caller of this function"},
                    .cure = "leave out this cudaFree"});
  std::vector<int> host(4);
  check_diagnostic(SIMT_RUN("free_block", static_cast<void*>(host.data())), {.id = "invalid-free",
                                                                             .marks = {"frees"},
                                                                             .threads = {std::nullopt},
                                                                             .words = {"host program"},
                                                                             .cure = "free, delete"});
}

TEST_CASE("out-of-memory says how much there is") {
  FreshDevice fresh;
  void* block = nullptr;
  check_diagnostic(SIMT_RUN("allocate_block", &block, 1ull << 40),
                   {.id = "out-of-memory",
                    .marks = {"allocates"},
                    .threads = {std::nullopt},
                    .words = {"1,099,511,627,776 bytes", "768 MiB"},
                    .cure = "in bytes"});
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
}

TEST_CASE("grid-too-large ends at once") {
  FreshDevice fresh;
  Buffer<int> out(1);
  for (Schedule schedule : all_schedules) {
    check_diagnostic(SIMT_RUN_WITH(with_schedule(schedule), "run_grid", out.get(), 0x7fffffffu, 1024u),
                     {.id = "grid-too-large",
                      .marks = {"launch"},
                      .threads = {std::nullopt},
                      .words = {"2,199,023,254,528 threads", "5,000,000 steps"},
                      .cure = "number of blocks"});
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    cudaDeviceReset();
  }
}

TEST_CASE("grid-too-large in a whole program has a limit of its own") {
  FreshDevice fresh;
  Buffer<int> out(1);
  Options options;
  options.budget_per_block = true;
  options.most_threads = 1u << 20;
  check_diagnostic(SIMT_RUN_WITH(options, "run_grid", out.get(), 1025u, 1024u),
                   {.id = "grid-too-large",
                    .marks = {"launch"},
                    .threads = {std::nullopt},
                    .words = {"1,049,600 threads", "hours", "at most 1,048,576"},
                    .cure = "number of blocks"});
}

TEST_CASE("step-budget in a whole program is each block's own") {
  FreshDevice fresh;
  Buffer<int> out(256);
  Options options;
  options.step_budget = 200;
  CHECK_FALSE(SIMT_RUN_WITH(options, "run_add_one", out.get(), 30u).diagnostics.empty());
  cudaDeviceReset();
  options.budget_per_block = true;
  options.most_threads = 1u << 20;
  Buffer<int> again(256);
  CHECK(SIMT_RUN_WITH(options, "run_add_one", again.get(), 30u).diagnostics.empty());
  CHECK(again.values()[255] == 30);
  Buffer<int> other(2);
  check_diagnostic(SIMT_RUN_WITH(options, "run_spin_with_memory", other.get()),
                   {.id = "step-budget",
                    .marks = {"works for ever"},
                    .threads = {thread(0, 0)},
                    .words = {"200 steps", "have led no block to its end", "a loop probably never ends"},
                    .cure = "--steps gives each block more"});
}

TEST_CASE("stack-overflow of a recursion without an end") {
  FreshDevice fresh;
  Buffer<int> in(1), out(1);
  check_diagnostic(SIMT_RUN("run_recurse", static_cast<const int*>(in.get()), out.get()),
                   {.id = "stack-overflow",
                    .marks = {"calls itself"},
                    .threads = {thread(0, 0)},
                    .words = {"64 KiB"},
                    .cure = "write a loop in the place of deep recursion, look whether it ends at all"});
}

TEST_CASE("step-budget of loops without an end, with and without memory accesses") {
  FreshDevice fresh;
  Buffer<int> out(2);
  check_diagnostic(SIMT_RUN("run_spin_without_memory", out.get(), 1u), {.id = "step-budget",
                                                                        .marks = {"computes for ever"},
                                                                        .threads = {thread(0, 0)},
                                                                        .words = {"computing for a second"},
                                                                        .cure = "the loop's condition"});
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  cudaDeviceReset();
  Buffer<int> other(2);
  check_diagnostic(SIMT_RUN("run_spin_with_memory", other.get()), {.id = "step-budget",
                                                                   .marks = {"works for ever"},
                                                                   .threads = {thread(0, 0)},
                                                                   .words = {"a loop probably never ends"},
                                                                   .cure = "the loop's condition"});
}

TEST_CASE("too-much-work of launches that are small one by one") {
  FreshDevice fresh;
  Buffer<int> out(256);
  Options options;
  options.step_budget = 1'000;
  options.work_budget = 20'000;
  check_diagnostic(SIMT_RUN_WITH(options, "run_add_one", out.get(), 30u),
                   {.id = "too-much-work",
                    .marks = {"adds again and again"},
                    .threads = {thread(2, 0)},
                    .words = {"too much work for the simulator: ", "have made 20,000 simulated operations"},
                    .cure = "in how many launches"});
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  cudaDeviceReset();
  Buffer<int> other(256);
  for (int call = 0; call < 3; ++call)
    CHECK(SIMT_RUN_WITH(options, "run_add_one", other.get(), 20u).diagnostics.empty());
  CHECK(other.values()[255] == 60);
}

TEST_CASE("step-budget of more blocks than the device holds asks whether they are meant") {
  FreshDevice fresh;
  Buffer<int> out(2);
  check_diagnostic(SIMT_RUN("run_spin_in_many_blocks", out.get()),
                   {.id = "step-budget",
                    .marks = {"works for ever"},
                    .threads = {thread(0, 0)},
                    .words = {"a loop probably never ends"},
                    .cure = "launch fewer blocks: there are 300 of 1024 threads, and the device holds 264"});
}

TEST_CASE("division-by-zero names the division") {
  FreshDevice fresh;
  Buffer<int> out(32);
  check_diagnostic(SIMT_RUN("run_divide", out.get(), 0), {.id = "division-by-zero",
                                                          .marks = {"divides"},
                                                          .threads = {thread(0, 0)},
                                                          .count = 32,
                                                          .words = {"divides 100 by zero", "all bits are set"},
                                                          .cure = "the divisor"});
}
