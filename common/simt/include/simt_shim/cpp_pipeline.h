// libcu++'s pipelines as the simulator provides them, written for it: stages of copies that a thread makes for itself, or
// that producers make for the consumers of a block.
#ifndef SIMT_INCLUDE_SIMT_SHIM_CPP_PIPELINE_H
#define SIMT_INCLUDE_SIMT_SHIM_CPP_PIPELINE_H

#include "simt_shim/cpp_barriers.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

/// What the threads of a pipeline share: for each stage the barriers of those who fill it and of those who have read it.
template <thread_scope Scope, ::std::uint8_t Stages>
class pipeline_shared_state {
public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

  // Not part of libcu++'s interface.
  struct Stage {
    barrier<Scope> produced, consumed;
  };
  Stage simt_stages[Stages];
  unsigned simt_producers;
};

template <thread_scope Scope>
class pipeline {
public:
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  /// Waits until the next stage may be filled.
  SIMT_INLINE void producer_acquire(SIMT_CALLER) {
    if (stages_ == nullptr) return;
    stages_[head_].consumed.wait_parity(fill_parity_, simt_file, simt_line);
  }
  /// The copies since the last commit belong to this stage.
  SIMT_INLINE void producer_commit() {
    if (stages_ == nullptr) {
      __simt_copy_commit();
      ++committed_;
      return;
    }
    (void)stages_[head_].produced.arrive();
    if (++head_ == count_) {
      head_ = 0;
      fill_parity_ = !fill_parity_;
    }
  }
  /// Waits until the oldest stage is there.
  SIMT_INLINE void consumer_wait(SIMT_CALLER) {
    if (stages_ == nullptr) {
      ++waited_;
      __simt_copy_wait(committed_ - waited_);
      return;
    }
    stages_[tail_].produced.wait_parity(read_parity_, simt_file, simt_line);
  }
  template <class Duration>
  SIMT_INLINE bool consumer_wait_for(const Duration&, SIMT_CALLER) {
    consumer_wait(simt_file, simt_line);
    return true;
  }
  template <class Time>
  SIMT_INLINE bool consumer_wait_until(const Time&, SIMT_CALLER) {
    consumer_wait(simt_file, simt_line);
    return true;
  }
  /// Lets the oldest stage be filled again.
  SIMT_INLINE void consumer_release() {
    if (stages_ == nullptr) return;
    (void)stages_[tail_].consumed.arrive();
    if (++tail_ == count_) {
      tail_ = 0;
      read_parity_ = !read_parity_;
    }
  }
  /// The thread takes no further part.
  SIMT_INLINE bool quit() {
    if (stages_ == nullptr || quitted_) return true;
    quitted_ = true;
    for (unsigned i = 0; i < count_; ++i) {
      if (produces_) stages_[i].produced.arrive_and_drop();
      if (consumes_) stages_[i].consumed.arrive_and_drop();
    }
    return true;
  }

  // Not part of libcu++'s interface.
  using Stage = typename pipeline_shared_state<Scope, 1>::Stage;
  SIMT_INLINE pipeline() = default;
  template <::std::uint8_t Stages>
  SIMT_INLINE pipeline(pipeline_shared_state<Scope, Stages>* state, bool produces, bool consumes)
      : stages_(reinterpret_cast<Stage*>(state->simt_stages)), count_(Stages), produces_(produces),
        consumes_(consumes) {}
  /// The barrier that copies into the stage being filled are bound to; null: none, the thread waits for its own.
  SIMT_INLINE void* simt_target() const {
    return stages_ == nullptr ? nullptr : stages_[head_].produced.simt_state();
  }
  SIMT_INLINE void simt_wait_prior(unsigned stages) {
    __simt_copy_wait(stages);
    if (committed_ > stages + waited_) waited_ = committed_ - stages;
  }

private:
  Stage* stages_ = nullptr;
  unsigned count_ = 0, head_ = 0, tail_ = 0;
  unsigned committed_ = 0, waited_ = 0;
  // A stage may be filled when its latest reading phase has ended: at first the one before the first one has.
  bool fill_parity_ = true, read_parity_ = false;
  bool produces_ = true, consumes_ = true, quitted_ = false;
};

/// A pipeline of the calling thread alone.
SIMT_INLINE pipeline<thread_scope_thread> make_pipeline() { return {}; }

/// All threads of the group fill and read the stages.
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
SIMT_INLINE pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                          SIMT_CALLER) {
  if (group.thread_rank() == 0) {
    for (auto& stage : state->simt_stages) {
      init(&stage.produced, static_cast<::std::ptrdiff_t>(group.size()));
      init(&stage.consumed, static_cast<::std::ptrdiff_t>(group.size()));
    }
  }
  group.sync(simt_file, simt_line);
  return {state, true, true};
}

/// Each thread says whether it fills stages or reads them.
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
SIMT_INLINE pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                          pipeline_role role, SIMT_CALLER) {
  if (group.thread_rank() == 0) state->simt_producers = 0;
  group.sync(simt_file, simt_line);
  const bool produces = role == pipeline_role::producer;
  if (produces) atomic_ref<unsigned, thread_scope_block>(state->simt_producers).fetch_add(1);
  group.sync(simt_file, simt_line);
  if (group.thread_rank() == 0) {
    const auto producers = static_cast<::std::ptrdiff_t>(state->simt_producers);
    for (auto& stage : state->simt_stages) {
      init(&stage.produced, producers);
      init(&stage.consumed, static_cast<::std::ptrdiff_t>(group.size()) - producers);
    }
  }
  group.sync(simt_file, simt_line);
  return {state, produces, !produces};
}

/// The first `producers` threads of the group fill stages, the others read them.
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
SIMT_INLINE pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                                          ::std::size_t producers, SIMT_CALLER) {
  const auto role = group.thread_rank() < producers ? pipeline_role::producer : pipeline_role::consumer;
  return make_pipeline(group, state, role, simt_file, simt_line);
}

/// Waits for all stages of the thread's own copies but the latest `Stages`.
template <::std::uint8_t Stages>
SIMT_INLINE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& own) {
  own.simt_wait_prior(Stages);
}
/// The phase of the barrier waits for the thread's copies so far.
template <thread_scope Scope>
SIMT_INLINE void pipeline_producer_commit(pipeline<thread_scope_thread>& own, barrier<Scope>&) {
  own.simt_wait_prior(0);
}

template <class Group, thread_scope Scope>
SIMT_INLINE async_contract_fulfillment memcpy_async(const Group& group, void* to, const void* from,
                                                    ::std::size_t size, pipeline<Scope>& stages) {
  if (void* target = stages.simt_target()) return ::simt::detail::copy_for(group, to, from, size, target);
  ::simt::detail::copy_share(
      to, from, size, group.thread_rank(), group.size(),
      [](void* own_to, const void* own_from, unsigned bytes)
          __attribute__((always_inline)) { __simt_copy_async(own_to, own_from, bytes); });
  return async_contract_fulfillment::async;
}
template <thread_scope Scope>
SIMT_INLINE async_contract_fulfillment memcpy_async(void* to, const void* from, ::std::size_t size,
                                                    pipeline<Scope>& stages) {
  return memcpy_async(::simt::detail::SingleThread(), to, from, size, stages);
}

} // namespace cuda

#endif
