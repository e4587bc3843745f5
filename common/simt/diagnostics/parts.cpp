#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace simt {

Finding of_running_kernel() {
  Finding diagnostic;
  if (const Grid* grid = machine.grid) {
    diagnostic.kernel = grid->record.name;
    diagnostic.grid = grid->record.grid;
    diagnostic.block = grid->record.block;
  }
  return diagnostic;
}

Participant running_thread(std::uintptr_t site) {
  Participant participant;
  if (machine.lane) participant.thread = thread_id(*machine.block, *machine.lane);
  participant.where = code_address(site);
  return participant;
}

Participant host_at(std::uintptr_t site) {
  Participant participant;
  participant.where = code_address(site);
  return participant;
}

Participant accessing_thread(Access access, unsigned size, std::uintptr_t site) {
  Participant participant = running_thread(site);
  participant.access = access;
  participant.bytes = size;
  return participant;
}

std::vector<Participant> racing_threads(Access earlier_access, std::uintptr_t earlier_site, Access access,
                                        unsigned size, std::uintptr_t site) {
  const unsigned known = bytes_at_site(earlier_site);
  return {accessing_thread(earlier_access, known != 0 ? known : size, earlier_site),
          accessing_thread(access, size, site)};
}

Participant at_line(const char* file, int line) {
  Participant participant;
  if (machine.lane) participant.thread = thread_id(*machine.block, *machine.lane);
  participant.file = file;
  participant.line = static_cast<unsigned>(line);
  return participant;
}

Participant lane_at_line(const Block& block, const Lane& lane, const char* file, int line) {
  Participant participant = at_line(file, line);
  participant.thread = thread_id(block, lane);
  return participant;
}

bool left_before(const Lane& lane, const Lane& waits) {
  const Left& left = lane.extras().left;
  const auto is_behind = [&](const char* file, int line) {
    return left.line <= line && line <= left.last && std::strcmp(left.file, file) == 0;
  };
  if (!left.file || !waits.wait.file || !is_behind(waits.wait.file, waits.wait.line)) return false;
  // Who has left it as well came back for another call, of which this return need not be.
  return !waits.extras().left.file || waits.extras().left.last != left.last ||
         std::strcmp(waits.extras().left.file, left.file) != 0;
}

Participant left_lane(const Block& block, const Lane& lane) {
  return lane_at_line(block, lane, lane.extras().left.file, lane.extras().left.line);
}

Participant ended_lane(const Block& block, const Lane& lane) {
  if (lane.extras().returned.file)
    return lane_at_line(block, lane, lane.extras().returned.file, lane.extras().returned.line);
  if (lane.extras().left.file) return left_lane(block, lane);
  Participant participant;
  participant.thread = thread_id(block, lane);
  return participant;
}

const Lane* returned_lane(const Block& block) {
  const auto found = std::ranges::find_if(block.lanes, [](const Lane& lane) {
    return lane.state == LaneState::finished && (lane.extras().returned.file || lane.extras().left.file);
  });
  return found == block.lanes.end() ? nullptr : &*found;
}

void record_at(Finding diagnostic, std::uintptr_t site) {
  diagnostic.participants = {running_thread(site)};
  record(std::move(diagnostic), site);
}

void record_access(Finding diagnostic, unsigned size, Access access, std::uintptr_t site) {
  diagnostic.participants.insert(diagnostic.participants.begin(), accessing_thread(access, size, site));
  record(std::move(diagnostic), site);
}

void record_at(Finding diagnostic, const char* file, int line) {
  diagnostic.participants = {at_line(file, line)};
  record(std::move(diagnostic), site_of(file, line));
}

std::uintptr_t site_of(const char* file, int line) {
  return reinterpret_cast<std::uintptr_t>(file) + static_cast<std::uintptr_t>(line);
}

} // namespace simt
