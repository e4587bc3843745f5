// Lab 06: which findings of the simulator get the lesson's advice, and which mistakes are known by the counts to which they
// lead. Mutants hold the rest to that.
#include <doctest/doctest.h>

#include "../lessons.hpp"
#include "wrong_counts.hpp"

using namespace cluster_histogram;

namespace {

/// Ids of mistakes that a case here has shown.
std::set<std::string> shown;

constexpr auto reads = simt::Access::read, writes = simt::Access::write, updates = simt::Access::atomic;
constexpr unsigned nbins = 1000;

/// What this lab says of a failed call with these values and clusters of this size.
Failure told(Failure failure, unsigned cluster_size = 0, const std::vector<int>& values = {1, 2}) {
  const Submitted starter(STARTER);
  explain(failure, {failure, values, nbins, cluster_size});
  return failure;
}

/// Ends with the id (unless it is empty), and has this in the place of the simulator's advice.
void expect_advised(const Failure& failure, const std::string& id, const std::string& says,
                    const std::string& section = {}) {
  if (id.empty())
    CHECK(failure.diagnoses.size() == 1);
  else
    CHECK(failure.diagnoses.back() == id);
  const std::string advice = failure.findings.front().telling.advice.value_or("");
  CHECK_MESSAGE(advice.find(says) != std::string::npos, advice);
  CHECK(failure.sections == (section.empty() ? std::vector<std::string>{} : std::vector{section}));
}

/// A race at two lines, which are one line if they are equal.
Failure race(const std::string& id, unsigned line, unsigned other_line,
             const std::vector<simt::Participant>& parties) {
  Failure failure = found(id, "bins", 5, parties);
  failure.places = {{"cluster_histogram.cu", line}, {"cluster_histogram.cu", other_line}};
  return failure;
}

/// An access of four bytes beside an array of `bytes`.
Failure beside(const std::string& array, std::int64_t element, simt::Outside outside, simt::Space space) {
  Failure failure = found("out-of-bounds", array, element, {party(0, 0, 0, updates)});
  failure.findings.front().finding.facts = {outside};
  failure.findings.front().finding.space = space;
  return failure;
}

Failure refused(const char* rule, unsigned cluster_blocks = 1) {
  Failure failure = found("invalid-launch", "", -1, {});
  failure.findings.front().finding.facts = {
      simt::Refused{.rule = rule, .error = "cudaErrorInvalidValue", .cluster = {cluster_blocks, 1, 1}}};
  return failure;
}

Failure rank(std::uint64_t asked, std::uint64_t blocks) {
  Failure failure = found("cluster-rank", "", -1, {party(0, 0, 0, updates)});
  failure.findings.front().finding.facts = {simt::fact::Rank{{asked, blocks}}};
  return failure;
}

/// All mistakes with values that were counted wrong: in a grid of blocks without clusters, and of clusters of 4.
std::vector<Mistakes> mistakes_of_counts(const Outcome& call) {
  simt::KernelRecord blocks, clusters;
  blocks.grid = clusters.grid = {8, 1, 1};
  blocks.block = clusters.block = {64, 1, 1};
  clusters.cluster = {4, 1, 1};
  const std::size_t n = call.input.size();
  return {mistakes_of_range(call),  mistakes_of_blocks(call, blocks), mistakes_of_blocks(call, clusters),
          mistakes_of_places(call), mistakes_of_values(call, n - 10), mistakes_of_values(call, 2 * n)};
}

std::set<std::string> ids_of_messages(const Mistakes& table) {
  std::set<std::string> ids;
  for (const Mistake<unsigned>& row : table) ids.insert(row.message.id);
  return ids;
}

constexpr auto past = simt::Outside::Side::past, before = simt::Outside::Side::before;

} // namespace

TEST_CASE("a race in one line lacks an atomic, one between two lines a barrier") {
  expect_advised(told(race("global-race", 30, 30, {party(0, 0, 0, writes), party(1, 0, 0, reads)})),
                 "needs-atomic", "atomicAdd(), which reads, adds and writes in one step");
  expect_advised(told(race("shared-race", 30, 31, {party(0, 0, 0, writes), party(0, 0, 1, updates)}), 2),
                 "needs-barrier", "put cluster.sync() between the two accesses");
  const Failure in_a_block =
      told(race("shared-race", 30, 31, {party(0, 0, 0, writes), party(0, 0, 1, reads)}), 0);
  CHECK(in_a_block.diagnoses.back() == "needs-barrier");
  CHECK_FALSE(in_a_block.findings.front().telling.advice.has_value()); // the simulator's is right
  CHECK(in_a_block.details.back().text.to_print().find("a barrier does not help") != std::string::npos);
}

TEST_CASE("who clears bins inside of the kernel reads that no barrier reaches all blocks") {
  Failure failure = race("global-race", 30, 31, {party(0, 0, 0, writes), party(1, 0, 0, updates)});
  expect_advised(told(failure), "cleared-while-counting", "clear in a call before the kernel");
  failure.findings.front().finding.facts = {simt::fact::Alike{true}};
  CHECK(told(failure).diagnoses.size() == 1);
}

TEST_CASE("beyond the counters of a block lies a bin's number, or the end of the bins") {
  const auto behind = [](std::uint64_t bytes, std::uint64_t distance) {
    return beside("counters", -1, {past, distance, bytes}, simt::Space::shared);
  };
  expect_advised(told(behind(2000, 40), 2), "bin-taken-for-counter",
                 "counters[510] of a block that has 500 counters", "A histogram for every cluster");
  expect_advised(told(behind(4 * nbins, 0)), "last-bin-passed", "The last of 1000 bins is number 999",
                 "Which bin is a value's?");
  CHECK(told(behind(4 * nbins, 4)).diagnoses.size() == 1);
}

TEST_CASE("beyond the bins lies the counter of a block without a bin, or the end of the bins") {
  const auto behind = [](std::int64_t element) {
    return beside("bins", element, {past, 0, 4 * nbins}, simt::Space::global);
  };
  expect_advised(told(behind(nbins), 4), "counter-without-bin",
                 "Which bin does counter b of this block belong to?", "A histogram for every cluster");
  expect_advised(told(behind(nbins)), "last-bin-passed", "does bin_of return nbins",
                 "Which bin is a value's?");
  CHECK(told(behind(nbins + 1)).diagnoses.size() == 1);
}

TEST_CASE("before an array lies the bin of a value below 0, if there is such a value") {
  const Failure failure = beside("bins", -1, {before, 4, 4 * nbins}, simt::Space::global);
  expect_advised(told(failure, 0, {3, -1}), "", "Values below 0 count in the first bin",
                 "Which bin is a value's?");
  CHECK_FALSE(told(failure, 0, {3, 1}).findings.front().telling.advice.has_value());
}

TEST_CASE("a grid of no blocks is reported with the values that there are") {
  expect_advised(told(refused("empty-grid"), 0, {}), "grid-of-no-blocks", "launch at least one block");
  expect_advised(told(refused("empty-grid")), "grid-of-no-blocks", "has a division rounded down?");
  expect_advised(told(refused("empty-cluster"), 2), "grid-of-no-blocks", "cudaOccupancyMaxActiveClusters");
}

TEST_CASE("a grid that is not of whole clusters is a matter of TODO(4)") {
  expect_advised(told(refused("grid-of-whole-clusters", 2)), "", "config.gridDim counts blocks");
}

TEST_CASE("a block that the cluster has not is reported with the bins that would be its own") {
  expect_advised(told(rank(3, 3)), "", "how many does a block own? Here there are 1000 bins and 3 blocks");
  expect_advised(told(rank(4, 4)), "", "Bin 1000 would have that owner", "Which bin is a value's?");
  expect_advised(told(rank(400, 4)), "", "which of your two numbers is which");
}

TEST_CASE("every mistake with values and bins is known by the counts to which it leads") {
  const Reply none; // nothing is known of the launch
  const Counter counter = cluster(4);
  Input input{"values around the range", {}, nbins};
  for (int i = 0; i < 4000; ++i) input.values.push_back(i * 37 % 2500 - 600);
  const std::vector<unsigned> wanted = histogram_of(input.values, nbins), before(nbins);
  const Outcome call{none, counter, input, before, wanted};
  for (const Mistakes& mistakes : mistakes_of_counts(call)) {
    const auto behind = [&](const std::vector<unsigned>& bins) {
      const auto is = [&](std::size_t b, unsigned count) { return bins[b] == count; };
      const auto is_right = [&](std::size_t b, unsigned count) { return wanted[b] == count; };
      const Mistake<unsigned>* made = mistake_made(mistakes, nbins, is, is_right, Several::first);
      return made == nullptr ? "" : made->message.id;
    };
    for (const Mistake<unsigned>& mistake : mistakes) {
      std::vector<unsigned> bins(nbins);
      for (std::size_t b = 0; b < nbins; ++b) bins[b] = mistake.predicts(b);
      if (bins == wanted) continue; // of values that are not cut off, say
      CHECK(behind(bins) == mistake.message.id);
      shown.insert(mistake.message.id);
    }
    CHECK(behind(wanted).empty());
  }
}

TEST_CASE("every mistake with values and bins is shown by a mutant or by the case above") {
  if (!std::filesystem::exists(MUTANTS)) return; // the students' tree
  shown.merge(promised_by_mutants(MUTANTS));
  const Reply none;
  const Counter counter = cluster(4);
  const Input input{"", std::vector<int>(100), nbins};
  const std::vector<unsigned> bins(nbins);
  const Outcome call{none, counter, input, bins, bins};
  for (const Mistakes& table : mistakes_of_counts(call))
    for (const std::string& id : ids_of_messages(table)) CHECK_MESSAGE(shown.contains(id), id);
}
