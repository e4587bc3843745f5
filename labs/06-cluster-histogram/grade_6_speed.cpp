// Speed on a GPU, as a ratio to a kernel that only reads, measured in the same run. Worth no points: a time
// does not decide a mark.

#include "rubric.hpp"

using namespace cluster_histogram;

namespace {

// Least ratios to the yardstick `read`: 5% below the worst of 20 runs of the readable solution on an H200,
// plots/data/06-cluster-histogram-ratios-h200.csv.
constexpr double histogram_shared_least_ratio = 0.54;
constexpr double histogram_cluster_least_ratio = 0.14;

void check_speed(const Counter& counter, unsigned nbins, double least_ratio) {
  const std::size_t n = elements_beyond_cache(submission().options(), sizeof(int));
  // Repeated, their counts are soon known; what makes a histogram fast or slow is in any thousand of them.
  const Drawn<int> values{repeating(whole_numbers(0, nbins - 1.0), 8'388'593)};
  const std::vector<unsigned> wanted = histogram_of(values.distribution, values.seed, n, nbins);
  expect_speed({.yardstick = Yardstick::read,
                .useful_bytes = static_cast<double>(n * sizeof(int)),
                .least_ratio = least_ratio,
                .read = say("the handout, '{section}'", counter.section)},
               [&](const CallOptions& how) {
                 Reply reply = counter.call(how, values.buffer(n), n, out<unsigned>(nbins), nbins);
                 expect_taken(reply, counter, nbins);
                 expect_equal(reply, 1, wanted);
                 return reply;
               });
}

} // namespace

TEST_CASE("histogram_shared counts 2048 bins as fast as 4-byte loads can be" * points(0) *
          tests("histogram_shared") * todo(2) * cuda_only() * label("speed")) {
  check_speed(shared(), 2048, histogram_shared_least_ratio);
}

TEST_CASE("histogram_cluster counts 65536 bins as fast as remote atomics can be" * points(0) *
          tests("histogram_cluster") * todo(4) * cuda_only() * needs_capability(9) * label("speed")) {
  check_speed(cluster(2), 65'536, histogram_cluster_least_ratio);
}
