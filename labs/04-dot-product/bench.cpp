// The sweeps of lab 04: the dot product against n and against the number of blocks, for every submission that has it.
// On the simulator: what adding up across threads costs, in counts. On a GPU: bandwidth in GB/s (10^9 bytes) over the
// bytes of both arrays, with its ratio to a kernel that only reads as many. All numbers are small and whole, so that
// every order of the additions gives the same sum, and every result is checked exactly before its time is believed.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/sweep.hpp"
#include "lab.hpp"
#include "needs.hpp"
#include "whole_dot.hpp"

using namespace dot_product;
using namespace warpbook;

namespace {

constexpr std::size_t sim_elements = 1 << 16;
constexpr std::size_t smallest = 1 << 10;
constexpr std::size_t gpu_elements = std::size_t{1} << 28; ///< of the grid sweep and of the steps' comparison
constexpr std::size_t gpu_largest = std::size_t{1} << 30;
/// Products up to 16, of both signs: sums of 2^30 of them stay far below 2^24, where floats are still whole numbers.
template <typename T>
constexpr Drawn<T> numbers_a{whole_numbers(-4, 4), 1};
template <typename T>
constexpr Drawn<T> numbers_b{whole_numbers(-4, 4), 2};
constexpr unsigned block_counts[] = {16, 33, 66, 132, 264, 396, 528, 792, 1056, 2112, 4224, 8448};
/// Seconds that a call may be expected to take: beyond `slow` it is timed three times only, beyond `too_long` not at all.
constexpr double slow = 0.05, too_long = 1;

/// The exact dot product of the elements from `first` to `last`.
double exact_sum(std::size_t first, std::size_t last) {
  return static_cast<double>(whole_dot(numbers_a<float>, numbers_b<float>, first, last));
}

class Points {
public:
  explicit Points(Sweep& sweep)
      : sweep_(sweep), size_(sweep.options().size != 0 ? sweep.options().size
                             : sweep.is_sim()          ? sim_elements
                                                       : gpu_elements) {
    if (!sweep.is_sim()) {
      for (std::size_t n = smallest; n < size_; n *= 4) lengths_.push_back(n);
    }
    lengths_.push_back(size_);
    const std::size_t two_of_doubles = 2 * gpu_largest * sizeof(double);
    if (!sweep.is_sim() && sweep.options().size == 0 &&
        probe(submission_options(sweep.options(), {})).memory_bytes / 5 * 4 > two_of_doubles)
      lengths_.push_back(gpu_largest);
    std::size_t summed = 0;
    double sum = 0;
    for (const std::size_t n : lengths_) {
      expected_[n] = sum += exact_sum(summed, n);
      summed = n;
    }
  }

  /// A group is a function at one length; how long a call takes at the next is known from it.
  void add() {
    for (const std::size_t n : lengths_) {
      if (sweep_.wanted(Precision::f32)) add_dot<float>(CONTRACT(dot_f32), n);
      if (sweep_.wanted(Precision::f64)) add_dot<double>(CONTRACT(dot_f64), n);
      if (!sweep_.wanted(Precision::f32)) continue;
      add_dot<float>(CONTRACT(dot_deterministic_f32), n);
      if (sweep_.is_sim()) add_block_dots(n);
    }
    if (sweep_.is_sim() || !sweep_.wanted(Precision::f32)) return;
    for (const unsigned blocks : block_counts) add_dot<float>(CONTRACT(dot_in_blocks_f32), size_, blocks);
  }

private:
  /// At one length; with a number of blocks, if the function takes one.
  template <typename T, typename F, typename... Blocks>
  void add_dot(F function, std::size_t n, Blocks... blocks) {
    const auto exact = [sum = static_cast<T>(expected_.at(n))](const Reply& reply) {
      expect_equal(reply, 0, std::vector<T>{sum});
    };
    add_point(calling(function, exact, poisoned<T>(1).returned(), numbers_a<T>.buffer(n),
                      numbers_b<T>.buffer(n), n, blocks...),
              n, sizeof(T), (0u + ... + blocks));
  }

  /// The sums of every 256 elements are a matter of counts; a sample of them is checked.
  void add_block_dots(std::size_t n) {
    constexpr std::size_t width = 256;
    const auto summed = samples_are(0, [=](std::size_t k) {
      return static_cast<float>(exact_sum(k * width, std::min(n, (k + 1) * width)));
    });
    add_point(calling(CONTRACT(block_dots_f32), summed, poisoned<float>(pieces_of(n, width)).sampled(),
                      numbers_a<float>.buffer(n), numbers_b<float>.buffer(n), n),
              n, sizeof(float), 0);
  }

  /// `blocks` 0: the submission's own choice.
  void add_point(const Calling& call, std::size_t n, std::size_t size, unsigned blocks) {
    using C = simt::Counters;
    const std::size_t bytes = read_once_need(n * size).least_bytes;
    std::vector<Metric> timed = against(Yardstick::read, "bandwidth", "GB/s", static_cast<double>(bytes));
    timed.push_back({"time", "us", " us", [](const Taken& taken) { return duration(taken.time(), 1e-6); }});
    const auto whole = [](Metric metric) {
      metric.shown = [](double value) { return number(static_cast<std::uint64_t>(value)); };
      return metric;
    };
    const std::string& function = call.function;
    const auto how = [=, this](const Measured& measured) -> Plan::Point::How {
      const double cost = seconds_per_byte_[{measured.name, function}]; // at the length before; 0: not known
      const double expected = blocks == 0 ? cost * static_cast<double>(bytes) : 0;
      const CallOptions& usual = sweep_.plan().timed();
      if (sweep_.options().repetitions == 1)
        return {usual, 1}; // under a profiler the length before says nothing
      if (expected > too_long) return {timed_call(1, 1), 0};
      if (expected > slow) return {timed_call(3, 3), 1};
      return {usual, sweep_.options().rounds};
    };
    const std::string at =
        function + (blocks == 0 ? " n = " + std::to_string(n) : ", " + std::to_string(blocks) + " blocks");
    sweep_.add(
        call,
        {.cells = {size == sizeof(float) ? "f32" : "f64", n, blocks},
         .counted = {count("load_requests", "requests", "", &C::global_load_requests),
                     with_taught(
                         with_least(whole(count("bytes_read", "bytes", " bytes read", &C::global_load_bytes)),
                                    static_cast<double>(bytes)),
                         static_cast<double>(bytes + bytes / 8)), // sums of blocks
                     count("atomics", "atomic operations", " atomics", &C::global_atomic_lanes),
                     whole(count("shared_requests", "requests", " shared requests",
                                 [](const Reply& reply) {
                                   const C& c = reply.counters();
                                   return static_cast<double>(c.shared_load_requests +
                                                              c.shared_store_requests);
                                 })),
                     with_least(whole(count("shared_wavefronts", "wavefronts", " wavefronts of them",
                                            [](const Reply& reply) {
                                              return static_cast<double>(wavefronts_of(reply.counters()).all);
                                            })),
                                [](const Reply& reply) -> std::optional<double> { // without conflicts
                                  return static_cast<double>(wavefronts_of(reply.counters()).ideal);
                                }),
                     count("shuffles", "exchanges", " shuffles", &C::shuffles),
                     count("barriers", "barriers", " barriers", &C::barriers),
                     count("blocks", "blocks", " blocks",
                           [](const Reply& reply) { return static_cast<double>(grid_of(reply).blocks); })},
         .timed = std::move(timed),
         .beside = std::pair{Yardstick::read, bytes},
         .line = at,
         .group = at,
         .how = how,
         .heard = [=, this](const Measured& measured, const Taken& taken) {
           if (taken.seconds.empty()) return;
           seconds_per_byte_[{measured.name, function}] = taken.time().median / static_cast<double>(bytes);
         }});
  }

  Sweep& sweep_;
  std::size_t size_;
  std::vector<std::size_t> lengths_;
  std::map<std::size_t, double> expected_;
  std::map<std::pair<std::string, std::string>, double> seconds_per_byte_; ///< submission, function
};

void measure(Sweep& sweep) {
  Points points(sweep);
  points.add();
  sweep.run();
  if (sweep.is_sim()) return;
  for (const auto& [bytes, taken] : sweep.plan().ceilings()->all(Yardstick::read)) {
    sweep.add_row("yardstick", "read", {"f32", bytes / 8, 0}, "bandwidth",
                  rate(1e-9 * static_cast<double>(bytes), taken.time()), "GB/s", taken);
  }
}

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, {contract_file, {"precision", "n", "blocks"}, Input::none, 7}, measure);
}
