#include "simt/report/report.hpp"

namespace simt {

Counters& Counters::operator+=(const Counters& other) {
#define SIMT_ADD(name) name += other.name;
  SIMT_FOR_EACH_COUNTER(SIMT_ADD)
#undef SIMT_ADD
  return *this;
}

bool within_warp(const Finding& diagnostic) {
  if (diagnostic.participants.size() != 2) return false;
  const auto &one = diagnostic.participants[0].thread, &other = diagnostic.participants[1].thread;
  return one && other && one->block == other->block && one->warp == other->warp;
}

namespace {

/// Of a finding about two threads of one grid: whether these are of one block.
std::optional<bool> of_one_block(const Finding& diagnostic) {
  if (diagnostic.participants.size() != 2) return {};
  const Participant &one = diagnostic.participants[0], &other = diagnostic.participants[1];
  if (!one.thread || !other.thread || one.depth || other.depth) return {};
  return one.thread->block == other.thread->block;
}

} // namespace

bool within_block(const Finding& diagnostic) { return of_one_block(diagnostic).value_or(false); }
bool between_blocks(const Finding& diagnostic) { return !of_one_block(diagnostic).value_or(true); }
bool both_write(const Finding& diagnostic) {
  return !diagnostic.participants.empty() && diagnostic.participants.front().access == Access::write &&
         diagnostic.participants.back().access == Access::write;
}

std::uint64_t crossed(const std::vector<Transfer>& transfers, Crossing direction) {
  std::uint64_t bytes = 0;
  for (const Transfer& transfer : transfers)
    if (transfer.direction == direction) bytes += transfer.bytes;
  return bytes;
}

Counters total(const Report& report) {
  Counters sum;
  for (const KernelRecord& kernel : report.kernels) sum += kernel.counters;
  sum.device_to_host_bytes = crossed(report.transfers, Crossing::to_host);
  sum.host_to_device_bytes = crossed(report.transfers, Crossing::to_device);
  return sum;
}

} // namespace simt
