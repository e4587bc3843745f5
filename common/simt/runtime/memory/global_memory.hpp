// Device memory: allocations with red zones, what of them is valid and initialised, and names for messages.
#pragma once

#include "simt/runtime/machine/machine.hpp"

#include <array>

namespace simt {

/// The first call that has written an allocation from its beginning.
struct FirstWrite {
  const char* function = nullptr; ///< null: none has
  std::size_t bytes = 0;
  std::uintptr_t site = 0;
};

/// The first one that has written rows, from its beginning: of each this many bytes.
struct FirstRows : FirstWrite {
  std::size_t pitch = 0, count = 0;
};

/// The call of host code that has allocated memory.
struct AllocatingCall {
  std::vector<std::uintptr_t> frames =
      {};                ///< where the calls that led there return to, from the innermost outwards
  std::size_t pitch = 0; ///< from row to row, in bytes; 0: it has none
  std::size_t width = 0; ///< of a row, in bytes, as asked for
};

struct Allocation {
  std::uintptr_t base = 0;
  std::size_t bytes = 0;    ///< as asked for
  std::uintptr_t valid = 0; ///< the part that kernels may access ...
  std::size_t valid_bytes = 0;
  std::size_t element_size = 0; ///< 0 where unknown
  unsigned rank = 1;            ///< of a CUDA array: how many of its extents count, the slowest first
  std::size_t extents[3] = {};  ///< in texels
  bool array = false;           ///< a CUDA array, which only textures, surfaces and copies reach
  std::string name = {};        ///< empty where unknown
  bool live = true;
  bool lent = false;    ///< by whoever calls the program's functions, who frees it (describe_allocation)
  bool sparse = false; ///< by allocate_sparse(): all initialised, though hardly any byte counts as written
  bool freed_by_reset = false; ///< by cudaDeviceReset
  bool managed = false;        ///< the host may use it as well
  bool on_heap = false;        ///< by malloc or new in a kernel
  bool of_graph = false;       ///< addresses for a graph's node, which makes it live
  bool of_driver = false;      ///< addresses whose memory the driver API maps, and counts
  bool page_locked = false;    ///< of the host: managed, and freed by cudaFreeHost
  bool closed = false;         ///< to all who are in this process (fence_memory)
  bool zone_closed = false;    ///< so is the red zone behind it
  std::uintptr_t freed_at =
      0; ///< the call of cudaFree and the like, by the program's host code; 0: by another
  FirstWrite first_write = {};
  FirstRows first_rows = {};
  AllocatingCall origin = {};
};

/// From now on, or no longer, memory that is not page-locked is closed while host code of the program runs: an access that no
/// hook sees is a SIGSEGV, as on a machine with a GPU. So are the pages that belong to device variables alone. Of sparse
/// blocks, which would take too long, nothing is closed.
void fence_memory(bool on);
/// Opens the block or the device variables that `address` is in, if it is in any, until memory is closed again.
void open_memory_at(std::uintptr_t address);
/// Of an address in closed memory that host code may use, which is managed memory and device variables: all that open_memory_at()
/// would open. Else nothing.
struct ClosedPart {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};
ClosedPart closed_to_host(std::uintptr_t address);

/// While one lives, all memory is open to the device.
struct OpenMemory {
  OpenMemory();
  ~OpenMemory(); ///< closes it if there is a fence
  OpenMemory(const OpenMemory&) = delete;
  OpenMemory& operator=(const OpenMemory&) = delete;
};

/// While one lives, this range is open to the runtime API, where it lies in closed memory.
class OpenRange {
public:
  OpenRange(const void* begin, std::size_t bytes);
  ~OpenRange();
  OpenRange(const OpenRange&) = delete;
  OpenRange& operator=(const OpenRange&) = delete;

private:
  std::uintptr_t begin_ = 0;
  std::size_t bytes_ = 0; ///< whole pages; 0: nothing was closed
};

/// Null if the device is out of memory. Addresses are aligned to 4096 bytes.
void* allocate_global(std::size_t bytes, bool managed = false);
/// The block of as many pages that was freed there is live again. False if there is none, or the device is full.
bool allocate_again(void* pointer, std::size_t bytes);
/// False if `pointer` is not the start of a live allocation.
bool free_global(void* pointer);
std::size_t allocated_bytes();

/// Addresses alone, for parts of which memory is found later; null if there is no room for them.
void* reserve_addresses(std::size_t bytes, std::size_t alignment);
/// Of such addresses so many bytes, from there on, can be used; 0: none.
void set_usable_part(void* addresses, std::size_t offset, std::size_t bytes);
/// Memory of the device without an address. False if there is not so much.
bool take_device_memory(std::size_t bytes);
void give_device_memory(std::size_t bytes);
/// What of a range has been written, as bits, and back. Both begin at a multiple of 8.
std::vector<char> written_bits_of(std::uintptr_t address, std::size_t bytes);
void set_written_bits_of(std::uintptr_t address, const std::vector<char>& bits);
/// The range has no contents any more.
void forget_bytes(void* pointer, std::size_t bytes);

/// Addresses for memory that is not there yet; null if there is no room for them.
void* reserve_for_graph(std::size_t bytes);
/// The memory at such addresses is there, and counts as not written. False if it is there already, or the device is full.
bool allocate_reserved(void* pointer);
/// Of all such memory, what is there now.
std::size_t live_graph_bytes();

/// All addresses that memory was allocated at, and the red zones beside it, in whole pages: first addresses and bytes.
std::vector<std::pair<std::uintptr_t, std::size_t>> used_global_memory();
/// All live memory that kernels may use, or what of it host code may use, too: first addresses and bytes. Without sparse blocks.
std::vector<std::pair<std::uintptr_t, std::size_t>> memory_of_kernels(bool shared_with_host);
/// In address order, those that are not live any more among them.
const std::vector<Allocation>& all_allocations();
/// The live allocation that holds `address`, or null.
Allocation* find_allocation(std::uintptr_t address);
/// The allocation, live or not, that is nearest to `address`, or null if there was never one.
Allocation* nearest_allocation(std::uintptr_t address);

/// A call site that has read memory which was never written, and for which that is recorded: its reads of the same allocation are
/// counted, and need no look at any table.
struct UnwrittenReads {
  std::uintptr_t site = 0;
  ValidRange range = {};
  std::uint64_t* times = nullptr;

  bool has(std::uintptr_t by, std::uintptr_t address, std::size_t bytes) const {
    const std::size_t place = address - range.begin;
    return by == site && place < range.bytes && range.bytes - place >= bytes;
  }
};
extern std::array<UnwrittenReads, 64> unwritten_reads;
/// The one that this call site has, or may have.
inline UnwrittenReads& unwritten_reads_at(std::uintptr_t site) {
  return unwritten_reads[site % unwritten_reads.size()];
}

/// True if [address, address + bytes) is inside one live allocation.
bool is_live(std::uintptr_t address, std::size_t bytes);

/// Marks bytes of the arena as written or not. Both clip to what kernels may access.
void mark_written(std::uintptr_t address, std::size_t bytes);
void copy_written(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);

/// Sets or clears the bits of a range of arena addresses, whatever they belong to.
void set_written_bits(std::uintptr_t address, std::size_t bytes, bool written);
bool all_written(std::uintptr_t address, std::size_t bytes);
bool none_written(std::uintptr_t address, std::size_t bytes);

inline bool in_arena(std::uintptr_t address) { return address - machine.arena < arena_span; }
inline bool in_shared(std::uintptr_t address) { return address - machine.arena < shared_span; }
inline bool in_global(std::uintptr_t address) { return in_arena(address) && !in_shared(address); }

/// Variables of modules that live on the device: __device__ (kind 0), __constant__ (kind 1) and __managed__ (kind 2).
constexpr int constant_section = 1, managed_section = 2;
struct DeviceSection {
  int kind;
  std::uintptr_t begin;
  std::size_t bytes;
  bool closed = false; ///< its whole pages (fence_memory)
};
const DeviceSection* find_section(std::uintptr_t address);
const std::vector<DeviceSection>& all_sections();
/// False of a module that the program has unloaded by itself.
bool is_mapped(const DeviceSection& section);

/// From the first to the last byte of all sections: host code has few accesses there, and hundreds of millions elsewhere.
struct SectionSpan {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  bool may_hold(std::uintptr_t address) const { return address - begin < bytes; }
  SectionSpan with(std::uintptr_t first, std::size_t count) const; ///< that holds these, too
};
extern SectionSpan device_sections;

/// Host memory that cudaHostRegister has made page-locked, so that kernels may access it too.
void add_pinned(void* pointer, std::size_t bytes);
bool remove_pinned(void* pointer);
bool is_pinned(std::uintptr_t address);

/// What a thread of the host may know of memory while another one is in the runtime. The block is opened as by open_memory_at().
struct HostView {
  bool managed = false, page_locked = false;
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;  ///< of what was asked for; 0 where another thread may be at it
  std::uint64_t call = 0; ///< of the runtime, after which it was so

  bool has(std::uintptr_t address, std::size_t size) const {
    return address - begin < bytes && size <= bytes - (address - begin);
  }
};
HostView open_for_host(std::uintptr_t address, std::size_t bytes);

/// Whether host code of a program can write there while a kernel runs: managed, page-locked and registered memory.
bool host_can_reach(std::uintptr_t address);

} // namespace simt
