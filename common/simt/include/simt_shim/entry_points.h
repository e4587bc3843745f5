// The C entry points of the simulator that inline code of these headers calls. They are resolved from the
// runner when a module is loaded. Every function that stands for a memory access takes its source line from
// its return address, so its inline callers must be always_inline.
#ifndef SIMT_INCLUDE_SIMT_SHIM_ENTRY_POINTS_H
#define SIMT_INCLUDE_SIMT_SHIM_ENTRY_POINTS_H

#include "driver_types.h"

#include <cstddef>

// Inline code of the headers that must not be seen as a kernel's own memory access.
#define SIMT_UNINSTRUMENTED __attribute__((no_sanitize("thread")))
#define SIMT_INLINE [[gnu::always_inline]] inline

extern "C" {

struct simt_index3 {
  unsigned x, y, z;
};

/// An index of the device in one number, because compilers take calls out of loops only if they return no structure: z, y and x
/// from above, of which only x may have more than 16 bits.
typedef unsigned long simt_packed_index;

// Constant for as long as a simulated thread lives, hence the attributes: repeated uses cost one call.
simt_packed_index __simt_thread_index(void) __attribute__((const, nothrow));
simt_packed_index __simt_block_index(void) __attribute__((const, nothrow));
simt_packed_index __simt_block_extent(void) __attribute__((const, nothrow));
simt_packed_index __simt_grid_extent(void) __attribute__((const, nothrow));

/// The memories that a generic address can be in.
enum simt_space {
  simt_space_global,
  simt_space_shared,       ///< of the running block
  simt_space_other_shared, ///< of another block of the cluster
  simt_space_constant,
  simt_space_local,
  simt_space_grid_constant ///< a __grid_constant__ parameter
};
int __simt_space_of(const void* address);
/// Where the running block's shared memory begins.
size_t __simt_shared_base(void) __attribute__((const));
/// The running thread has such a parameter; none any more with 0 bytes.
void __simt_grid_constant(const void* parameter, size_t bytes);

enum simt_barrier_kind {
  simt_barrier_plain,
  simt_barrier_count,
  simt_barrier_and,
  simt_barrier_or,
  simt_barrier_cluster ///< of a cluster that is a single block
};
int __simt_block_barrier(int kind, int predicate, const char* file, int line);
/// Stands where a kernel names `function`, a barrier or a fence, and does not call it.
void __simt_not_called(const char* function, const char* file, int line);
/// What a `return` of a kernel returns: the thread ends there.
void __simt_return(const char* file, int line);
/// Stands before a `return` of a function of the device behind which a barrier or an exchange comes, the last one in line
/// `last`: the thread does not come there.
void __simt_left(const char* file, int line, int last);
/// The condition of an `if` that has a barrier of the block in the lines `first` to `last`, which a thread comes
/// to if `taken` is `entered_if`. Returns `taken`.
bool __simt_branch(bool taken, bool entered_if, const char* file, int first, int last);
/// The condition of a loop that has a barrier of the block in the lines `first` to `last`. Returns `goes_on`.
bool __simt_loop(bool goes_on, const char* file, int first, int last);
/// A thread is about to go through a `do` loop with a barrier, whose condition comes only behind it.
void __simt_enter_loop(void);

/// Barriers of several blocks: of the cluster, and of a grid that was launched cooperatively.
enum simt_group_scope { simt_group_cluster, simt_group_grid, simt_group_scopes };
void __simt_group_sync(int scope, const char* file, int line);
void __simt_group_arrive(int scope, const char* file, int line);
void __simt_group_wait(int scope, const char* file, int line);
bool __simt_grid_is_cooperative(void);

simt_index3 __simt_cluster_extent(void) __attribute__((const));
/// The address in the shared memory of the cluster's block `rank` that corresponds to `address`.
void* __simt_map_shared(const void* address, unsigned rank, const char* file, int line);
/// The rank of the block whose shared memory `address` is in.
unsigned __simt_query_shared(const void* address, const char* file, int line);
/// Orders the calling thread's accesses before it, and those it knows of, before its later atomic and
/// volatile writes: for the threads of its block only, or for all.
void __simt_fence(int block_only);

/// The scopes of libcu++: for which threads an operation is atomic, and orders.
enum simt_scope { simt_scope_system, simt_scope_device, simt_scope_block, simt_scope_thread };
/// A fence of this order (__ATOMIC_RELAXED to __ATOMIC_SEQ_CST) and scope.
void __simt_ordering_fence(int order, int scope);

enum simt_warp_kind {
  simt_warp_sync,
  simt_warp_shuffle_index,
  simt_warp_shuffle_up,
  simt_warp_shuffle_down,
  simt_warp_shuffle_xor,
  simt_warp_ballot,
  simt_warp_match_any,
  simt_warp_match_all,
  simt_warp_active,
  simt_warp_reduce,
  simt_warp_matrix, ///< of all 32 lanes; `value` is the runtime's own
  /// A flag beside one of these: no mask is given, and the lanes that exchange are those that are active together.
  simt_warp_without_mask = 32
};
/// Waits until every lane of `mask` has called with the same mask, and exchanges `value` between them.
/// `operand` is the source lane, distance or xor mask of a shuffle, or the simt_atomic_operation of a
/// reduction; `width` a shuffle's segment.
unsigned long __simt_warp_exchange(int kind, unsigned mask, unsigned long value, int operand, int width,
                                   const char* file, int line);

/// A lane's part of a matrix that the lanes of a warp hold together: `elements` of the type at `x`.
enum simt_matrix_use { simt_matrix_a, simt_matrix_b, simt_accumulator };
enum simt_matrix_type {
  simt_half,
  simt_bfloat16,
  simt_tf32,
  simt_float,
  simt_double,
  simt_int8,
  simt_uint8,
  simt_int32
};
struct simt_fragment {
  enum simt_matrix_use use;
  enum simt_matrix_type type;
  unsigned rows, columns; ///< of the whole matrix
  unsigned elements; ///< of x; if these are more than the matrix has for a lane, each is there several times
  void* x;
};
/// The matrix from or to memory, where each row, or each column if `by_columns`, begins `stride` elements behind the one before.
void __simt_matrix_load(const simt_fragment* fragment, const void* from, unsigned stride, bool by_columns,
                        const char* file, int line);
void __simt_matrix_store(void* to, const simt_fragment* fragment, unsigned stride, bool by_columns,
                         const char* file, int line);
/// d = a * b + c. Integers wrap around, or stop at the largest and smallest if it is `saturated`.
void __simt_matrix_multiply(const simt_fragment* d, const simt_fragment* a, const simt_fragment* b,
                            const simt_fragment* c, bool saturated, const char* file, int line);

struct simt_shared_type {
  std::size_t size; ///< 0 for an array of unknown bound
  std::size_t alignment;
  std::size_t element_size;
  unsigned element_aligned; ///< the alignment of elements of a class; 0: of anything else
  unsigned rank;
  std::size_t extents[4];
};
void* __simt_shared_variable(const char* name, const char* file, int line, const simt_shared_type* type);
void* __simt_dynamic_shared(const char* name, const simt_shared_type* type);
/// Tells messages what the kernel calls elements of `element_size` bytes from `pointer` on, if that points into dynamic
/// shared memory.
void __simt_name_shared(const void* pointer, const char* name, std::size_t element_size);
/// A thread is about to use an element of an array in dynamic shared memory, which is that array of the kernel.
enum simt_use_of_element { simt_use_read, simt_use_write, simt_use_update, simt_use_unknown };
void __simt_use_by_name(const void* element, std::size_t size, unsigned array, const char* name, int use);
/// As __simt_name_shared, of a variable in device memory: its elements, in up to four dimensions.
void __simt_describe_variable(const void* variable, const simt_shared_type* type);

enum simt_atomic_operation {
  simt_atomic_load,
  simt_atomic_exchange,
  simt_atomic_compare_exchange,
  simt_atomic_add,
  simt_atomic_and,
  simt_atomic_or,
  simt_atomic_xor,
  simt_atomic_min_signed,
  simt_atomic_max_signed,
  simt_atomic_min_unsigned,
  simt_atomic_max_unsigned,
  simt_atomic_increment_wrap,
  simt_atomic_decrement_wrap,
  simt_atomic_add_float,
  simt_atomic_add_double,
  simt_atomic_add_float2, ///< 64 bits: two floats
  simt_atomic_add_half,   ///< 16 bits
  simt_atomic_add_half2,  ///< 32 bits: two halves
  simt_atomic_add_bfloat16,
  simt_atomic_add_bfloat162,
  simt_atomic_store ///< as an exchange, whose old value is not used
};
/// A plain read whose value only feeds a compare-and-swap of the same word, which is then checked for races in its stead.
unsigned short __simt_expected2(const void* address);
unsigned __simt_expected4(const void* address);
unsigned long __simt_expected8(const void* address);
/// Applies the operation to the bits at `address` and returns the bits before it.
unsigned short __simt_atomic16(int operation, void* address, unsigned short operand, unsigned short compare);
unsigned __simt_atomic32(int operation, void* address, unsigned operand, unsigned compare);
unsigned long __simt_atomic64(int operation, void* address, unsigned long operand, unsigned long compare);
/// The same with an order: __ATOMIC_RELAXED to __ATOMIC_SEQ_CST, or simt_order_of_cuda, as those above have it; four bits
/// further that of a compare_exchange that fails, and eight bits further the simt_scope. Loads and stores are counted as such.
enum { simt_order_of_cuda = 6 };
unsigned char __simt_ordered8(int operation, void* address, unsigned char operand, unsigned char compare,
                              int order);
unsigned short __simt_ordered16(int operation, void* address, unsigned short operand, unsigned short compare,
                                int order);
unsigned __simt_ordered32(int operation, void* address, unsigned operand, unsigned compare, int order);
unsigned long __simt_ordered64(int operation, void* address, unsigned long operand, unsigned long compare,
                               int order);
/// Adds four floats to the 16 bytes at `address`; `old` gets what was there.
void __simt_atomic_add_float4(void* address, const float* operand, float* old);

/// Barriers of libcu++, 8 bytes at `barrier`, which init sets up for phases of `expected` arrivals.
enum simt_arrival { simt_arrive_plain, simt_arrive_drop = 1, simt_arrive_hold = 2 };
enum { simt_phase_held = 1 << 8 };
void __simt_barrier_init(void* barrier, long expected);
/// `count` arrivals, by which the thread drops out of all later phases or not; `bytes` more (or fewer) are to be copied in
/// this phase. Returns its number, with simt_phase_held if this was the last arrival. A phase that is to be held ends only
/// when its last thread calls complete.
unsigned long __simt_barrier_arrive(void* barrier, long count, int what, long bytes, int scope);
void __simt_barrier_complete(void* barrier);
/// Waits for the end of the phase, or of the latest one with its parity; if it only `tries`, says whether it has ended.
bool __simt_barrier_wait(const void* barrier, unsigned long phase, int by_parity, int tries, const char* file,
                         int line);

/// Arrival and wait at the barrier of the block's threads from `first` on, `count` of them: a tile of several warps, or the
/// block. An arrival returns the number of its phase.
unsigned long __simt_tile_arrive(unsigned first, unsigned count);
void __simt_tile_wait(unsigned first, unsigned count, unsigned long phase, const char* file, int line);
/// What a thread of the block has put down for the others to get behind such a barrier. These are no accesses to memory.
void __simt_tile_put(unsigned long value);
unsigned long __simt_tile_get(unsigned thread);

typedef unsigned simt_bits16 __attribute__((vector_size(16), may_alias));
typedef unsigned long long simt_bits8 __attribute__((may_alias));
typedef unsigned simt_bits4 __attribute__((may_alias));
typedef unsigned short simt_bits2 __attribute__((may_alias));
simt_bits2 __simt_load2(const void* from);
simt_bits4 __simt_load4(const void* from);
simt_bits8 __simt_load8(const void* from);
simt_bits16 __simt_load16(const void* from);
void __simt_copy2(void* to, const void* from);
void __simt_copy4(void* to, const void* from);
void __simt_copy8(void* to, const void* from);
void __simt_copy16(void* to, const void* from);

/// One access of a copy that a thread starts and later waits for; commit ends the accesses of one call.
void __simt_copy_async(void* to, const void* from, unsigned bytes);
void __simt_copy_commit(void);
/// The same, bound to a barrier: its next phase after the thread's next arrival there finds the copy made.
void __simt_copy_async_for(void* barrier, void* to, const void* from, unsigned bytes);
/// Makes the copies of all calls but the latest `pending`.
void __simt_copy_wait(unsigned pending);

/// A function of the API has failed, and no code looks at what it has returned.
void __simt_unheard(const char* function, cudaError_t error);

/// A copy was made between arrays of such elements.
void __simt_copied_types(const char* function, std::size_t target, std::size_t source);

/// Tells messages what the block that starts at `pointer` is called, and how large its elements are (0: not
/// known).
void __simt_name_allocation(const void* pointer, const char* name, std::size_t element_size);

long long __simt_clock(void);
[[noreturn]] void __simt_trap(void);
/// True while a kernel runs: the same function may serve host and device.
bool __simt_in_kernel(void);

struct simt_launch_site {
  const char* kernel;
  const char* file;
  int line;
};
struct simt_launch_config {
  simt_index3 grid, block;
  std::size_t shared_bytes;
  void* stream;
  simt_index3 cluster{}; ///< zeros: as the kernel says
  bool cooperative = false;
  bool returns_error = false; ///< the caller gets the launch's error as a result, and may check it there
  int unknown_attribute = 0;  ///< the number of one that the simulator does not honour
};
/// One argument of a kernel call, for messages: a pointer or an integer as its bits, a real number as those of a double.
enum simt_argument_kind { simt_pointer, simt_signed, simt_unsigned, simt_real, simt_other };
struct simt_argument {
  enum simt_argument_kind kind;
  unsigned long long bits;
  unsigned size, alignment; ///< of the parameter, in bytes
  unsigned pointed;         ///< bytes of what a pointer points to; 0: not known
  unsigned aligned;         ///< the alignment of a class that it points to; 0: of anything else
};
/// How to handle a kernel call's arguments, which the simulator keeps for as long as the grid lives.
struct simt_closure_operations {
  std::size_t size, alignment;
  void (*invoke)(void* closure);
  void (*copy)(void* to, const void* from);
  void (*destroy)(void* closure);
  void (*addresses)(const void* closure, void** found); ///< where each argument lies in it
};
/// How to make a call of a kernel that is known by its address alone, as kernel nodes of graphs and the driver API know it.
struct simt_kernel_entry {
  const void* kernel;
  const char* name;
  const struct simt_closure_operations* operations;
  unsigned count; ///< of its parameters
  /// Makes the call in memory of operations->size bytes, from pointers to its arguments, and describes them.
  void (*make)(void* closure, const void* kernel, void** arguments, struct simt_argument* told);
  void (*describe)(struct simt_argument* told); ///< the parameters alone: kinds, sizes, alignments
};
/// A function runs that is the host's, called at `caller`; or one of both sides by the address that the host has of it: then
/// `function` is the __PRETTY_FUNCTION__ of a template whose argument `Function` it is.
void __simt_called_on_host(const char* function, const void* caller, int also_on_device);
/// A variable in device memory is `const`: host code has the same value under its name.
void __simt_constant_on_both_sides(const void* variable, std::size_t bytes);
/// A kernel's parameter of this name is a reference to the object.
void __simt_note_reference(const void* object, std::size_t bytes, const char* parameter);
/// A lambda for the device captures `this`, which is the address of the object.
void __simt_note_captured(const void* object, std::size_t bytes);
/// Host code uses the address of a variable in device memory by the variable's name.
void __simt_host_symbol(const void* variable, std::size_t bytes, const char* name);
/// Diagnoses an object that a kernel passes to a child: pointers in it are as pointers that it passes.
void __simt_check_child_object(const simt_launch_site* site, const void* object, std::size_t bytes);
/// Diagnoses a pointer that a kernel passes to a child and that points to memory of its own.
void __simt_check_child_pointer(const simt_launch_site* site, const void* pointer);
/// Runs the grid, or queues it if device code launches it; returns the launch's cudaError_t and records it as
/// the last error.
enum cudaError __simt_launch(const simt_launch_site* site, const simt_launch_config* config,
                             const void* kernel, const simt_closure_operations* operations, void* closure,
                             const simt_argument* arguments, unsigned count);
/// A launch through the API whose arguments are wrong.
enum cudaError __simt_refuse_launch(enum cudaError error);
/// A launch through the API that names its kernel by a pointer without a type; refused if the kernel has no entry.
enum cudaError __simt_launch_by_address(const simt_launch_site* site, const simt_launch_config* config,
                                        const void* kernel, void** arguments);

/// Advances the five words of a XORWOW generator by count * 2^log2_unit steps.
void __simt_random_skip(unsigned int* state, unsigned long long count, unsigned int log2_unit);
/// Sobol's direction vectors of all dimensions, `bits` (32 or 64) words of as many bits for each of them, or as many
/// scrambled ones; and a constant for each dimension that a scrambled sequence begins with. Both live for ever.
const void* __simt_sobol_vectors(int bits, bool scrambled);
const void* __simt_sobol_constants(int bits);

void __simt_register_kernel(const void* kernel, int max_threads, int min_blocks, int cluster_x, int cluster_y,
                            int cluster_z);
void __simt_name_kernel(const void* kernel, const char* name);
/// Which parameters of the kernels of this name are __restrict__, from bit 0 on.
void __simt_note_restricted(const char* kernel, unsigned long long parameters);
void __simt_register_entry(const simt_kernel_entry* entry);
/// Tells where a module keeps its __device__ (kind 0) or __constant__ (kind 1) variables.
void __simt_register_section(int kind, const void* begin, const void* end);
}

#endif
