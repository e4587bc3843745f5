// Diaries of threads, and what is read from them: the module is built with simtcc --replay.
#include "simulation.hpp"

#include "simt/report/evidence.hpp"
#include "simt/runtime/replay/replay.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace simt;

namespace {

using MomentKind = Moment::Kind;

struct Replayed {
  Report report;
  Diaries diaries;
};

/// What the threads did in a call; as it travels.
template <class... Arguments>
Replayed replay_call(const std::vector<WatchedThread>& threads, const char* name, Arguments... arguments) {
  take_diaries();
  watch(threads);
  Replayed seen{SIMT_RUN(name, arguments...), {}};
  watch({});
  seen.diaries = nlohmann::json::parse(nlohmann::json(take_diaries()).dump()).get<Diaries>();
  return seen;
}

template <class... Arguments>
Diaries diaries_of(const std::vector<WatchedThread>& threads, const char* name, Arguments... arguments) {
  const Replayed seen = replay_call(threads, name, arguments...);
  for (const Finding& finding : seen.report.diagnostics)
    FAIL_CHECK(finding.id << ": " << message_of(finding));
  return seen.diaries;
}

WatchedThread watched_lane(unsigned x) { return {{}, 0, {}, {x, 0, 0}}; }

/// The first moment of this kind whose own code is the line with this mark.
const Moment& moment_at(const Diaries& diaries, const Diary& diary, const char* mark, MomentKind kind) {
  const Variables variables(diaries);
  const unsigned line = marked_line("replay.cu", mark);
  for (const Moment& moment : diary.moments)
    if (moment.kind == kind)
      for (const FunctionScope& scope : variables.scopes(moment))
        if (scope.is_own) {
          if (scope.line == line) return moment;
          break;
        }
  throw std::runtime_error(std::string("no such moment in the line marked ") + mark);
}

using ValuesByName = std::map<std::string, std::string>;

/// The variables of the function, `depth` functions outwards, that runs at a moment.
ValuesByName values_in(const Diaries& diaries, const Moment& moment, std::size_t depth = 0) {
  ValuesByName values;
  const std::vector<FunctionScope> scopes = Variables(diaries).scopes(moment);
  for (const VariableValue& variable : scopes.at(depth).variables)
    CHECK(values.emplace(variable.name, variable.text).second); // of names that are hidden no other one
  return values;
}

std::size_t count_of(const Diary& diary, MomentKind kind) {
  return static_cast<std::size_t>(std::ranges::count(diary.moments, kind, &Moment::kind));
}

} // namespace

TEST_CASE("nothing is kept of threads that are not watched") {
  Buffer<int> out(64);
  CHECK(diaries_of({}, "run_scopes", out.get()).of.empty());
  CHECK(diaries_of({watched_lane(1)}, "run_scopes", out.get()).of.empty()); // there is one thread
  CHECK(diaries_of({{"types_kernel", 0, {}, {}}}, "run_scopes", out.get()).of.empty());
  CHECK(diaries_of({{"scopes_kernel", 3, {}, {}}}, "run_scopes", out.get()).of.empty()); // without a trace
  CHECK(diaries_of({{"scopes_kernel", 0, {}, {}}}, "run_scopes", out.get()).of.size() == 1);
  CHECK(take_diaries().of.empty()); // they were taken
  CHECK(take_diaries().modules.empty());
}

TEST_CASE("values of variables, by their types") {
  Buffer<int> out(8);
  Buffer<float> in(4);
  const Diaries diaries = diaries_of({watched_lane(0)}, "run_types", out.get(), in.get());
  REQUIRE(diaries.of.size() == 1);
  CHECK(diaries.of[0].kernel == "types_kernel");
  const Moment& moment = moment_at(diaries, diaries.of[0], "types", MomentKind::write);
  const ValuesByName values = values_in(diaries, moment);
  const ValuesByName expected = {{"n", "41"},
                                 {"i", "-5"},
                                 {"u", "4000000000"},
                                 {"wide", "-5000000000"},
                                 {"widest", "9223372036854775808"},
                                 {"s", "-3"},
                                 {"us", "65535"},
                                 {"yes", "true"},
                                 {"no", "false"},
                                 {"letter", "65"},
                                 {"tiny", "-2"},
                                 {"byte", "255"},
                                 {"colour", "7"},
                                 {"level", "-1"},
                                 {"small", "200"},
                                 {"f", "0.1"},
                                 {"d", "-2.5e-10"},
                                 {"third", "0.3333333"},
                                 {"fixed", "12"},
                                 {"at_run_time", "42"},
                                 {"known", "-7"},
                                 {"large", "9223372036854775808"},
                                 {"is_known", "true"},
                                 {"three", "{1, 2, 3}"},
                                 {"extent", "{4, 5, 1}"},
                                 {"negative", "{-1, 0, 1}"},
                                 {"four", "{1, 2.5, -3, 4}"},
                                 {"vector", "{1.5, -2, 3e+20}"},
                                 {"vector_reference", "{1.5, -2, 3e+20}"},
                                 {"pair", "{4, -6}"},
                                 {"reference", "-5"}};
  for (const auto& [name, text] : expected) {
    INFO(std::string(name));
    CHECK((values.contains(name) ? values.at(name) : "unknown") == text);
  }
  CHECK_FALSE(values.contains("array")); // no number
  CHECK_FALSE(values.contains("named"));
  const std::vector<FunctionScope> scopes = Variables(diaries).scopes(moment);
  CHECK(scopes[0].function == "types_kernel");
  CHECK(scopes[0].is_own);
  const auto& variables = scopes[0].variables;
  const auto variable = [&](const char* name) {
    const auto found = std::ranges::find(variables, name, &VariableValue::name);
    REQUIRE(found != variables.end());
    return *found;
  };
  CHECK(variable("pointer").kind == VariableValue::Kind::pointer);
  CHECK(variable("pointer").bits == reinterpret_cast<std::uintptr_t>(out.get()));
  CHECK(variable("in").bits == reinterpret_cast<std::uintptr_t>(in.get()));
  for (const char* name : {"i", "wide", "s", "tiny", "known", "level", "fixed"})
    CHECK(variable(name).is_signed);
  for (const char* name : {"u", "widest", "us", "byte", "large", "colour", "small"})
    CHECK_FALSE(variable(name).is_signed);
  CHECK(variable("i").bytes == 4);
  CHECK(variable("wide").bytes == 8);
  CHECK(variable("known").bytes == 4);
  CHECK(variable("i").bits == 0xfffffffb); // zero-extended
  CHECK(variable("known").bits == 0xfffffff9);
  CHECK(variable("f").kind == VariableValue::Kind::floating);
  CHECK(variable("three").kind == VariableValue::Kind::structure);
}

TEST_CASE("variables of inner scopes hide others, and end") {
  Buffer<int> out(4);
  const Diaries diaries = diaries_of({watched_lane(0)}, "run_scopes", out.get());
  REQUIRE(diaries.of.size() == 1);
  const auto values = [&](const char* mark) {
    return values_in(diaries, moment_at(diaries, diaries.of[0], mark, MomentKind::write));
  };
  CHECK(values("inner").at("i") == "2");
  CHECK_FALSE(values("inner").contains("j"));
  CHECK_FALSE(values("inner").contains("later")); // not yet declared
  CHECK(values("innermost").at("i") == "30");
  CHECK(values("innermost").at("j") == "31");
  CHECK(values("outer").at("i") == "1");
  CHECK_FALSE(values("outer").contains("later"));
  CHECK(out.values() == std::vector<int>{2, 31, 5, 1});
}

TEST_CASE("parameters of device functions, more than registers hold, and of the kernel around") {
  Buffer<int> out(4);
  const Diaries diaries = diaries_of({watched_lane(0)}, "run_parameters", out.get());
  REQUIRE(diaries.of.size() == 1);
  const Moment& moment = moment_at(diaries, diaries.of[0], "ten parameters", MomentKind::write);
  ValuesByName values = values_in(diaries, moment);
  values.erase("out");
  CHECK(values == ValuesByName{{"a", "2"},
                               {"b", "11"},
                               {"c", "3"},
                               {"d", "4"},
                               {"e", "5"},
                               {"f", "-6"},
                               {"g", "7"},
                               {"h", "8.5"},
                               {"k", "9.25"},
                               {"l", "10"},
                               {"v", "{1, 2, 3}"},
                               {"m", "12"}});
  REQUIRE(moment.frames.size() >= 2);
  const ValuesByName outer = values_in(diaries, moment, 1);
  CHECK(outer.at("n") == "2");
  CHECK(outer.at("mine") == "11");
  const std::vector<FunctionScope> scopes = Variables(diaries).scopes(moment);
  CHECK(scopes[0].function == "deepest");
  CHECK(scopes[1].function == "parameters_kernel");
  CHECK(scopes[1].line == marked_line("replay.cu", "call"));
}

TEST_CASE("variables of templates, functors and lambdas") {
  Buffer<float> floats(8);
  Diaries diaries = diaries_of({watched_lane(3)}, "run_template", floats.get());
  REQUIRE(diaries.of.size() == 1);
  ValuesByName values = values_in(diaries, moment_at(diaries, diaries.of[0], "template", MomentKind::write));
  CHECK(values.at("x") == "9");
  CHECK(values.at("factor") == "1.5");
  CHECK(values.at("width") == "6");

  Buffer<int> out(8);
  diaries = diaries_of({watched_lane(3)}, "run_functor", out.get());
  REQUIRE(diaries.of.size() == 1);
  values = values_in(diaries, moment_at(diaries, diaries.of[0], "functor", MomentKind::write));
  CHECK(values.at("i") == "3");
  CHECK(values.at("value") == "23"); // of what `this` points to

  diaries = diaries_of({watched_lane(0)}, "run_lambda", out.get());
  REQUIRE(diaries.of.size() == 1);
  values = values_in(diaries, moment_at(diaries, diaries.of[0], "lambda", MomentKind::write));
  CHECK(values.at("i") == "2");
  CHECK(values.at("offset") == "4");
  CHECK(values.at("n") == "5");
}

TEST_CASE("comparisons as they are written, with their numbers") {
  Buffer<int> out(24);
  const Buffer<int> table(std::vector<int>{0, -4});
  const Diaries diaries = diaries_of({watched_lane(5)}, "run_comparisons", out.get(), table.get());
  REQUIRE(diaries.of.size() == 1);
  EvidenceReader reader(diaries);
  const auto at = [&](const char* mark) {
    return reader.comparison(diaries.of[0], moment_at(diaries, diaries.of[0], mark, MomentKind::comparison));
  };
  struct Case {
    const char *mark, *code, *numbers;
    bool holds;
  };
  const Case cases[] = {
      {"signed", "i < n / 2", "5 < 4", false},
      {"unsigned", "u >= m", "5 >= 3", true},
      {"64 bits", "big > i", "5000000000 > 5", true},
      {"below 3", "i < 3", "5 < 3", false},
      {"3 at the left", "3 <= i", "3 <= 5", true},
      {"equal", "i == 5", "5 == 5", true},
      {"unequal", "i != 5", "5 != 5", false},
      {"negated", "i < n", "5 < 8", true},
      {"below a constant", "minus < limit", "-1 < 10", true},
      {"constant at the left", "limit > minus", "10 > -1", true},
      {"bytes", "byte < other", "200 < 100", false},
      {"mixed", "minus < m", "4294967295 < 3", false},
      {"below zero", "threadIdx.x - 6 < 32", "4294967295 < 32", false},
      {"signed difference", "i - 6 < n", "-1 < 8", true},
      {"unsigned literal", "u - 6u > 100u", "4294967295 > 100", true},
      {"conditional", "i < n", "5 < 8", true},
      {"loop", "k < 3", "0 < 3", true},
      {"macro", "i < SIX", "5 < 6", true},
      {"constant of the file", "seven > i", "7 > 5", true},
      {"built in", "threadIdx.x * 2 >= blockDim.x + 3", "10 >= 11", false},
      {"negative in memory", "table[1] < 0", "-4 < 0", true},
      {"long and unsigned", "far < u", "-1 < 5", true},
      {"parameter of a template", "i < width", "5 < 6", true},
  };
  for (const auto& [mark, code, numbers, holds] : cases) {
    INFO(std::string(mark));
    const auto shown = at(mark);
    CHECK(shown);
    if (!shown) continue;
    CHECK(shown->code == code);
    CHECK(shown->numbers == numbers);
    CHECK(shown->holds == holds);
    CHECK(shown->line.line == marked_line("replay.cu", mark));
  }
  // Both of a line, each with its own numbers; of the one behind a false one nothing.
  std::vector<std::string> of_two, of_one;
  for (const Moment& moment : diaries.of[0].moments) {
    if (moment.kind != MomentKind::comparison) continue;
    const auto shown = reader.comparison(diaries.of[0], moment);
    if (shown && shown->line.line == marked_line("replay.cu", "two of a line"))
      of_two.push_back(comparison_text(*shown));
    if (shown && shown->line.line == marked_line("replay.cu", "the first turns away"))
      of_one.push_back(comparison_text(*shown));
  }
  CHECK(of_two == std::vector<std::string>{"`i > 1`: 5 > 1 is true", "`i < n`: 5 < 8 is true"});
  CHECK(of_one == std::vector<std::string>{"`minus >= 0`: -1 >= 0 is false"});
}

TEST_CASE("accesses have their places, in blocks of two and three dimensions") {
  Buffer<int> out(16 * 8 + 1);
  name(out, 16 * 8 + 1, "out");
  Diaries diaries = diaries_of({{"place_kernel", 0, {1, 1, 0}, {5, 2, 0}}}, "run_places", out.get());
  REQUIRE(diaries.of.size() == 1);
  const Diary& diary = diaries.of[0];
  CHECK(diary.grid == Extent{2, 2, 1});
  CHECK(diary.block_extent == Extent{8, 4, 1});
  CHECK(diary.block == Extent{1, 1, 0});
  CHECK(diary.thread == Extent{5, 2, 0});
  CHECK(count_of(diary, MomentKind::block) > 0);
  const Moment& shared = moment_at(diaries, diary, "to shared memory", MomentKind::write);
  CHECK(shared.place.space == Space::shared);
  CHECK(shared.place.variable == "tile");
  CHECK(shared.place.element == std::vector<std::int64_t>{2, 5});
  CHECK(shared.bytes == 4);
  const Moment& global = moment_at(diaries, diary, "to global memory", MomentKind::write);
  CHECK(global.place.space == Space::global);
  CHECK(global.place.variable == "out");
  CHECK(global.place.element == std::vector<std::int64_t>{6 * 16 + 13});
  CHECK(global.address == reinterpret_cast<std::uintptr_t>(out.get() + 6 * 16 + 13));
  CHECK(values_in(diaries, global).at("y") == "6");
  const Moment& read = moment_at(diaries, diary, "to global memory", MomentKind::read);
  CHECK(read.place.variable == "tile");
  const Moment& atomic = moment_at(diaries, diary, "atomic", MomentKind::atomic);
  CHECK(atomic.address == reinterpret_cast<std::uintptr_t>(out.get() + 16 * 8));
  CHECK(atomic.bytes == 4);

  diaries = diaries_of({{{}, 0, {}, {1, 2, 3}}, {{}, 0, {}, {0, 0, 1}}}, "run_cube", out.get());
  REQUIRE(diaries.of.size() == 2);
  for (const Diary& cube : diaries.of) {
    CHECK(cube.block_extent == Extent{2, 3, 4});
    const Moment& moment = moment_at(diaries, cube, "in a cube", MomentKind::write);
    const unsigned t = (cube.thread[2] * 3 + cube.thread[1]) * 2 + cube.thread[0];
    CHECK(values_in(diaries, moment).at("t") == std::to_string(t));
    CHECK(moment.address == reinterpret_cast<std::uintptr_t>(out.get() + t));
  }
}

TEST_CASE("threads of child grids and of clusters") {
  Buffer<int> out(8);
  name(out, 8, "out");
  Diaries diaries = diaries_of({{"child_kernel", 0, {}, {2, 0, 0}}}, "run_children", out.get());
  // A thread in each of the two child grids.
  REQUIRE(diaries.of.size() == 2);
  std::vector<std::string> given;
  for (const Diary& diary : diaries.of) {
    CHECK(diary.kernel == "child_kernel");
    given.push_back(values_in(diaries, moment_at(diaries, diary, "child", MomentKind::write)).at("value"));
  }
  std::ranges::sort(given);
  CHECK(given == std::vector<std::string>{"10", "11"});

  diaries = diaries_of({{"cluster_kernel", 0, {3, 0, 0}, {}}}, "run_cluster", out.get());
  REQUIRE(diaries.of.size() == 1);
  CHECK(diaries.of[0].grid == Extent{4, 1, 1});
  const Moment& moment = moment_at(diaries, diaries.of[0], "to the other block", MomentKind::write);
  CHECK(moment.place.space == Space::shared);
  CHECK(moment.place.variable == "own");
}

TEST_CASE("each of a call's launches has a diary, the last ones if there are many") {
  Buffer<int> out(8);
  Diaries diaries = diaries_of({watched_lane(0)}, "run_often", out.get(), 3);
  REQUIRE(diaries.of.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const Moment& moment = moment_at(diaries, diaries.of[k], "last write", MomentKind::write);
    CHECK(values_in(diaries, moment).at("turns") == std::to_string(k));
  }
  diaries = diaries_of({watched_lane(0)}, "run_often", out.get(), 80);
  REQUIRE(diaries.of.size() == 64);
  CHECK(values_in(diaries, moment_at(diaries, diaries.of.front(), "last write", MomentKind::write))
            .at("turns") == "16");
  CHECK(values_in(diaries, moment_at(diaries, diaries.of.back(), "last write", MomentKind::write))
            .at("turns") == "79");
}

TEST_CASE("of a long diary the writes to global memory are kept, and the latest of the rest") {
  Buffer<int> out(8);
  Diaries diaries = diaries_of({watched_lane(0)}, "run_long", out.get(), 5000);
  REQUIRE(diaries.of.size() == 1);
  const Diary& diary = diaries.of[0];
  CHECK(diary.left_out > 5000);
  CHECK(diary.moments.size() < 3000);
  CHECK(values_in(diaries, moment_at(diaries, diary, "first write", MomentKind::write)).at("turns") ==
        "5000");
  CHECK(diary.moments.front().kind == MomentKind::write); // what came before it is gone, it is not
  CHECK_NOTHROW(moment_at(diaries, diary, "last write", MomentKind::write));
  CHECK(count_of(diary, MomentKind::read) > 100);

  diaries = diaries_of({watched_lane(0)}, "run_many_writes", out.get(), 5000);
  REQUIRE(diaries.of.size() == 1);
  CHECK(diaries.of[0].moments.size() < 3000);
  const Moment& first = moment_at(diaries, diaries.of[0], "many writes", MomentKind::write);
  CHECK(values_in(diaries, first).at("k") == "0");
  const auto last = std::ranges::find(diaries.of[0].moments.rbegin(), diaries.of[0].moments.rend(),
                                      MomentKind::write, &Moment::kind);
  REQUIRE(last != diaries.of[0].moments.rend());
  CHECK(values_in(diaries, *last).at("k") == "4999");
}

TEST_CASE("large frames, and functions that call themselves") {
  Buffer<int> out(8);
  Diaries diaries = diaries_of({watched_lane(0)}, "run_large", out.get());
  REQUIRE(diaries.of.size() == 1);
  const Moment& moment = moment_at(diaries, diaries.of[0], "large frame", MomentKind::write);
  CHECK(moment.stack.size() <= 16384);
  for (const auto& [name, text] : values_in(diaries, moment))
    if (name == "near" || name == "n") CHECK(text == "77"); // of what was not kept nothing is shown
  CHECK(out.values()[0] == 9077);

  for (const int depth : {3, 40}) {
    diaries = diaries_of({watched_lane(0)}, "run_recursive", out.get(), depth);
    REQUIRE(diaries.of.size() == 1);
    const Moment& bottom = moment_at(diaries, diaries.of[0], "bottom", MomentKind::write);
    CHECK(bottom.frames.size() == (depth == 3 ? 6 : 12)); // no more than twelve
    for (int up = 0; up < 4; ++up)
      CHECK(values_in(diaries, bottom, static_cast<std::size_t>(up)).at("depth") ==
            (depth == 3 && up == 4 ? "3" : std::to_string(up)));
  }
}

TEST_CASE("a thread that comes to its stack's end, and one that is stopped, leave their diaries") {
  Buffer<int> out(8);
  name(out, 8, "out");
  Replayed seen = replay_call({watched_lane(0)}, "run_endless", out.get());
  CHECK_FALSE(seen.report.diagnostics.empty());
  REQUIRE(seen.diaries.of.size() == 1);
  const Moment& moment = moment_at(seen.diaries, seen.diaries.of[0], "endless", MomentKind::write);
  CHECK(values_in(seen.diaries, moment).at("depth") == "0");
  CHECK(seen.diaries.of[0].moments.size() < 3000);

  cudaDeviceReset();
  Buffer<int> other(8);
  seen = replay_call({watched_lane(0)}, "run_null", other.get());
  CHECK_FALSE(seen.report.diagnostics.empty());
  REQUIRE(seen.diaries.of.size() == 1);
  CHECK(values_in(seen.diaries, moment_at(seen.diaries, seen.diaries.of[0], "null", MomentKind::write))
            .at("n") == "1");
  cudaDeviceReset();
}

TEST_CASE("of a finding: the values at its access, what made them, and what let it pass") {
  Buffer<int> out(20, false);
  name(out, 20, "out");
  const Replayed seen =
      replay_call({{"beyond_kernel", 0, {1, 0, 0}, {2, 0, 0}}}, "run_beyond", out.get(), 20);
  REQUIRE(seen.report.diagnostics.size() == 1);
  const Finding& finding = seen.report.diagnostics[0];
  REQUIRE(finding.id == "out-of-bounds");
  REQUIRE(finding.participants.size() == 1);
  EvidenceReader reader(seen.diaries);
  const auto evidence = reader.of(finding, finding.participants[0]);
  REQUIRE(evidence);
  CHECK(evidence->there.line.line == marked_line("replay.cu", "beyond"));
  CHECK(evidence->there.values == std::vector<ShownValue>{{"to", "20"}});
  REQUIRE(evidence->passed.size() == 1);
  CHECK(comparison_text(evidence->passed[0]) == "`i < n`: 18 < 20 is true");
  REQUIRE(evidence->origins.size() == 2);
  CHECK(evidence->origins[0].values == std::vector<ShownValue>{{"i", "18"}});
  CHECK(evidence->origins[1].values ==
        std::vector<ShownValue>{{"blockIdx.x", "1"}, {"blockDim.x", "16"}, {"threadIdx.x", "2"}});
  // Of a thread that kept no diary there is none.
  Participant other = finding.participants[0];
  other.thread->thread[0] += 1;
  CHECK_FALSE(reader.of(finding, other));
}

TEST_CASE("why a thread did not come to a line") {
  Buffer<int> out(64, false);
  name(out, 64, "out");
  const std::vector<WatchedThread> both = {{"beyond_kernel", 0, {1, 0, 0}, {5, 0, 0}},
                                           {"beyond_kernel", 0, {1, 0, 0}, {3, 0, 0}}};
  EvidenceReader reader(diaries_of(both, "run_beyond", out.get(), 20));
  const SourceLine line{beside_the_tests("replay.cu"), marked_line("replay.cu", "beyond")};
  const Extent block{1, 0, 0};
  const auto refusal = reader.refusal(0, {block, {5, 0, 0}}, {block, {3, 0, 0}}, line);
  REQUIRE(refusal);
  CHECK(comparison_text(*refusal) == "`i < n`: 21 < 20 is false");
  CHECK_FALSE(reader.refusal(0, {block, {3, 0, 0}}, {block, {3, 0, 0}}, line)); // it did come
  CHECK_FALSE(reader.refusal(0, {block, {6, 0, 0}}, {block, {3, 0, 0}}, line)); // not watched
  const auto write = reader.of_write(0, block, {3, 0, 0}, "out", {21});
  REQUIRE(write);
  CHECK(write->there.values == std::vector<ShownValue>{{"i", "19"}, {"n", "20"}, {"to", "21"}});
  CHECK_FALSE(reader.of_write(0, block, {3, 0, 0}, "out", {22}));
}

TEST_CASE("diaries as JSON, there and back; damaged ones are refused") {
  Buffer<int> out(64);
  const Buffer<int> table(std::vector<int>{0, -4});
  take_diaries();
  watch({watched_lane(5)});
  SIMT_RUN("run_comparisons", out.get(), table.get());
  watch({});
  const nlohmann::json json = take_diaries();
  CHECK(nlohmann::json(json.get<Diaries>()) == json);
  const auto damaged = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json copy = json;
    copy.at(nlohmann::json::json_pointer(pointer)) = value;
    return copy;
  };
  std::size_t compared = 0;
  while (json["of"][0]["moments"][compared][0] != static_cast<int>(MomentKind::comparison)) ++compared;
  const std::string moment = "/of/0/moments/" + std::to_string(compared);
  const auto is_refused = [](const nlohmann::json& from) {
    try {
      static_cast<void>(from.get<Diaries>());
    } catch (const std::exception&) {
      return true;
    }
    return false;
  };
  CHECK_FALSE(is_refused(damaged((moment + "/7").c_str(), "00ff")));
  CHECK(is_refused(damaged((moment + "/7").c_str(), "00fg")));
  CHECK(is_refused(damaged((moment + "/7").c_str(), "00f"))); // half a byte
  CHECK(is_refused(damaged((moment + "/7").c_str(), 5)));
  CHECK(is_refused(damaged((moment + "/0").c_str(), 5)));
  CHECK(is_refused(damaged((moment + "/0").c_str(), -1)));
  CHECK(is_refused(damaged((moment + "/1/0/module").c_str(), 1)));
  CHECK(is_refused(damaged("/of/0/moments/0", nlohmann::json::array())));
  CHECK(is_refused(damaged("/of/0/thread", "x")));
  CHECK(is_refused(damaged("/modules", nlohmann::json::array())));
  CHECK(is_refused(nlohmann::json::array()));
  CHECK(is_refused(nlohmann::json()));
  // A module that is not there has no variables, and nothing breaks.
  const auto elsewhere = damaged("/modules/0", "/nowhere.so").get<Diaries>();
  for (const FunctionScope& scope : Variables(elsewhere).scopes(elsewhere.of[0].moments[compared]))
    CHECK(scope.variables.empty());
}

TEST_CASE("watched threads as JSON") {
  const std::vector<WatchedThread> threads = {{"k", 2, {1, 2, 3}, {4, 5, 6}}, {}};
  CHECK(nlohmann::json::parse(nlohmann::json(threads).dump()).get<std::vector<WatchedThread>>() == threads);
}
