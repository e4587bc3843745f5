// The sweep of lab @NUMBER@: @KERNEL@_f32 at one length, for every submission that has it. On the simulator: sectors per
// request. On a GPU: effective bandwidth, with its ratio to a plain copy measured beside it.

#include "bench/sweep.hpp"
#include "call/generate.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace {

constexpr std::size_t sim_elements = 1 << 16;
constexpr std::uint64_t seed = 1;
const Distribution values = uniform(-1, 1);

void measure(Sweep& sweep) {
  const std::size_t n = sweep.elements(sim_elements, sizeof(float)), bytes = 2 * n * sizeof(float);
  // Checks the output before its time or counter is believed.
  const auto doubled =
      samples_are(0, [](std::size_t i) { return 2 * generated_element<float>(values, seed, i); });
  sweep.add(calling(CONTRACT(@KERNEL@_f32), doubled, poisoned<float>(n).sampled(),
                    generated<float>(n, values, seed).sampled(), n),
            {.cells = {n},
             .counted = {per_request("sectors_per_request_load", "sectors", " sectors per load request", reading)},
             .timed = against(Yardstick::copy, "effective_bandwidth", "GB/s", static_cast<double>(bytes)),
             .beside = std::pair{Yardstick::copy, bytes}});
  sweep.run();
}

} // namespace

int main(int argc, char** argv) { return run_bench(argc, argv, {contract_file, {"n"}}, measure); }
