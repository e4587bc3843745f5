// Going from one stack to another. Threads stop hundreds of millions of times, so this is as little as the calling
// convention allows: the registers that a function keeps for its caller, and the stack pointer. It ends with a return,
// which the processor predicts where threads stop in the same place. The modes of floating point are not switched:
// kernels have none.
#pragma once

#include <cstddef>

namespace simt {

/// Where a stack goes on: its stack pointer, at which the registers lie. Null: nowhere.
using Context = void*;

/// A context that calls `main`, which never returns, on the `bytes` below `top`, which is aligned to 16 bytes.
Context make_context(void* top, std::size_t bytes, void (*main)());

#if defined(__x86_64__)
extern "C" [[gnu::visibility("hidden")]] void simt_switch_context(Context* own, Context other);
#else
void simt_switch_context(Context* own, Context other);
#endif

/// Goes on at `other`. Returns when a switch leads to this one, which waits in `own` until then.
inline void switch_context(Context& own, Context other) { simt_switch_context(&own, other); }

} // namespace simt
