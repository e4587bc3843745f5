#include "simt/runtime/memory/memory_access.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/machine/host_call.hpp"
#include "simt/runtime/memory/announced.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/host_symbols.hpp"
#include "simt/runtime/memory/place.hpp"
#include "simt/runtime/memory/recorder.hpp"
#include "simt/runtime/memory/shared_memory.hpp"
#include "simt/runtime/memory/symbol_copies.hpp"
#include "simt/runtime/memory/transfers.hpp"
#include "simt/runtime/memory/virtual_functions.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/schedule/unfinished.hpp"

namespace simt {

namespace {

/// set_written_bits() for what mostly lies within one byte of these.
void note_written(std::uintptr_t address, unsigned size) {
  const std::size_t offset = address - machine.arena;
  if (offset % 8 + size > 8) return set_written_bits(address, size, true);
  std::uint8_t& bits = machine.written[offset / 8];
  bits = static_cast<std::uint8_t>(bits | ((1u << size) - 1) << offset % 8);
}

} // namespace

void host_access(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site, bool strong) {
  if (machine.arena == 0) return;
  if (left_out.may_hold(address)) check_left_out(address, size, access, site);
  if (const DeviceSection* section = find_section(address)) {
    open_memory_at(address);
    if (section->kind != managed_section) {
      const HostCall turn;
      if (access == Access::read && is_constant_on_both_sides(address)) return;
      report_access({"device-pointer-on-host", "symbol"}, address, size, access, site);
    } else {
      check_host_use(address, size, access, strong, site);
    }
    return note_host_access(address, size, access, site);
  }
  if (on_stack(address) && !machine.runs_grid) {
    const HostCall turn;
    return report_access("device-pointer-on-host", address, size, access, site);
  }
  if (!in_arena(address)) return;
  const HostView seen = open_for_host(address, size); // this access is reported, or counted
  if (!seen.managed) {
    const HostCall turn;
    return report_access("device-pointer-on-host", address, size, access, site);
  }
  check_host_use(address, size, access, strong, site);
  if (!seen.page_locked) note_host_access(address, size, access, site);
  if (machine.options.trace) {
    const HostCall turn;
    record_host_read();
    if (access != Access::read) record_host_write(address, size);
  }
  if (access == Access::read) return;
  if (seen.has(address, size)) return note_written(address, size);
  if (all_written(address, size)) return; // without waiting for a kernel, which may wait for what is written here
  const HostCall turn;
  mark_written(address, size);
}

void last_local_access(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  if (machine.lane) local_budget_exhausted(site);
  machine.local_steps_left = 1; // for the next one
  host_access(address, size, access, site);
}

namespace {

bool is_kernel_argument(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(machine.grid->closure) < machine.grid->operations->size;
}

/// Constants of a module are part of its code; the same few pages are asked for again and again.
bool is_module_constant(std::uintptr_t address) {
  static std::uintptr_t known_pages[64];
  if (address < null_page) return false; // page 0 stands for none in the table
  std::uintptr_t& known = known_pages[address / 4096 % 64];
  if (address / 4096 == known) return true;
  if (classify_host_address(address) != HostRange::read_only) return false;
  known = address / 4096;
  return true;
}

} // namespace

void foreign_access(std::uintptr_t address, unsigned size, Access access, Mark flags, std::uintptr_t site) {
  if (is_kernel_argument(address)) return;
  if (const DeviceSection* section = find_section(address)) {
    if (unset_parts.may_hold(address)) check_unset_part(address, size, access, site);
    if (section->kind != 1) {
      log_access(address, size, Space::global, access, site);
      if ((flags & mark_expected) == 0) check_global_race(address, size, access, flags, site);
    } else if (access != Access::read)
      report_access("constant-write", address, size, access, site);
    return;
  }
  if (is_pinned(address)) {
    log_access(address, size, Space::global, access, site);
    if ((flags & mark_expected) == 0) check_global_race(address, size, access, flags, site);
    return;
  }
  if (access == Access::read && !on_stack(address) && is_module_constant(address)) {
    if (size == sizeof(void*)) check_table_read(address, site);
    return;
  }
  if (overflow_at(address, size))
    report_out_of_bounds(address, size, access, site);
  else
    report_host_pointer(address, size, access, site);
  abandon_grid(cudaErrorIllegalAddress);
}

void unwritten_access(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site,
                      bool no_padding) {
  Space space = in_shared(address) ? Space::shared : Space::global;
  ValidRange range;
  bool is_sparse = false;
  if (space == Space::shared) {
    const Block& owner = shared_owner(address);
    if (const SharedVariable* variable = find_shared_variable(owner, address, size))
      range = {owner.shared_base + variable->offset, variable->bytes};
  } else if (const Allocation* allocation = find_allocation(address)) {
    range = {allocation->valid, allocation->valid_bytes};
    is_sparse = allocation->sparse;
  }
  bool inside = address - range.begin < range.bytes && range.bytes - (address - range.begin) >= size;
  if (!inside) {
    report_out_of_bounds(address, size, access, site);
    if (is_far_from_all(address)) abandon_grid(cudaErrorIllegalAddress); // a GPU has no memory there
    return;
  }
  machine.valid[static_cast<int>(space)] = range;
  const bool is_write = access == Access::write || (access == Access::atomic && machine.exchanging);
  if (!is_write && !is_sparse && (no_padding || none_written(address, size))) {
    report_uninitialised_read(address, size, site);
    if (std::uint64_t* const times = space == Space::global ? times_read_unwritten(site) : nullptr)
      unwritten_reads_at(site) = {site, range, times};
  }
  if (access != Access::read) set_written_bits(address, size, true);
}

void misaligned_access(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site) {
  report_misaligned(address, size, access, site);
  abandon_grid(cudaErrorMisalignedAddress);
}

namespace {

template <Access Kind>
void dispatch_size(std::uintptr_t address, unsigned size, std::uintptr_t site, unsigned part) {
  switch (size) {
  case 1:
    return access_memory<1, Kind>(address, site, part);
  case 2:
    return access_memory<2, Kind>(address, site, part);
  case 4:
    return access_memory<4, Kind>(address, site, part);
  case 8:
    return access_memory<8, Kind>(address, site, part);
  default:
    return access_memory<16, Kind>(address, site, part);
  }
}

} // namespace

void access_memory(std::uintptr_t address, unsigned size, Access access, std::uintptr_t site, unsigned part) {
  with_kind(access, [&]<Access Kind>() { dispatch_size<Kind>(address, size, site, part); });
}

void range_access(std::uintptr_t address, std::size_t bytes, Access access, std::uintptr_t site) {
  if (!machine.lane) {
    if (bytes > 0) host_access(address, static_cast<unsigned>(bytes), access, site);
    return;
  }
  std::uintptr_t end = address + bytes;
  const OneAccess one(address, bytes, access);
  for (unsigned part = 0; address < end; ++part) {
    unsigned size = address % 4 == 0 && end - address >= 4 ? 4 : 1;
    // A word may be all padding: beside something written it is no mistake.
    if (access == Access::read && in_arena(address) && !all_written(address, size) &&
        !none_written(address - address % 8, 8))
      set_written_bits(address, size, true);
    access_memory(address, size, access, site, part);
    address += size;
  }
}

} // namespace simt
