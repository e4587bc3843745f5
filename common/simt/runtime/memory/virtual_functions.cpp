#include "simt/runtime/memory/virtual_functions.hpp"

#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/code_map.hpp"
#include "simt/runtime/memory/announced.hpp"
#include "simt/runtime/memory/global_memory.hpp"
#include "simt/runtime/memory/warp_log.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "text/demangle.hpp"

#include <cstring>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

namespace simt {

namespace {

struct WritersOfTable {
  bool host = false, kernel = false;
};
std::unordered_map<std::uintptr_t, WritersOfTable> writers_of_tables;
std::mutex of_writers; // threads of the host construct objects, too

/// Entries of a table that is looked for: larger ones are not known.
constexpr std::size_t most_of_table = 64 * sizeof(std::uintptr_t);

std::uintptr_t constant_at(std::uintptr_t address) {
  std::uintptr_t value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

bool is_constant(std::uintptr_t address) {
  return address % sizeof(std::uintptr_t) == 0 && classify_host_address(address) == HostRange::read_only;
}

/// The name of the class whose objects hold this address of a table, by its type_info before the table; empty if there is no table.
std::string class_of_table(std::uintptr_t table) {
  const std::uintptr_t before = table - 2 * sizeof(std::uintptr_t);
  if (!is_constant(before) || !is_constant(table)) return "";
  const std::uintptr_t type = constant_at(table - sizeof(std::uintptr_t));
  if (!is_constant(type) || !is_constant(constant_at(type))) return "";
  const std::uintptr_t name = constant_at(type + sizeof(std::uintptr_t));
  if (classify_host_address(name) != HostRange::read_only) return "";
  const std::string mangled = reinterpret_cast<const char*>(name);
  const std::string demangled = warpbook::demangled("_ZTI" + mangled); // "typeinfo for Square"
  const std::size_t class_name = demangled.find(" for ");
  return class_name == demangled.npos ? "" : demangled.substr(class_name + 5);
}

/// An object in device memory from which the running lane has just read an address that `entry` is an entry of.
struct Object {
  std::uintptr_t address = 0, table = 0;
};

std::optional<Object> object_at(std::uintptr_t address, std::uintptr_t entry) {
  if (!in_arena(address) || address % sizeof(std::uintptr_t) != 0) return {};
  const std::uintptr_t table = constant_at(address + machine.moved);
  if (entry - table >= most_of_table) return {};
  return Object{address, table};
}

std::optional<Object> object_just_read(std::uintptr_t entry) {
  const LogEntry* const latest = warp_log.previous;
  if (!latest || latest->size != sizeof(std::uintptr_t)) return {};
  if (latest->row_next != LogEntry::no_place)
    if (const auto found = object_at(latest->row_next - latest->row_step, entry)) return found;
  return object_at(latest->address[warp_log.lane], entry);
}

/// An object that the launch has been given by value, which each thread has on its stack.
std::optional<Object> object_in_arguments(std::uintptr_t entry) {
  const auto begin = reinterpret_cast<std::uintptr_t>(machine.grid->closure);
  for (std::size_t i = 0; i + sizeof(std::uintptr_t) <= machine.grid->operations->size;
       i += sizeof(std::uintptr_t))
    if (const std::uintptr_t table = constant_at(begin + i); entry - table < most_of_table)
      return Object{begin + i, table};
  return {};
}

/// Constructors of constants leave no trace: whether device variables hold the address of the table.
bool is_in_device_variables(std::uintptr_t table) {
  for (const DeviceSection& section : all_sections()) {
    if (!is_mapped(section)) continue;
    const std::uintptr_t begin = (section.begin + 7) / 8 * 8;
    for (std::uintptr_t at = begin; at + sizeof table <= section.begin + section.bytes; at += sizeof table)
      if (constant_at(real_address(at)) == table) return true;
  }
  return false;
}

bool is_of_host(const Object& object) {
  const std::lock_guard lock(of_writers);
  const auto known = writers_of_tables.find(object.table);
  const WritersOfTable writers = known == writers_of_tables.end() ? WritersOfTable{} : known->second;
  if (writers.kernel) return false;
  if (!in_arena(object.address)) return true; // an argument of the launch
  const Allocation* const memory = find_allocation(object.address);
  if (!memory || memory->on_heap) return false;
  const char* const first = memory->first_write.function;
  return writers.host || (!memory->managed && first && std::strstr(first, "Memcpy"));
}

/// Entries of tables, and tables, that kernels may use.
std::uintptr_t harmless[64];
std::uintptr_t& place_among_harmless(std::uintptr_t entry) { return harmless[entry / 8 % 64]; }
bool is_harmless(std::uintptr_t entry) { return place_among_harmless(entry) == entry; }

void check(const Object& object, std::uintptr_t entry, std::uintptr_t site) {
  const std::string name = class_of_table(object.table);
  if (name.empty() || !is_of_host(object) || is_in_device_variables(object.table)) {
    place_among_harmless(entry) = entry;
    return;
  }
  report({"host-pointer-in-kernel", "virtual-function"}, site, fact::Subject{name});
  abandon_grid(cudaErrorIllegalAddress);
}

} // namespace

void note_table_written(std::uintptr_t table) {
  static thread_local std::uintptr_t latest[2] = {};
  const bool in_kernel = machine.lane != nullptr;
  if (std::exchange(latest[in_kernel], table) == table) return;
  const std::lock_guard lock(of_writers);
  WritersOfTable& writers = writers_of_tables[table];
  (in_kernel ? writers.kernel : writers.host) = true;
}

void check_table_read(std::uintptr_t entry, std::uintptr_t site) {
  if (is_harmless(entry)) return;
  std::optional<Object> object = object_just_read(entry);
  if (!object) object = object_in_arguments(entry);
  if (object) check(*object, entry, site);
}

void check_object_read(std::uintptr_t address, std::uintptr_t site) {
  if (!machine.lane) return;
  const bool on_device = in_arena(address);
  const std::uintptr_t table = constant_at(on_device ? address + machine.moved : address);
  if (is_harmless(table)) return;
  const std::optional<Object> object = on_device ? Object{address, table} : object_in_arguments(table);
  if (object && object->table == table) check(*object, table, site);
}

} // namespace simt
