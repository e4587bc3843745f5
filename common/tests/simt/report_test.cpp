#include "simt/report/catalogue.hpp"
#include "simt/report/code_lines.hpp"
#include "simt/report/symbolizer.hpp"
#include "simt/report/wording.hpp"

#include "facts.hpp"

#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace simt;

namespace {

Finding race() {
  Finding d;
  d.id = "shared-race";
  d.kernel = "reverse";
  d.variable = "tile";
  d.element = {3};
  Participant write, read;
  write.access = Access::write;
  read.access = Access::read;
  write.bytes = read.bytes = 4;
  write.thread = ThreadId{{0, 0, 0}, {3, 0, 0}, 0, 3};
  write.file = __FILE__;
  write.line = 2;
  read.thread = ThreadId{{0, 0, 0}, {40, 0, 0}, 1, 8};
  read.where = {"/no/such/module.so", 0x1234};
  d.participants = {write, read};
  d.facts = {Spread{}, fact::Alike{}, fact::Written{{{7, 8}}}};
  d.count = 5;
  return d;
}

} // namespace

TEST_CASE("of an access beyond an array the comparison is quoted that lets it through") {
  const std::string file = "report_test_source.cu";
  const auto told = [&](const std::string& above, const std::string& access = "a[i] += 1;") {
    std::ofstream(file) << "__global__ void k(float* a, int n) {\n" << above << "  " << access << "\n}\n";
    Finding beyond;
    beyond.id = "out-of-bounds";
    beyond.space = Space::global;
    beyond.variable = "a";
    beyond.facts = {Outside{.side = Outside::Side::past}};
    beyond.participants.resize(1);
    beyond.participants[0].file = file;
    beyond.participants[0].line = static_cast<unsigned>(2 + std::ranges::count(above, '\n'));
    Symbolizer symbolizer;
    const auto line = comparison_before(beyond, symbolizer);
    const std::string quoted = line ? symbolizer.excerpt(*line) : "";
    const std::string text = render(beyond, symbolizer);
    const bool is_told = std::ranges::any_of(lets_through, [&](const auto& each) {
      return text.find("`" + quoted + "`, " + each.text) != text.npos;
    });
    CHECK(is_told == line.has_value());
    return quoted;
  };
  CHECK(told("  if (i > n) return;\n") == "if (i > n) return;");
  CHECK(told("  if (i >= n) ;\n") == "if (i >= n) ;");
  CHECK(told("  for (int r = 0; r <= n; ++r)\n", "a[r] += 1;") == "for (int r = 0; r <= n; ++r)");
  CHECK(told("  for (int r = 0; r <= n; ++r)\n", "a[r * 8 + i] += 1;") == "for (int r = 0; r <= n; ++r)");
  CHECK(told("  for (int k = 0; k < n; ++k)\n", "tile[k] = i >= k ? a[i - k] : 0;") ==
        "tile[k] = i >= k ? a[i - k] : 0;");
  CHECK(told("  if (i < n)\n", "a[i] = a[i] > 2 ? 1 : 0;") == "if (i < n)"); // this compares what lies there
  CHECK(told("  while (i<=n) {\n    b = 1;\n") == "while (i<=n) {");
  CHECK(told("", "if (i < 2 * n) a[i] += 1;") == "if (i < 2 * n) a[i] += 1;");
  CHECK(told("  if (i >= n) return;\n  for (int k = 0; k < 3; ++k) {\n    b = k;\n  }\n") ==
        "if (i >= n) return;");
  for (const char* none :
       {"", "  if (i < n) b = 1;\n", "  if (i == n) return;\n", "  // if (i < n)\n",
        "  if (i < n) {\n    b = 1;\n  }\n", "  if (f<4>(i)) return;\n", "  diff(i < n);\n  b = p->n;\n"})
    CHECK_MESSAGE(told(none) == "", none);
  // Loops over something else: over a tile, whose place is not bounded by its size, and over another array.
  CHECK(told("  for (int y = 0; y < tile_side; ++y)\n", "tile[y] = a[(first + y) * n];") == "");
  CHECK(told("  for (int y = 0; y < 32; ++y)\n", "tile[y] = a[first + y];") == "");
  CHECK(told("  int first = block * side;\n  for (int y = 0; y < side; ++y)\n", "tile[y] = a[first + y];") ==
        "");
  CHECK(told("  for (int k = 0; k < n; ++k)\n", "tile[k] = a[i];") == "");
  std::filesystem::remove(file);
}

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
  Report copy = nlohmann::json::parse(nlohmann::json(report).dump()).get<Report>();
  CHECK(copy.kernels[1].grid == kernel.grid);
  CHECK(copy.kernels[0].counters == kernel.counters);
  CHECK(copy.kernels[0].sites[0].where == kernel.sites[0].where);
  CHECK(copy.diagnostics == std::vector{race()});
  CHECK(total(copy).global_load_requests == 14);
  CHECK(nlohmann::json(copy) == nlohmann::json(report));
}

TEST_CASE(
    "the data of a finding survive JSON, and facts that findings of its kind do not have are not read") {
  Finding finding = race();
  finding.grid = {5, 6, 7};
  finding.block = {8, 9, 1};
  finding.unnamed_bytes = 400;
  finding.space = Space::shared;
  finding.element = {3, -5};
  finding.byte = 2;
  finding.in_array = true;
  finding.owner = {{1, 2, 3}};
  finding.address = 0x1000;
  finding.allocated = {{"/m.so", 98}};
  finding.launch = HostLaunch{{{"/m.so", 99}}, {{"in", 1, ""}, {"", 0, "5003"}}};
  finding.cause = "barrier-divergence";
  finding.participants[0].access = Access::atomic;
  finding.participants[0].bytes = 16;
  finding.participants[0].visits = 3;
  finding.participants[0].depth = 0;
  finding.participants[0].kernel = "parent";
  finding.participants[0].kin = Kin::parent;
  finding.participants[1].access.reset();
  finding.participants[1].waits_at = "cluster.sync()";
  finding.participants[1].polls = true;
  for (const Wording& wording : catalogue) {
    finding.id = wording.id;
    finding.kind = wording.kind;
    finding.facts = known_facts(wording.kind.facts);
    nlohmann::json json = finding;
    for (const fact::Any& any : known_facts(~wording.kind.facts))
      std::visit([&](const auto& fact) { json[fact.name] = "of another one"; }, any);
    CAPTURE(json);
    CHECK(nlohmann::json::parse(json.dump()).get<Finding>() == finding);
  }
}

TEST_CASE("a finding's JSON has its words, and is not read from them") {
  const Finding finding = race();
  nlohmann::json json = finding;
  CHECK(json.at("message") == message_of(finding));
  CHECK(json.at("suggestion") == cure_of(finding));
  CHECK(json.at("notes") == notes_of(finding));
  CHECK(json.at("participants").at(1).at("action") == "reads 4 bytes of it");
  const nlohmann::json before = json;
  json["message"] = json["suggestion"] = json["participants"][0]["action"] = "something else";
  CHECK(nlohmann::json(json.get<Finding>()) == before);
}

TEST_CASE("a finding that the catalogue does not have is refused, and so is a word for what has others") {
  for (const auto& [name, value] :
       {std::pair{"id", "shared-raze"}, {"kind", "skipped"}, {"space", "texture"}, {"severity", "fatal"}}) {
    nlohmann::json unknown = race();
    unknown[name] = value;
    CHECK_THROWS_AS(unknown.get<Finding>(), std::runtime_error);
  }
}

TEST_CASE("two parties are of one warp, one block or two blocks, and of neither in two grids") {
  Finding finding = race(); // of warps 0 and 1 of one block
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

TEST_CASE("what is reported of a diagnostic can leave out its message and its advice, or give other advice") {
  Symbolizer symbolizer;
  const auto lines_with = [&](const Telling& telling, const std::string& part) {
    const std::string text = render(race(), symbolizer, telling);
    return text.find(part) != std::string::npos;
  };
  CHECK(lines_with({}, message_of(race())));
  CHECK_FALSE(lines_with({.message = false}, message_of(race())));
  CHECK(lines_with({}, "try: put __syncthreads()"));
  CHECK_FALSE(lines_with({.advice = ""}, "try: "));
  CHECK(lines_with({.advice = "count again."}, "  try: count again."));
  CHECK(lines_with({.advice = ""}, "note: the first write left 7"));
}

TEST_CASE("counters use their field names as keys and leave zeros out") {
  Counters counters;
  counters.shared_load_ideal_wavefronts = 3;
  CHECK(nlohmann::json(counters).dump() == R"({"shared_load_ideal_wavefronts":3})");
}

TEST_CASE("a rendered diagnostic names what, who, where, how often and what to try") {
  Symbolizer symbolizer;
  std::string text = render(race(), symbolizer);
  for (const char* part :
       {"error: shared-race in kernel reverse (5 times", "Two threads use tile[3] and nothing orders them",
        "thread (3,0,0) of block (0,0,0), warp 0 lane 3 writes 4 bytes of it", "report_test.cpp:2",
        "thread (40,0,0) of block (0,0,0), warp 1 lane 8 reads", "note: the first write left 7",
        "try: put __syncthreads()"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("a race across a barrier is named one of a later turn") {
  const std::string path = "report_test_kernel.cu";
  std::ofstream(path) << "for (;;) {\n  tile[i] = 1;\n  __syncthreads(); // all\n  use(tile[j]);\n}\n";
  Finding d = race();
  d.participants[0].file = d.participants[1].file = path;
  d.participants[0].line = 2;
  d.participants[1].line = 4;
  Symbolizer symbolizer;
  CHECK(render(d, symbolizer).find("gone on to the next turn of a loop") != std::string::npos);
  CHECK(render(d, symbolizer).find("try: put another barrier where one turn ends") != std::string::npos);
  CHECK(render(d, symbolizer).find("try: put __syncthreads() between") == std::string::npos);
  Finding early = d, uneven = d;
  early.cause = "uninitialised-read";
  CHECK(render(early, symbolizer).find("next turn") == std::string::npos);
  CHECK(render(early, symbolizer).find("try: let all be brought before the first is taken") !=
        std::string::npos);
  uneven.cause = "barrier-divergence";
  CHECK(render(uneven, symbolizer).find("next turn") == std::string::npos);
  CHECK(render(uneven, symbolizer).find("try: correct the barrier first") != std::string::npos);
  early.participants[1].line = 3; // no barrier between: what comes with the race is said
  CHECK(render(early, symbolizer).find("try: put __syncthreads() between") != std::string::npos);
  Finding in_cluster = d; // each of the blocks has come to its own barrier, and the other does not know
  in_cluster.participants[1].thread->block[0] = 1;
  CHECK(render(in_cluster, symbolizer).find("next turn") == std::string::npos);
  CHECK(render(in_cluster, symbolizer).find("try: put cluster.sync() between") != std::string::npos);
  d.participants[1].line = 3;
  CHECK(render(d, symbolizer).find("next turn") == std::string::npos);
  CHECK(render(d, symbolizer).find("try: put __syncthreads() between") != std::string::npos);
  std::filesystem::remove(path);
}

TEST_CASE(
    "of threads that come to one element in different turns the step is named, where the numbers bear it out") {
  const std::string path = "report_test_kernel.cu";
  Finding d = race();
  d.id = "global-race";
  d.grid = {4, 1, 1};
  d.block = {256, 1, 1};
  d.facts = {Spread{true, true, false}, fact::Alike{true}, fact::Written{}};
  d.element = {32};
  d.participants[0].thread = ThreadId{{0, 0, 0}, {28, 0, 0}, 0, 28};
  d.participants[1].thread = ThreadId{{0, 0, 0}, {32, 0, 0}, 1, 0};
  d.participants[0].file = d.participants[1].file = path;
  const auto says = [&](const std::string& source, unsigned line) {
    std::ofstream(path) << "__global__ void k(float* y, int n) {\n" << source << "}\n";
    d.participants[0].line = d.participants[1].line = line;
    Symbolizer symbolizer;
    return render(d, symbolizer);
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
  std::string text =
      says("  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x) y[i] *= 2;\n", 2);
  CHECK(has(text, "the first one in turn 2 of the loop in line 2, the second one in turn 1; the step "
                  "`gridDim.x` is 4, and "
                  "1024 threads share the loop"));
  CHECK(has(text,
            "try: make the step the number of threads that share the loop: `i += gridDim.x * blockDim.x`."));
  text = says("  const int me = threadIdx.x, step = 2 + 2;\n  for (int i = me; i < n; i += step) {\n    y[i] "
              "*= 2;\n  }\n",
              4);
  CHECK(has(text, "the step `step` is 4, and 256 threads share the loop"));
  CHECK(has(text, "`i += blockDim.x`."));
  // Another step or start, or one that is not known: nothing is claimed.
  for (const char* other : {"  for (int i = threadIdx.x; i < n; i += 3) y[i] *= 2;\n",
                            "  for (int i = 32 * threadIdx.x; i < n; ++i) y[i] *= 2;\n",
                            "  for (int i = threadIdx.x; i < n; i += f()) y[i] *= 2;\n",
                            "  for (int i = threadIdx.x; i < n; i *= 2) y[i] *= 2;\n"}) {
    text = says(other, 2);
    CHECK_MESSAGE(!has(text, "share the loop:"), other);
    CHECK(has(text, "try: if every element is meant for one thread, look at the index"));
  }
  text = says("  for (int i = threadIdx.x; i < n; i += 4) y[a[i]] *= 2;\n", 2);
  CHECK(!has(text, "share the loop:"));
  CHECK(has(text, "note: both threads come to this element by an index that is made of what they read from "
                  "memory, `a[i]`"));
  std::filesystem::remove(path);
}

TEST_CASE(
    "races for one variable are one finding with all lines, unless they differ in their reach or kind") {
  const std::string path = "report_test_kernel.cu";
  std::ofstream(path) << "\n\n\n\n\n\n\n\n";
  const auto race_at = [&](unsigned first, unsigned second) {
    Finding d = race();
    d.participants[0].file = d.participants[1].file = path;
    d.participants[0].line = first;
    d.participants[1].line = second;
    return d;
  };
  std::vector<Finding> found = {race_at(2, 3), race_at(3, 4), race_at(4, 4), race_at(2, 2), race_at(6, 6)};
  Finding other = race_at(7, 7);
  other.variable = "another";
  Finding within_warp = race_at(5, 5);
  within_warp.participants[1].thread = ThreadId{{0, 0, 0}, {4, 0, 0}, 0, 4};
  Finding atomic = race_at(5, 5);
  atomic.participants[0].access = Access::atomic;
  found.insert(found.end(), {other, within_warp, atomic});
  Symbolizer symbolizer;
  merge_by_variable(found, symbolizer);
  REQUIRE(found.size() == 4);
  CHECK(found[0].count == 25);
  CHECK(found[0].elsewhere.size() == 4);
  CHECK(render(found[0], symbolizer).find("  - likewise in lines 4 and 6\n") != std::string::npos);
  CHECK(nlohmann::json(found[0]).get<Finding>() == found[0]);
  CHECK(render(found[1], symbolizer).find("likewise") == std::string::npos);
  std::vector<Finding> unknown = {race_at(2, 3), race_at(3, 4)};
  unknown[0].variable = unknown[1].variable = "";
  merge_by_variable(unknown, symbolizer);
  CHECK(unknown.size() == 2);
  std::filesystem::remove(path);
}

TEST_CASE(
    "what several kernels have at the same lines, or beyond one array, is one finding that names them") {
  const std::string path = "report_test_kernel.cu";
  std::ofstream(path) << "\n\n\n\n\n\n";
  const auto at = [&](Finding d, const char* kernel, unsigned line) {
    d.kernel = kernel;
    for (Participant& who : d.participants) who.file = path, who.line = line;
    return d;
  };
  Symbolizer symbolizer;
  std::vector<Finding> found = {at(race(), "sum<2>", 2), at(race(), "sum<4>", 2), at(race(), "sum<2>", 3),
                                at(race(), "sum<8>", 2), at(race(), "other", 4)};
  merge_by_kernel(found, symbolizer);
  REQUIRE(found.size() == 3);
  CHECK(found[0].kernels == std::vector<std::string>{"sum<4>", "sum<8>"});
  CHECK(found[0].count == 3 * race().count);
  CHECK(render(found[0], symbolizer).find("  - likewise in kernels sum<4> and sum<8>\n") !=
        std::string::npos);
  CHECK(nlohmann::json(found[0]).get<Finding>() == found[0]);
  CHECK(found[1].kernels.empty());
  std::filesystem::remove(path);
}

TEST_CASE("code is read by its assignments and conditions") {
  const auto only = [](const std::string& code) {
    const std::vector<Assignment> all = assignments_in(code);
    REQUIRE_MESSAGE(all.size() == 1, code);
    return all[0].target + " " + all[0].sign + " " + all[0].value;
  };
  CHECK(only("if (i < n && a[i] >= *best) *best = a[i];") == "*best = a[i]");
  CHECK(only("for (int k = 0; k < n; ++k) (*count)++;") == "*count ++ ");
  CHECK(only("else m[y * n + x] <<= 2;") == "m[y*n+x] <<= 2");
  CHECK(only("const float* const p = rows[i];") == "p = rows[i]");
  CHECK(assignments_in("int i = a[k], j = b[k]; f(i, j);").size() == 2);
  CHECK(assignments_in("if (a == b || c != d) return;").empty());
  CHECK(conditions_in("if (i < n && (f(i) || !b)) x = 1;") == std::vector<std::string>{"i<n", "(f(i);!b)"});
  CHECK(has_expression("a[*best]+1", "*best"));
  CHECK(!has_expression("bests[0]", "best"));
}

TEST_CASE("a race of one line of a loop asks for a barrier at the end of the loop's body") {
  const std::string path = "report_test_kernel.cu";
  Finding d = race();
  d.participants[0].file = d.participants[1].file = path;
  const auto says = [&](const std::string& source, unsigned line) {
    std::ofstream(path) << source;
    d.participants[0].line = d.participants[1].line = line;
    Symbolizer symbolizer; // which remembers the lines of a file
    return render(d, symbolizer);
  };
  const auto at_end = [&](const std::string& source, unsigned line) {
    const std::string text = says(source, line);
    const bool is_at_end = text.find("try: put __syncthreads() at the end of the loop's body") != text.npos;
    CHECK(is_at_end == (text.find("note: both accesses are this line") != text.npos));
    CHECK(is_at_end == (text.find("then put __syncthreads(), then write") == text.npos));
    return is_at_end;
  };
  const std::string head = "__global__ void k(int* s) {\n";
  CHECK(at_end(
      head + "for (int d = 1; d < n; d *= 2) {\n  if (a) s[t] += s[t + d];\n}\n__syncthreads();\n}\n", 3));
  CHECK(at_end(
      head + "for (int d = 1; d < n; d *= 2)\n  if (a)\n    s[t] += s[t + d];\n__syncthreads();\n}\n", 4));
  CHECK(at_end(head + "for (int d = 1; d < n; d *= 2) s[t] += s[t + d];\n}\n", 2));
  CHECK(at_end(head + "while (d < n) {\n  if (a) {\n    s[t] += s[t + d];\n  }\n  d *= 2;\n}\n}\n", 4));
  CHECK_FALSE(at_end(head + "s[t] += s[t + 1];\n}\n", 2));
  CHECK_FALSE(at_end(head + "for (int i = 0; i < n; ++i) {\n  f(i);\n}\ns[t] += s[t + 1];\n}\n", 5));
  CHECK(at_end(head + "for (int d = 1; d < n; d *= 2)\n{\n  s[t] += s[t + d];\n  f();\n}\n}\n", 4));
  CHECK_FALSE(at_end(head + "for (int i = 0; i < n; ++i)\n  f(i);\ns[t] += s[t + 1];\n}\n", 4));
  CHECK_FALSE(at_end(head + "for (int i = 0; i < n; ++i) f(i);\ns[t] += s[t + 1];\n}\n", 3));
  CHECK_FALSE(at_end(head + "for (;;) {\n  for (int i = t; i < n; i += 32)\n    s[i] += s[i + d];\n  "
                            "__syncthreads();\n}\n}\n",
                     4));
  CHECK_FALSE(at_end("for (;;) {\n}\n" + head + "s[t] += s[t + 1];\n}\n", 4));
  CHECK_FALSE(
      at_end(head + "for (int d = 1; d < n; d *= 2) {\n  s[t] += s[t + d];\n  __syncthreads();\n}\n}\n", 3));
  // Two lines: the innermost loop around both of them counts.
  const auto says_of_two = [&](const std::string& source, unsigned first, unsigned second) {
    std::ofstream(path) << source;
    d.participants[0].line = first;
    d.participants[1].line = second;
    Symbolizer symbolizer;
    return render(d, symbolizer);
  };
  const char* const in_one_loop = "note: both lines are in one loop without a barrier";
  CHECK(says_of_two(
            head + "for (;;) {\n  for (;;) {\n    v = s[k];\n    s[t] = v;\n  }\n  __syncthreads();\n}\n}\n",
            4, 5)
            .find(in_one_loop) != std::string::npos);
  CHECK(says_of_two(head + "for (;;) {\n  v = s[k];\n  __syncthreads();\n}\ns[t] = v;\n}\n", 3, 6)
            .find(in_one_loop) == std::string::npos);
  CHECK(says_of_two(head + "v = s[k];\nfor (;;) {\n  s[t] = v;\n}\n}\n", 2, 4).find(in_one_loop) ==
        std::string::npos);
  d.participants[1].thread->block[0] = 1; // of another block of a cluster
  const std::string text = says(head + "for (;;) s[t] += s[t + d];\n}\n", 2);
  CHECK(text.find("try: put cluster.sync() between") != text.npos);
  std::filesystem::remove(path);
}

TEST_CASE("an address that cannot be looked up leaves the diagnostic without a line") {
  Symbolizer symbolizer;
  CHECK(!symbolizer.locate({"/no/such/module.so", 1}));
  CHECK(!symbolizer.locate({}));
  CHECK(symbolizer.excerpt({"/no/such/file.cu", 1}).empty());
}
