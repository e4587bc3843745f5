// All extern __shared__ arrays of a kernel begin at one address. Where a kernel uses several of them, each use by a name tells which
// (shared_names.cpp of the translator): a value that was written by one name, then over it one by another, and that is read by the
// first name all the same, was lost. So are pointers that divide one such array, of which two lead to the same bytes. Kernels that use the same bytes in turns write them by a name before they read them by it; those
// that read by one name what another one has left know that both are one place, and are not looked at any more.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/schedule/control.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace simt {

namespace {

struct NamedByte {
  std::uint8_t last = 0;    ///< 1 + the number of the name by which it was written last; 0: not known
  std::uint8_t lost = 0;    ///< a bit for each name by which it was written before that, and not since
  std::uint16_t thread = 0; ///< which has written it last ...
  std::uint16_t site = 0;   ///< ... at the call site of this number
};

/// Of one block.
struct NamedMemory {
  std::uint32_t first_epoch = 0; ///< the block's
  bool is_shared_on_purpose = false;
  std::vector<NamedByte> bytes;
  std::string names[8];
};
std::vector<NamedMemory> memory_of_slots;

NamedMemory& memory_of(const Block& block) {
  if (memory_of_slots.size() <= block.slot) memory_of_slots.resize(block.slot + 1);
  NamedMemory& memory = memory_of_slots[block.slot];
  if (memory.first_epoch == block.first_epoch) return memory;
  memory.first_epoch = block.first_epoch;
  memory.is_shared_on_purpose = false;
  memory.bytes.assign(block.grid->dynamic_bytes, NamedByte{});
  return memory;
}

/// The pointer of this name that divides the array; null: a declared array.
const SharedPointer* pointer_named(const std::string& name) {
  const auto& pointers = machine.grid->pointers;
  const auto known = std::ranges::find(pointers, name, &SharedPointer::name);
  return known == pointers.end() ? nullptr : &*known;
}

/// Nothing where two pointers lead to one place for all that is known.
std::optional<Finding> lost_value(const std::string& name, const std::string& other) {
  const SharedPointer *const one = pointer_named(name), *const two = pointer_named(other);
  if (!one || !two) return diagnostic_of("shared-names", fact::Subject{name}, fact::Other{other});
  if (one->varies || two->varies || one->offset == two->offset) return std::nullopt;
  if (one->offset < two->offset)
    return diagnostic_of({"shared-names", "in-subject"}, fact::Subject{name}, fact::Other{other},
                         fact::Amount{two->offset - one->offset});
  return diagnostic_of({"shared-names", "in-other"}, fact::Subject{name}, fact::Other{other},
                       fact::Amount{one->offset - two->offset});
}

void report_lost(const NamedMemory& memory, const NamedByte& lost, const std::string& name, unsigned size,
                 std::uintptr_t site) {
  const std::uintptr_t other_site = site_of_number(lost.site);
  if (already_recorded("shared-names", site, other_site)) return;
  std::optional<Finding> found = lost_value(name, memory.names[lost.last - 1]);
  if (!found) return;
  Finding& diagnostic = *found;
  Participant writer = lane_at_line(*machine.block, machine.block->lanes[lost.thread], "", 0);
  writer.where = code_address(other_site);
  diagnostic.participants = {accessing_thread(Access::read, size, site), std::move(writer)};
  record(std::move(*found), site, other_site);
}

/// Ends at the first byte that tells what the kernel does.
bool look_at_read(NamedMemory& memory, const NamedByte& byte, unsigned name, unsigned size,
                  std::uintptr_t site) {
  if ((byte.lost & 1u << name) != 0)
    report_lost(memory, byte, memory.names[name], size, site);
  else if (byte.last == 0 || byte.last == name + 1)
    return true;
  memory.is_shared_on_purpose = true;
  return false;
}

void note_write(NamedByte& byte, unsigned name, std::uintptr_t site) {
  if (byte.last != 0 && byte.last != name + 1)
    byte.lost = static_cast<std::uint8_t>(byte.lost | 1u << (byte.last - 1));
  byte.lost = static_cast<std::uint8_t>(byte.lost & ~(1u << name));
  byte.last = static_cast<std::uint8_t>(name + 1);
  byte.thread = static_cast<std::uint16_t>(machine.lane->thread);
  byte.site = site_number(site, 0);
}

} // namespace

} // namespace simt

using namespace simt;

extern "C" void __simt_use_by_name(const void* element, std::size_t size, unsigned name, const char* spelling,
                                   int use) {
  if (!machine.lane) return;
  const auto site = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(element) - machine.block->shared_base;
  const std::size_t bytes = machine.grid->dynamic_bytes;
  if (offset >= bytes || size > bytes - offset) return;
  NamedMemory& memory = memory_of(*machine.block);
  if (memory.is_shared_on_purpose || name >= std::size(memory.names)) return;
  if (memory.names[name].empty() || memory.names[name] != spelling) memory.names[name] = spelling;
  for (std::size_t i = offset; i < offset + size; ++i) {
    NamedByte& byte = memory.bytes[i];
    if (use == simt_use_unknown) {
      byte = {};
      continue;
    }
    if (use != simt_use_write && !look_at_read(memory, byte, name, static_cast<unsigned>(size), site)) return;
    if (use != simt_use_read) note_write(byte, name, site);
  }
}
