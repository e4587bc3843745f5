#include "simt/report/catalogue.hpp"
#include "simt/report/wording.hpp"
#include "simulation.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace simt;

namespace {

const Finding* find(const Report& report, const std::string& id) {
  for (const Finding& diagnostic : report.diagnostics)
    if (diagnostic.id == id) return &diagnostic;
  return nullptr;
}

} // namespace

TEST_CASE(
    "a missing barrier between write and read is a race under every schedule, with both lines and threads") {
  Buffer<int> in(64), out(64);
  unsigned write = marked_line("races.cu", "racing write"), read = marked_line("races.cu", "racing read");
  for (Schedule schedule : all_schedules) {
    Report report =
        SIMT_RUN_WITH(with_schedule(schedule), "run_reverse_without_barrier", in.get(), out.get());
    const Finding* race = find(report, "shared-race");
    REQUIRE(race);
    CHECK(race->variable == "tile");
    CHECK(sorted_lines(*race) == std::vector<unsigned>{write, read});
    REQUIRE(race->participants.size() == 2);
    const ThreadId &a = *race->participants[0].thread, &b = *race->participants[1].thread;
    CHECK(a.block == b.block);
    CHECK(a.thread[0] + b.thread[0] == 63);
  }
}

TEST_CASE("a barrier orders accesses") {
  Buffer<int> in(counted(64)), out(64);
  for (Schedule schedule : all_schedules) {
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_reverse", in.get(), out.get()).diagnostics.empty());
    CHECK(out.values()[0] == 63);
  }
}

TEST_CASE("of reads in even steps through a padded array each is checked") {
  Buffer<int> out(64);
  for (Schedule schedule : all_schedules) {
    const auto run = [&](bool misses_one, bool writes_late) {
      return SIMT_RUN_WITH(with_schedule(schedule), "run_padded_columns", out.get(), misses_one, writes_late);
    };
    CHECK(run(false, false).diagnostics.empty());
    for (int thread = 0; thread < 64; ++thread)
      CHECK(out.values()[static_cast<std::size_t>(thread)] == thread % 32 * 1024 + 496);
    // Both loops read the place once in each warp, by other lanes.
    const Report unwritten = run(true, false);
    CHECK(unwritten.diagnostics.size() == 2);
    for (const Finding& finding : unwritten.diagnostics) {
      CHECK(finding.id == "uninitialised-read");
      CHECK(index_text(finding) == "[17][4]");
      CHECK(finding.count == 2);
    }
    const Report late = run(false, true);
    CHECK(late.diagnostics.size() == 2);
    for (const Finding& finding : late.diagnostics) {
      CHECK(finding.id == "shared-race");
      CHECK(index_text(finding) == "[5][3]");
    }
  }
}

TEST_CASE("a missing second barrier is a race between the read and the next round's write") {
  Buffer<int> in(64), out(64);
  for (Schedule schedule : all_schedules) {
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_reuse_without_barrier", in.get(), out.get());
    Finding race = the_only(report, "shared-race");
    CHECK(sorted_lines(race) == std::vector<unsigned>{marked_line("races.cu", "reusing write"),
                                                      marked_line("races.cu", "late read")});
  }
}

TEST_CASE("the last reader writing does not hide the other readers") {
  Buffer<int> out(32);
  for (Schedule schedule : all_schedules) {
    Finding race = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_broadcast_then_write", out.get()),
                            "shared-race");
    CHECK(sorted_lines(race) == std::vector<unsigned>{marked_line("races.cu", "all read"),
                                                      marked_line("races.cu", "one writes")});
  }
}

TEST_CASE("who writes finds all that have read before, in other warps too, since the last barrier") {
  Buffer<int> out(256);
  for (Schedule schedule : all_schedules) {
    for (unsigned writer : {0u, 127u}) {
      const Options options = with_schedule(schedule);
      CHECK(SIMT_RUN_WITH(options, "run_readers_then_writer", out.get(), writer, true).diagnostics.empty());
      const Report report = SIMT_RUN_WITH(options, "run_readers_then_writer", out.get(), writer, false);
      const Finding* race = find(report, "shared-race");
      REQUIRE(race);
      CHECK(race->variable == "row");
      CHECK(sorted_lines(*race) == marked_lines("races.cu", "reads of four warps", "write behind them"));
      REQUIRE(race->participants.size() == 2);
      const bool writes_first = race->participants[0].access == Access::write;
      CHECK(race->participants[writes_first ? 0 : 1].thread->thread[0] == writer);
      const unsigned reader = race->participants[writes_first ? 1 : 0].thread->thread[0];
      CHECK(reader >= 61);
      CHECK(reader <= 64);
    }
  }
}

TEST_CASE("words that are read before their bytes are not shared with the neighbours' bytes") {
  Buffer<int> out(32);
  for (Schedule schedule : all_schedules)
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_words_then_bytes", out.get()).diagnostics.empty());
}

TEST_CASE("a fence publishes the reads before it, and not those behind it") {
  Buffer<int> out(64);
  CHECK(SIMT_RUN("run_read_around_fence", out.get(), false).diagnostics.empty());
  const Finding race = the_only(SIMT_RUN("run_read_around_fence", out.get(), true), "shared-race");
  CHECK(sorted_lines(race) == marked_lines("races.cu", "read behind the fence", "seen and written"));
}

TEST_CASE("lanes of a warp are ordered by __syncwarp and by nothing else") {
  Buffer<int> in(counted(32)), out(1);
  for (Schedule schedule : all_schedules) {
    Report ordered = SIMT_RUN_WITH(with_schedule(schedule), "run_warp_sum", in.get(), out.get(), true);
    CHECK(ordered.diagnostics.empty());
    CHECK(out.values()[0] == 496);
    Report unordered = SIMT_RUN_WITH(with_schedule(schedule), "run_warp_sum", in.get(), out.get(), false);
    const Finding* race = find(unordered, "shared-race");
    REQUIRE(race);
    CHECK(cure_of(*race).find("__syncwarp") != std::string::npos);
  }
}

TEST_CASE("__syncwarp orders the lanes of its mask only") {
  Buffer<int> out(1);
  for (Schedule schedule : all_schedules) {
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_half_warps", out.get(), 9u).diagnostics.empty());
    Options options = with_schedule(schedule);
    Report report = SIMT_RUN_WITH(options, "run_half_warps", out.get(), 25u);
    CHECK(find(report, "shared-race"));
  }
}

TEST_CASE("neighbouring bytes of one word do not race") {
  Buffer<char> in(64), out(64);
  CHECK(SIMT_RUN("run_bytes", in.get(), out.get()).diagnostics.empty());
}

TEST_CASE("a word races with a byte inside it") {
  Buffer<int> out(1);
  for (Schedule schedule : all_schedules)
    CHECK(find(SIMT_RUN_WITH(with_schedule(schedule), "run_bytes_and_words", out.get()), "shared-race"));
}

TEST_CASE("atomics do not race with each other, but with plain reads") {
  Buffer<int> in(counted(64)), out(8);
  for (Schedule schedule : all_schedules) {
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_histogram", in.get(), out.get(), true)
              .diagnostics.empty());
    CHECK(out.values() == std::vector<int>(8, 8));
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_histogram", in.get(), out.get(), false);
    const Finding* race = find(report, "shared-race");
    REQUIRE(race);
    CHECK(sorted_lines(*race) ==
          std::vector<unsigned>{marked_line("races.cu", "atomic"), marked_line("races.cu", "plain")});
  }
}

TEST_CASE("threads that have ended are not waited for at a barrier") {
  Buffer<int> out(64);
  for (Schedule schedule : all_schedules) {
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_early_exit", out.get()).diagnostics.empty());
    CHECK(out.values()[0] == 39);
  }
}

TEST_CASE("threads that come to one statement with one index get no barrier for advice") {
  Buffer<int> in(counted(256)), out(1);
  for (Schedule schedule : all_schedules) {
    const auto race = [&](const char* function) {
      return the_only(SIMT_RUN_WITH(with_schedule(schedule), function, in.get(), out.get()), "shared-race");
    };
    CHECK(is_alike(race("run_all_add")));
    CHECK(cure_of(race("run_all_add")) == one_thread_adds);
    CHECK(is_alike(race("run_all_write")));
    CHECK(cure_of(race("run_all_write")) == one_thread_writes);
    CHECK_FALSE(is_alike(race("run_tree_without_barrier")));
    CHECK(cure_of(race("run_tree_without_barrier")).starts_with("put __sync"));
  }
}
