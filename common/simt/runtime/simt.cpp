#include "simt/runtime/simt.hpp"

#include "simt/runtime/counting.hpp"
#include "simt/runtime/device_launch.hpp"
#include "simt/runtime/diagnose.hpp"
#include "simt/runtime/records.hpp"
#include "simt/runtime/scheduler.hpp"
#include "simt/runtime/signals.hpp"

namespace simt {

namespace {

std::vector<KernelRecord> kernels;

} // namespace

void configure(const Options& options) {
  initialise_machine();
  install_signal_handlers(); // again, in case the program has set its own since
  machine.options = options;
  seed_schedule(options.seed);
}

void finish_record(Grid& grid) {
  for (auto& [site, counters] : take_sites()) grid.record.sites.push_back({code_address(site), counters});
  kernels.push_back(std::move(grid.record));
  end_device_launches(kernels);
}

Report take_report() {
  report_unchecked_launch();
  return {std::exchange(kernels, {}), take_diagnostics()};
}

} // namespace simt
