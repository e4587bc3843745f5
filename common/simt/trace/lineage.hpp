// Which initial values an element of an array can have been made of: a walk back through a trace, over every thread that
// passed values on through memory or registers.
#pragma once

#include "simt/trace/trace.hpp"

#include <map>
#include <set>

namespace simt {

/// A part of an array as it was before the first grid. Of arrays in shared memory there is none.
struct Origin {
  std::uint32_t array = 0;
  std::uint64_t offset = 0; ///< in bytes; a multiple of the array's unit()
  auto operator<=>(const Origin&) const = default;
};

/// A lane's write, or an atomic operation, to an element.
struct TracedWrite {
  std::size_t step = 0;
  ThreadId thread;
};

/// Everything that the thread that wrote an element had read before it did so, or had got from threads that had.
struct Ancestry {
  std::set<Origin> origins;
  bool is_known = true; ///< whether nothing came another way
};

class Lineage {
public:
  /// The trace has to outlive it.
  explicit Lineage(const Trace& trace);

  /// In bytes: in which pieces the array's accesses are told apart, its smallest access.
  unsigned unit(std::uint32_t array) const { return units_.at(array); }

  /// Who wrote to any of these bytes of an array in global memory, in order.
  std::vector<TracedWrite> writes(std::uint32_t array, std::uint64_t offset, std::uint64_t bytes) const;

  /// How often lanes have read any of these bytes of an array in global memory.
  std::size_t reads(std::uint32_t array, std::uint64_t offset, std::uint64_t bytes) const;

  /// What these bytes can have been made of. Too much rather than too little: what is not there, the value is
  /// not made of.
  Ancestry ancestry(std::uint32_t array, std::uint64_t offset, std::uint64_t bytes) const;

  /// What the writing thread itself read from global memory between the write before and this one, in order.
  std::vector<Origin> read_for(const TracedWrite& write) const;

private:
  using Thread = std::uint32_t;
  struct Place { // a unit of an array; `owner` tells blocks' shared memory apart
    std::uint32_t array, owner;
    std::uint64_t unit;
    auto operator<=>(const Place&) const = default;
  };
  struct Write {
    std::size_t step;
    Thread thread; ///< no_thread: the host
  };
  static constexpr Thread no_thread = ~Thread{0};
  struct Followed { // writes of a place that were visited: those from `first` to before `last`
    std::size_t first = 0, last = 0;
    bool from_start = false; ///< whether the first of them may have added to the initial value
  };

  Thread thread_at(const TracedStep& step, unsigned lane) const;
  /// The thread that launched this one's grid; no_thread if the host did.
  Thread launcher_of(Thread thread) const;
  template <class Visit>
  void for_each_unit(const TracedStep& step, std::size_t k, Visit visit) const;
  template <class Visit>
  bool for_each_source(const Place& place, std::size_t before, std::map<Place, Followed>& followed,
                       Visit visit) const;

  const Trace& trace_;
  std::vector<unsigned> units_;
  std::vector<std::uint32_t> first_thread_;        ///< of each launch
  std::vector<std::vector<std::size_t>> steps_of_; ///< of each thread, in order
  std::map<Place, std::vector<Write>> writes_;
  std::vector<std::vector<std::uint32_t>> reads_; ///< how many, of each unit of an array in global memory
};

} // namespace simt
