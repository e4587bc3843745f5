#include "simt/diagnostics/parts.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/memory/place.hpp"

#include <utility>

namespace simt {

Diagnostic diagnostic_of(const char* id) {
  Diagnostic diagnostic;
  diagnostic.id = id;
  if (machine.grid) diagnostic.kernel = machine.grid->record.name;
  return diagnostic;
}

std::string access_text(Access access, unsigned size) {
  const char* verb = access == Access::read    ? "reads "
                     : access == Access::write ? "writes "
                                               : "atomically updates ";
  return verb + plural(size, "byte");
}

Participant running_thread(std::string action, std::uintptr_t site) {
  Participant participant;
  participant.action = std::move(action);
  if (machine.lane) participant.thread = thread_id(*machine.block, *machine.lane);
  participant.where = code_address(site);
  return participant;
}

Participant accessing_thread(Access access, unsigned size, std::string action, std::uintptr_t site) {
  Participant participant = running_thread(std::move(action), site);
  participant.access = access;
  participant.bytes = size;
  return participant;
}

Participant host_at_line(std::string action, const char* file, int line) {
  Participant participant;
  participant.action = std::move(action);
  participant.file = file;
  participant.line = static_cast<unsigned>(line);
  return participant;
}

Participant at_line(std::string action, const char* file, int line) {
  Participant participant = host_at_line(std::move(action), file, line);
  if (machine.lane) participant.thread = thread_id(*machine.block, *machine.lane);
  return participant;
}

Participant lane_at_line(const Block& block, const Lane& lane, std::string action, const char* file,
                         int line) {
  Participant participant = host_at_line(std::move(action), file, line);
  participant.thread = thread_id(block, lane);
  return participant;
}

std::uintptr_t site_of(const char* file, int line) {
  return reinterpret_cast<std::uintptr_t>(file) + static_cast<std::uintptr_t>(line);
}

} // namespace simt
