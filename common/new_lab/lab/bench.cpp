// The sweep of lab @NUMBER@: @KERNEL@_f32 at one length, for every submission that has it. On the simulator: sectors per
// request. On a GPU: effective bandwidth, with its ratio to a plain copy measured beside it.

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench/sweep.hpp"
#include "call/generate.hpp"
#include "grader/compare.hpp"
#include "grader/yardstick.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace {

constexpr std::size_t sim_elements = 1 << 16;
constexpr std::uint64_t seed = 1;

class Bench : Sweep {
public:
  Bench(const BenchOptions& options, Table& table) : Sweep(options, table) {
    n_ = elements(sim_elements, sizeof(float));
  }

  void measure(const std::vector<Measured>& all) {
    for (const Measured& measured : all) add_point(measured);
    plan_.run();
  }

private:
  /// Plans the call, which checks the output before its time or counter is believed.
  void add_point(const Measured& measured) {
    const auto function = CONTRACT(@KERNEL@_f32);
    const auto call = [=, this](Submission& submission, const CallOptions& how) {
      Reply reply = submission.call(how, function, poisoned<float>(n_).sampled(),
                                    generated<float>(n_, values_, seed).sampled(), n_);
      expect_samples<float>(reply, 0,
                            [&](std::size_t i) { return 2 * generated_element<float>(values_, seed, i); });
      return reply;
    };
    const auto report = [=, this](const Taken& taken) {
      return is_sim_ ? count(measured.name, taken) : time(measured.name, taken);
    };
    plan_.add(function.name, {measured,
                              function.name,
                              function.name,
                              call,
                              report,
                              std::pair{Yardstick::copy, 2 * n_ * sizeof(float)},
                              {}});
  }

  std::string count(const std::string& name, const Taken& taken) {
    const simt::Counters& c = taken.reply->counters();
    const double sectors = per(c.global_load_sectors, c.global_load_requests);
    add(name, "sectors_per_request_load", exactly(sectors), "sectors", taken);
    char text[48];
    std::snprintf(text, sizeof text, "%.4g sectors per load request", sectors);
    return text;
  }

  std::string time(const std::string& name, const Taken& taken) {
    const Value speed = rate(2e-9 * static_cast<double>(n_ * sizeof(float)), taken.time());
    add(name, "effective_bandwidth", speed, "GB/s", taken);
    add(name, "ratio_to_copy", speed / taken.ceiling, "ratio", taken);
    char text[64];
    std::snprintf(text, sizeof text, "%6.0f GB/s, %.3f of a copy", speed.value, speed.value / taken.ceiling);
    return text;
  }

  void add(const std::string& name, const char* metric, const Value& value, const char* unit,
           const Taken& taken) {
    add_row(table_, {name, "@KERNEL@_f32", n_}, metric, value, unit, taken);
  }

  std::size_t n_ = 0;
  Distribution values_ = uniform(-1, 1);
};

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, WARPBOOK_CONTRACT_FILE, {"submission", "function", "n"},
                   [](const BenchOptions& options, Table& table, const std::vector<Measured>& all) {
                     Bench(options, table).measure(all);
                   });
}
