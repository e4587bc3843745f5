// Work that the host has not waited for.
//
// Each launch and each copy is done when it is issued. A device may still be at it while the host goes on, and while other streams
// do. So for each stream its work is counted, and what a piece of work has used is remembered until the host has waited
// for it: the bytes of copies, and of kernels the marks that the race check has left (global_race.hpp), which are read before
// the next launch, and only if someone may want to know. Who uses such bytes meanwhile, be it the host or
// work of a stream that nothing orders, gets a finding.
//
// Where it is not known what is ordered, it is taken for ordered: all threads of the host know what one of them knows, and
// the host knows of the work before its own functions (cudaLaunchHostFunc) and before what it has read through a volatile
// pointer or by an atomic operation. Nodes of one graph are done one after the other.
#pragma once

#include "simt/report/report.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simt {

/// Streams have numbers here. These two are always there.
inline constexpr unsigned legacy_stream = 0, per_thread_stream = 1;
unsigned open_stream(bool blocking);
void close_stream(unsigned stream);

/// By stream: how many pieces of its work come before.
using WorkBefore = std::vector<std::uint64_t>;
/// A piece of work in a stream. One that is number 0 has always been done.
struct StreamPoint {
  unsigned stream = legacy_stream;
  std::uint64_t number = 0;
  WorkBefore before = {};
};

/// While one lives, work is issued into this stream.
class IntoStream {
public:
  explicit IntoStream(unsigned stream);
  ~IntoStream();
  IntoStream(const IntoStream&) = delete;
  IntoStream& operator=(const IntoStream&) = delete;

private:
  unsigned former_;
};

/// An event is recorded.
StreamPoint record_point();
/// What comes next waits for an event.
void follow(const StreamPoint& point);

/// The end of what was issued into the stream so far, and of all that it waits for. The legacy stream waits for blocking ones even
/// if it has no work.
StreamPoint end_of(unsigned stream);

/// Whether the host knows that it is done.
bool is_done(const StreamPoint& point);
/// The host has asked, or has learned of it otherwise.
void learn_of(const StreamPoint& point);
/// It has waited, and what kernels have printed is there.
void wait_for(const StreamPoint& point);
void wait_for_device();
/// The host has not waited, but what kernels have printed before is there.
void show_output_before(const StreamPoint& point);

enum class Effect { uses, allocates, frees };

/// Who has issued a piece of work: a launch at a line of a file, or a call that returns to `site`.
struct Issuer {
  std::string kernel = {}; ///< empty: a copy, or memory is set
  const char* file = "";
  int line = 0;
  std::uintptr_t site = 0;
  Effect effect = Effect::uses; ///< of the work on the memory
};

/// From before the grid runs to its end.
void begin_kernel_work(Issuer issuer);
/// `has_run`: it has left marks. `has_printed`: something.
void end_kernel_work(bool has_run, bool has_printed);

/// While one lives, memory is copied or set by a call that returns to `site`.
class CopyingWork {
public:
  explicit CopyingWork(std::uintptr_t site);
  ~CopyingWork();
  CopyingWork(const CopyingWork&) = delete;
  CopyingWork& operator=(const CopyingWork&) = delete;
};
/// What it uses of memory that kernels may use, too.
void note_copied(const void* begin, std::size_t bytes, Access access);

/// Memory is there that the host and kernels may use.
void expect_host_accesses();
/// Memory is allocated in the order of a stream: work of others must wait for that.
void begin_memory(std::uintptr_t begin, std::size_t bytes, std::uintptr_t site);
/// It is freed in the order of a stream, which work of others must not overtake; who has the bytes next need not wait.
void end_memory(std::uintptr_t begin, std::size_t bytes, std::uintptr_t site);

/// Host code uses memory that kernels may use. `strong`: through a volatile pointer or by an atomic operation.
void check_host_use(std::uintptr_t address, std::size_t bytes, Access access, bool strong,
                    std::uintptr_t site);

} // namespace simt
