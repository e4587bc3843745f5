#pragma once
/// The few things in which the two runners differ. Everything else is written once against the CUDA
/// runtime API, which the simulator implements too.

#include <cstddef>
#include <string>
#include <vector>

#include "call/call.hpp"
#include "call/memory.hpp"
#include "confine/confine.hpp"

namespace warpbook::backend {

/// "sim" or "cuda".
const char* name();

/// JSON for `runner --probe`: {"available", "reason", "device", "compute_capability": [major, minor], ...}.
std::string probe();

/// What the process may do from the moment on at which it loads the submission in `module`; `behind_a_tool` has files and
/// connections of its own.
Confinement confinement(const std::string& module, bool behind_a_tool);

/// Takes what calls will need and the confinement refuses.
void prepare();

/// Memory of `progress_bytes` in which the backend counts on while kernels run, if it can: a call that uses
/// processor time without counting on is the submission's host code.
void show_progress(SharedMemory counter);

/// JSON for `runner --provenance`: [[key, value], ...], what a table of measurements says about the device;
/// with the clock under load where there is one, which takes a moment to measure.
std::string provenance();

/// Writes `count` generated values, from the first on, to device memory.
void generate(const Generator& generator, void* device, std::size_t count);

/// Copies the elements at `indices` from device memory into `target`, one behind the other.
void gather(const void* device, std::size_t element_size, const std::vector<std::size_t>& indices,
            std::byte* target);

/// Device memory of so many bytes, all 0, of which only what is written takes memory; null where there is no such memory.
std::byte* allocate_sparse(std::size_t bytes);

/// The elements of a sparse buffer at `payload` that were written and are none of those that were made: up to `most_strays`.
std::vector<std::size_t> strays(const BufferArgument& buffer, const std::byte* payload);

/// Before a call's buffers are allocated.
void begin_call(const Call& call);

/// Says whether what this thread copies between host and device, and allocates, from now on is the runner's own, and is not
/// counted, or not closed to kernels; returns what was said before. As long as nothing was said, it is the submission's.
bool copy_for_runner(bool own);

/// Whose copies and memory they are while it lives, the runner's or the submission's.
class Copies {
public:
  enum Owner { of_submission, of_runner };
  explicit Copies(Owner owner) : before_(copy_for_runner(owner == of_runner)) {}
  ~Copies() { copy_for_runner(before_); }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

private:
  bool before_;
};

/// Of the block at `base`, only `bytes` bytes from `offset` on belong to the buffer. The simulator
/// reports accesses to the rest; on a GPU the guard zones have to do.
void describe(void* base, std::size_t offset, const BufferArgument& buffer);

/// What the backend counted and diagnosed since the call began, and what has crossed between host and device since the call
/// before, as JSON, or an empty string.
std::string take_report();

/// What kernels did with memory since the call began, as JSON, or an empty string where it was not asked for.
std::string take_trace();

/// What the call's watched threads did, as JSON, or an empty string.
std::string take_diaries();

/// Whether the event times of this backend mean anything.
bool measures_time();

} // namespace warpbook::backend
