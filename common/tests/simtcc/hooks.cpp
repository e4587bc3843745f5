// The memory hooks that modules call, as a runner would provide them; reads of 4 bytes are kept.

#include <algorithm>
#include <cstring>
#include <vector>

static std::vector<const void*> reads_of_4_bytes;

extern "C" {
#define HOOK(name)                                                                                           \
  void __tsan_##name(void*) {}
#define SIZES(kind) HOOK(kind##1) HOOK(kind##2) HOOK(kind##8) HOOK(kind##16)
SIZES(read)
SIZES(write)
HOOK(write4)
SIZES(read_write)
HOOK(read_write4)
HOOK(unaligned_read2)
HOOK(unaligned_read4)
HOOK(unaligned_read8)
HOOK(unaligned_read16)
HOOK(unaligned_write2)
HOOK(unaligned_write4) HOOK(unaligned_write8) HOOK(unaligned_write16) void __tsan_read4(void* address) {
  reads_of_4_bytes.push_back(address);
}
void __tsan_read_range(void*, unsigned long) {}
void __tsan_write_range(void*, unsigned long) {}
HOOK(volatile_read4)
HOOK(volatile_read8)
HOOK(volatile_write4)
HOOK(volatile_write8)
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void) {}
void* __tsan_memcpy(void* to, const void* from, unsigned long size) { return std::memcpy(to, from, size); }
void* __tsan_memset(void* to, int value, unsigned long size) { return std::memset(to, value, size); }
void* __tsan_memmove(void* to, const void* from, unsigned long size) { return std::memmove(to, from, size); }
void* __wrap_memcpy(void* to, const void* from, unsigned long size) { return std::memcpy(to, from, size); }
void* __wrap_memset(void* to, int value, unsigned long size) { return std::memset(to, value, size); }
void* __wrap_memmove(void* to, const void* from, unsigned long size) { return std::memmove(to, from, size); }
/// How many reads of 4 bytes there were so far at addresses in [begin, end).
int __simt_reads_of_4_bytes(const void* begin, const void* end) {
  return static_cast<int>(
      std::count_if(reads_of_4_bytes.begin(), reads_of_4_bytes.end(),
                    [=](const void* address) { return address >= begin && address < end; }));
}
}
