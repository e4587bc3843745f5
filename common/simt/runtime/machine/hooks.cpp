// The functions that -fsanitize=thread makes the compiler call at every memory access. The module is linked
// without the sanitizer's library, so these are the ones that run. A hook's return address is the access's
// call site.
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/memory/memory_access.hpp"
#include "simt/runtime/memory/announced.hpp"
#include "simt/runtime/memory/virtual_functions.hpp"
#include "simt/runtime/schedule/control.hpp"

#include <cstring>
#include <vector>

using namespace simt;

#define SIMT_ADDRESS reinterpret_cast<std::uintptr_t>(address)

extern "C" {

void __tsan_init(void) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}

#define SIMT_SIZED_HOOKS(size)                                                                               \
  void __tsan_read##size(void* address) { access_memory<size, Access::read>(SIMT_ADDRESS, SIMT_SITE); }      \
  void __tsan_write##size(void* address) { access_memory<size, Access::write>(SIMT_ADDRESS, SIMT_SITE); }    \
  void __tsan_read_write##size(void* address) {                                                              \
    access_memory<size, Access::read>(SIMT_ADDRESS, SIMT_SITE);                                              \
    access_memory<size, Access::write>(SIMT_ADDRESS, SIMT_SITE);                                             \
  }                                                                                                          \
  void __tsan_volatile_write##size(void* address) {                                                          \
    access_memory<size, Access::write, false, mark_strong>(SIMT_ADDRESS, SIMT_SITE);                         \
    if (machine.lane && !on_stack(SIMT_ADDRESS)) {                                                           \
      release_to(SIMT_ADDRESS);                                                                              \
      machine.lane->change_extras().volatile_segment = segment_of(machine.mark);                             \
      machine.lane->change_extras().volatile_address = SIMT_ADDRESS;                                         \
    }                                                                                                        \
  }
SIMT_SIZED_HOOKS(1)
SIMT_SIZED_HOOKS(2)
SIMT_SIZED_HOOKS(4)
SIMT_SIZED_HOOKS(8)

// The pointer of an object to its table of virtual functions; the tables are constants of the module.
void __tsan_vptr_update(void** address, void* table) {
  note_table_written(reinterpret_cast<std::uintptr_t>(table));
  access_memory<8, Access::write>(SIMT_ADDRESS, SIMT_SITE);
}
void __tsan_vptr_read(void** address) {
  access_memory<8, Access::read>(SIMT_ADDRESS, SIMT_SITE);
  check_object_read(SIMT_ADDRESS, SIMT_SITE);
}

// Structures of 16 bytes are copied like this even if they are aligned to 8 bytes only.
#define SIMT_PAIR_HOOK(name, access)                                                                         \
  void name(void* address) {                                                                                 \
    if (SIMT_ADDRESS % 16 == 0) {                                                                            \
      access_memory<16, access>(SIMT_ADDRESS, SIMT_SITE);                                                    \
    } else {                                                                                                 \
      const OneAccess one(SIMT_ADDRESS, 16, access);                                                         \
      access_memory<8, access>(SIMT_ADDRESS, SIMT_SITE, 0);                                                  \
      access_memory<8, access>(SIMT_ADDRESS + 8, SIMT_SITE, 1);                                              \
    }                                                                                                        \
  }
SIMT_PAIR_HOOK(__tsan_read16, Access::read)
SIMT_PAIR_HOOK(__tsan_write16, Access::write)
SIMT_PAIR_HOOK(__tsan_volatile_read16, Access::read)
SIMT_PAIR_HOOK(__tsan_volatile_write16, Access::write)

// A loop that waits for another thread reads through a volatile pointer, which the other one wrote through.
#define SIMT_VOLATILE_READ(size, Bits)                                                                       \
  void __tsan_volatile_read##size(void* address) {                                                           \
    if (machine.lane && address) {                                                                           \
      Bits value;                                                                                            \
      access_memory<size, Access::read, false, mark_strong>(SIMT_ADDRESS, SIMT_SITE);                        \
      std::memcpy(&value, address, size);                                                                    \
      note_poll(SIMT_SITE, SIMT_ADDRESS, value, size);                                                       \
      open_announced(SIMT_ADDRESS, size, Access::read); /* others may have run */                            \
      acquire_from(SIMT_ADDRESS);                                                                            \
      return;                                                                                                \
    }                                                                                                        \
    access_memory<size, Access::read, false, mark_strong>(SIMT_ADDRESS, SIMT_SITE);                          \
  }
SIMT_VOLATILE_READ(1, std::uint8_t)
SIMT_VOLATILE_READ(2, std::uint16_t)
SIMT_VOLATILE_READ(4, std::uint32_t)
SIMT_VOLATILE_READ(8, std::uint64_t)

// The compiler does not know the alignment: these may be aligned all the same, and then are one access.
#define SIMT_UNALIGNED_HOOK(name, size, access)                                                              \
  void name(void* address) {                                                                                 \
    if (SIMT_ADDRESS % size == 0)                                                                            \
      access_memory<size, access>(SIMT_ADDRESS, SIMT_SITE);                                                  \
    else                                                                                                     \
      range_access(SIMT_ADDRESS, size, access, SIMT_SITE);                                                   \
  }
#define SIMT_UNALIGNED_HOOKS(size)                                                                           \
  SIMT_UNALIGNED_HOOK(__tsan_unaligned_read##size, size, Access::read)                                       \
  SIMT_UNALIGNED_HOOK(__tsan_unaligned_write##size, size, Access::write)                                     \
  SIMT_UNALIGNED_HOOK(__tsan_unaligned_volatile_read##size, size, Access::read)                              \
  SIMT_UNALIGNED_HOOK(__tsan_unaligned_volatile_write##size, size, Access::write)                            \
  void __tsan_unaligned_read_write##size(void* address) {                                                    \
    range_access(SIMT_ADDRESS, size, Access::read, SIMT_SITE);                                               \
    range_access(SIMT_ADDRESS, size, Access::write, SIMT_SITE);                                              \
  }
SIMT_UNALIGNED_HOOKS(2)
SIMT_UNALIGNED_HOOKS(4)
SIMT_UNALIGNED_HOOKS(8)
SIMT_UNALIGNED_HOOKS(16)

void __tsan_read_range(void* address, unsigned long bytes) {
  range_access(SIMT_ADDRESS, bytes, Access::read, SIMT_SITE);
}
void __tsan_write_range(void* address, unsigned long bytes) {
  range_access(SIMT_ADDRESS, bytes, Access::write, SIMT_SITE);
}

} // extern "C"

namespace {

void* copy(void* to, const void* from, std::size_t bytes, std::uintptr_t site) {
  std::vector<char> read;
  range_access(reinterpret_cast<std::uintptr_t>(from), bytes, Access::read, site);
  if (machine.moved != 0) [[unlikely]] {
    const char* const begin = static_cast<const char*>(from);
    read.assign(begin, begin + bytes);
    from = read.data();
  }
  range_access(reinterpret_cast<std::uintptr_t>(to), bytes, Access::write, site);
  return std::memmove(to, from, bytes);
}

void* set(void* to, int value, std::size_t bytes, std::uintptr_t site) {
  range_access(reinterpret_cast<std::uintptr_t>(to), bytes, Access::write, site);
  return std::memset(to, value, bytes);
}

} // namespace

extern "C" {

// Calls of these functions in a module are redirected here by the linker (--wrap).
void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) { return copy(to, from, bytes, SIMT_SITE); }
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) { return copy(to, from, bytes, SIMT_SITE); }
void* __wrap_memset(void* to, int value, std::size_t bytes) { return set(to, value, bytes, SIMT_SITE); }
void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) { return copy(to, from, bytes, SIMT_SITE); }
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) { return copy(to, from, bytes, SIMT_SITE); }
void* __tsan_memset(void* to, int value, std::size_t bytes) { return set(to, value, bytes, SIMT_SITE); }

// Copies of vector types are one access each way. Where the compiler writes, these read.
#define SIMT_LOAD(size)                                                                                      \
  simt_bits##size __simt_load##size(const void* from) {                                                      \
    access_memory<size, Access::read, true>(reinterpret_cast<std::uintptr_t>(from), SIMT_SITE);              \
    simt_bits##size bits;                                                                                    \
    std::memcpy(&bits, from, size);                                                                          \
    return bits;                                                                                             \
  }
SIMT_LOAD(2)
SIMT_LOAD(4)
SIMT_LOAD(8)
SIMT_LOAD(16)

#define SIMT_COPY(size)                                                                                      \
  void __simt_copy##size(void* to, const void* from) {                                                       \
    access_memory<size, Access::read, true>(reinterpret_cast<std::uintptr_t>(from), SIMT_SITE);              \
    simt_bits##size bits;                                                                                    \
    std::memcpy(&bits, from, size);                                                                          \
    access_memory<size, Access::write>(reinterpret_cast<std::uintptr_t>(to), SIMT_SITE);                     \
    std::memcpy(to, &bits, size);                                                                            \
  }
SIMT_COPY(2)
SIMT_COPY(4)
SIMT_COPY(8)
SIMT_COPY(16)

} // extern "C"
