// Cooperative groups within a warp: tiles, and threads that happen to run together.
#ifndef SIMT_INCLUDE_SIMT_SHIM_GROUPS_WARP_H
#define SIMT_INCLUDE_SIMT_SHIM_GROUPS_WARP_H

#include "simt_shim/groups_block.h"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace cooperative_groups {

namespace detail {

SIMT_INLINE unsigned lane() { return thread_block::thread_rank() % 32; }

/// A mask of the lowest `count` lanes, 1 to 32.
SIMT_INLINE constexpr unsigned low_lanes(unsigned count) { return 0xffffffffu >> (32 - count); }

/// The lane of the member `rank` (from 0) of a mask; 32 if there is none.
SIMT_INLINE unsigned lane_of_rank(unsigned mask, unsigned rank) {
  for (; rank > 0 && mask != 0; --rank) mask &= mask - 1;
  return mask == 0 ? 32 : static_cast<unsigned>(__builtin_ctz(mask));
}

/// Bits of `lanes` at the members of `mask`, packed in the order of their ranks.
SIMT_INLINE unsigned pack(unsigned lanes, unsigned mask) {
  unsigned packed = 0;
  for (unsigned rank = 0; mask != 0; ++rank, mask &= mask - 1)
    packed |= (lanes >> __builtin_ctz(mask) & 1) << rank;
  return packed;
}

using word [[gnu::may_alias]] = unsigned;

/// Exchanges a value of any size, word by word where it is not one or two.
template <class T, class Exchange>
SIMT_INLINE T exchange(T value, Exchange exchange_bits) {
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      return ::simt::detail::from_bits<T>(exchange_bits(::simt::detail::to_bits(value)));
    } else {
      for (unsigned i = 0; i < sizeof(T) / 4; ++i)
        reinterpret_cast<word*>(&value)[i] =
            static_cast<unsigned>(exchange_bits(reinterpret_cast<word*>(&value)[i]));
      return value;
    }
  } else if constexpr (sizeof(T) < 4) {
    unsigned bits = 0;
    for (unsigned i = 0; i < sizeof(T); ++i)
      bits |= unsigned{reinterpret_cast<unsigned char*>(&value)[i]} << 8 * i;
    bits = static_cast<unsigned>(exchange_bits(bits));
    for (unsigned i = 0; i < sizeof(T); ++i)
      reinterpret_cast<unsigned char*>(&value)[i] = static_cast<unsigned char>(bits >> 8 * i);
    return value;
  } else {
    static_assert(sizeof(T) % 4 == 0, "groups exchange values whose size is 1, 2 or a multiple of 4 bytes");
    for (unsigned i = 0; i < sizeof(T) / 4; ++i)
      reinterpret_cast<word*>(&value)[i] =
          static_cast<unsigned>(exchange_bits(reinterpret_cast<word*>(&value)[i]));
    return value;
  }
}

template <class T>
SIMT_INLINE T shuffle(simt_warp_kind kind, unsigned mask, T value, int operand, int width, const char* file,
                      int line) {
  return exchange(
      value, [&](unsigned long bits) __attribute__((always_inline)) {
        return __simt_warp_exchange(kind, mask, bits, operand, width, file, line);
      });
}

/// What a tile and a coalesced group have in common: members of one warp, named by a mask.
class lanes {
public:
  SIMT_INLINE void sync(SIMT_CALLER) const { __syncwarp(mask_, simt_file, simt_line); }
  SIMT_INLINE unsigned thread_rank() const { return __builtin_popcount(mask_ & ((1u << lane()) - 1)); }
  SIMT_INLINE unsigned num_threads() const { return __builtin_popcount(mask_); }
  SIMT_INLINE unsigned size() const { return num_threads(); }
  SIMT_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  SIMT_INLINE unsigned meta_group_size() const { return meta_size_; }

  SIMT_INLINE unsigned ballot(int predicate, SIMT_CALLER) const {
    return pack(__ballot_sync(mask_, predicate, simt_file, simt_line), mask_);
  }
  SIMT_INLINE int any(int predicate, SIMT_CALLER) const {
    return __ballot_sync(mask_, predicate, simt_file, simt_line) != 0;
  }
  SIMT_INLINE int all(int predicate, SIMT_CALLER) const {
    return __ballot_sync(mask_, predicate, simt_file, simt_line) == mask_;
  }
  template <class T>
  SIMT_INLINE unsigned match_any(T value, SIMT_CALLER) const {
    return pack(__match_any_sync(mask_, value, simt_file, simt_line), mask_);
  }
  template <class T>
  SIMT_INLINE unsigned match_all(T value, int& all_equal, SIMT_CALLER) const {
    return pack(__match_all_sync(mask_, value, &all_equal, simt_file, simt_line), mask_);
  }

  /// The members as lanes of the warp. (Not part of CUDA's interface.)
  SIMT_INLINE unsigned simt_mask() const { return mask_; }

protected:
  SIMT_INLINE lanes(unsigned mask, unsigned meta_rank, unsigned meta_size)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

  unsigned mask_, meta_rank_, meta_size_;
};

} // namespace detail

/// The members of a warp that called coalesced_threads() together, or a part of such a group.
class coalesced_group : public detail::lanes {
public:
  SIMT_INLINE explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : lanes(mask, meta_rank, meta_size) {}

  template <class T>
  SIMT_INLINE T shfl(T value, int rank, SIMT_CALLER) const {
    return from(value, detail::lane_of_rank(mask_, static_cast<unsigned>(rank)), simt_file, simt_line);
  }
  template <class T>
  SIMT_INLINE T shfl_up(T value, unsigned distance, SIMT_CALLER) const {
    unsigned rank = thread_rank();
    return from(value, detail::lane_of_rank(mask_, distance <= rank ? rank - distance : rank), simt_file,
                simt_line);
  }
  template <class T>
  SIMT_INLINE T shfl_down(T value, unsigned distance, SIMT_CALLER) const {
    unsigned rank = thread_rank();
    return from(value, detail::lane_of_rank(mask_, distance < size() - rank ? rank + distance : rank),
                simt_file, simt_line);
  }

private:
  template <class T>
  SIMT_INLINE T from(T value, unsigned source, const char* file, int line) const {
    return detail::shuffle(simt_warp_shuffle_index, mask_, value,
                           static_cast<int>(source < 32 ? source : detail::lane()), 32, file, line);
  }
};

SIMT_INLINE coalesced_group coalesced_threads(SIMT_CALLER) {
  return coalesced_group(__activemask(simt_file, simt_line));
}

namespace detail {

/// `Size` neighbouring threads of a warp, a power of two.
template <unsigned Size>
class narrow_tile : public lanes {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");

public:
  SIMT_INLINE narrow_tile(unsigned mask, unsigned meta_rank, unsigned meta_size)
      : lanes(mask, meta_rank, meta_size) {}

  SIMT_INLINE static unsigned thread_rank() { return lane() % Size; }
  SIMT_INLINE static constexpr unsigned num_threads() { return Size; }
  SIMT_INLINE static constexpr unsigned size() { return Size; }

  template <class T>
  SIMT_INLINE T shfl(T value, int rank, SIMT_CALLER) const {
    return shuffle(simt_warp_shuffle_index, mask_, value, rank, Size, simt_file, simt_line);
  }
  template <class T>
  SIMT_INLINE T shfl_up(T value, unsigned distance, SIMT_CALLER) const {
    return shuffle(simt_warp_shuffle_up, mask_, value, static_cast<int>(distance), Size, simt_file,
                   simt_line);
  }
  template <class T>
  SIMT_INLINE T shfl_down(T value, unsigned distance, SIMT_CALLER) const {
    return shuffle(simt_warp_shuffle_down, mask_, value, static_cast<int>(distance), Size, simt_file,
                   simt_line);
  }
  template <class T>
  SIMT_INLINE T shfl_xor(T value, unsigned bits, SIMT_CALLER) const {
    return shuffle(simt_warp_shuffle_xor, mask_, value, static_cast<int>(bits), Size, simt_file, simt_line);
  }
};

/// `Size` neighbouring threads of the block, a power of two: several warps.
template <unsigned Size>
class wide_tile {
  static_assert((Size & (Size - 1)) == 0 && Size <= 1024, "the size of a tile is a power of two, up to 1024");

public:
  SIMT_INLINE wide_tile(unsigned meta_rank, unsigned meta_size)
      : meta_rank_(meta_rank), meta_size_(meta_size) {}

  SIMT_INLINE static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  SIMT_INLINE static constexpr unsigned num_threads() { return Size; }
  SIMT_INLINE static constexpr unsigned size() { return Size; }
  SIMT_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  SIMT_INLINE unsigned meta_group_size() const { return meta_size_; }

  SIMT_INLINE static void sync(SIMT_CALLER) {
    __simt_tile_wait(first(), members(), __simt_tile_arrive(first(), members()), simt_file, simt_line);
  }
  /// The value of the thread with this rank. (Values pass through registers and order no memory on their own; here
  /// the tile synchronises.)
  template <class T>
  SIMT_INLINE T shfl(T value, int rank, SIMT_CALLER) const {
    return exchange(
        value, [&](unsigned long bits) __attribute__((always_inline)) {
          __simt_tile_put(bits);
          sync(simt_file, simt_line);
          const unsigned long got = __simt_tile_get(first() + static_cast<unsigned>(rank) % Size);
          sync(simt_file, simt_line);
          return got;
        });
  }
  SIMT_INLINE int any(int predicate, SIMT_CALLER) const {
    __simt_tile_put(predicate != 0);
    sync(simt_file, simt_line);
    int found = 0;
    for (unsigned rank = 0; rank < members(); ++rank) found |= __simt_tile_get(first() + rank) != 0;
    sync(simt_file, simt_line);
    return found;
  }
  SIMT_INLINE int all(int predicate, SIMT_CALLER) const { return !any(!predicate, simt_file, simt_line); }

  /// The tile's threads that exist, and the first of them in the block. (Not part of CUDA's interface.)
  SIMT_INLINE static unsigned first() { return thread_block::thread_rank() / Size * Size; }
  SIMT_INLINE static unsigned members() {
    const unsigned rest = thread_block::num_threads() - first();
    return rest < Size ? rest : Size;
  }

private:
  unsigned meta_rank_, meta_size_;
};

} // namespace detail

/// `Size` neighbouring threads of a block, a power of two.
template <unsigned Size, class Parent = void>
class thread_block_tile
    : public std::conditional_t<(Size > 32), detail::wide_tile<Size>, detail::narrow_tile<Size>> {
  using Base = std::conditional_t<(Size > 32), detail::wide_tile<Size>, detail::narrow_tile<Size>>;

public:
  using Base::Base;
  template <class Other>
  SIMT_INLINE thread_block_tile(const thread_block_tile<Size, Other>& other)
      : Base(static_cast<const Base&>(other)) {}
};

/// Any group whose kind is known at run time only.
class thread_group {
public:
  SIMT_INLINE thread_group(const thread_block&) : kind_(kind::block) {}
  SIMT_INLINE thread_group(const cluster_group&) : kind_(kind::cluster) {}
  SIMT_INLINE thread_group(const grid_group&) : kind_(kind::grid) {}
  SIMT_INLINE thread_group(const detail::lanes& group) : kind_(kind::lanes), mask_(group.simt_mask()) {}

  SIMT_INLINE void sync(SIMT_CALLER) const {
    switch (kind_) {
    case kind::block:
      return thread_block::sync(simt_file, simt_line);
    case kind::cluster:
      return cluster_group::sync(simt_file, simt_line);
    case kind::grid:
      return grid_group::sync(simt_file, simt_line);
    default:
      return __syncwarp(mask_, simt_file, simt_line);
    }
  }
  SIMT_INLINE unsigned long long thread_rank() const {
    switch (kind_) {
    case kind::block:
      return thread_block::thread_rank();
    case kind::cluster:
      return cluster_group::thread_rank();
    case kind::grid:
      return grid_group::thread_rank();
    default:
      return coalesced_group(mask_).thread_rank();
    }
  }
  SIMT_INLINE unsigned long long num_threads() const {
    switch (kind_) {
    case kind::block:
      return thread_block::num_threads();
    case kind::cluster:
      return cluster_group::num_threads();
    case kind::grid:
      return grid_group::num_threads();
    default:
      return coalesced_group(mask_).num_threads();
    }
  }
  SIMT_INLINE unsigned long long size() const { return num_threads(); }

  /// All lanes of the warp for groups of several warps. (Not part of CUDA's interface.)
  SIMT_INLINE unsigned simt_mask() const { return kind_ == kind::lanes ? mask_ : 0xffffffffu; }
  SIMT_INLINE bool simt_is_in_warp() const { return kind_ == kind::lanes; }

private:
  enum class kind { block, cluster, grid, lanes };
  kind kind_;
  unsigned mask_ = 0;
};

/// Tiles of a size that is known at compile time: of the block, or of a larger tile.
template <unsigned Size>
SIMT_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
  unsigned rank = thread_block::thread_rank(), threads = thread_block::num_threads();
  if constexpr (Size > 32) {
    return {rank / Size, (threads + Size - 1) / Size};
  } else {
    unsigned first = rank / Size * Size, members = threads - first < Size ? threads - first : Size;
    return {detail::low_lanes(members) << first % 32, rank / Size, (threads + Size - 1) / Size};
  }
}
template <unsigned Size, unsigned ParentSize, class Grandparent>
SIMT_INLINE thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>>
tiled_partition(const thread_block_tile<ParentSize, Grandparent>& parent) {
  static_assert(Size <= ParentSize, "a tile cannot be larger than the tile it is a part of");
  if constexpr (Size > 32) {
    return {parent.thread_rank() / Size, ParentSize / Size};
  } else if constexpr (ParentSize > 32) {
    const thread_block_tile<Size, thread_block> own = tiled_partition<Size>(thread_block());
    return {own.simt_mask(), parent.thread_rank() / Size, ParentSize / Size};
  } else {
    unsigned tile = detail::lane() / Size;
    return {parent.simt_mask() & detail::low_lanes(Size) << tile * Size, parent.thread_rank() / Size,
            ParentSize / Size};
  }
}

namespace detail {

/// The part of a group that holds the calling thread, where every `size` members in the order of their ranks
/// form one.
SIMT_INLINE coalesced_group part_of(unsigned mask, unsigned size) {
  coalesced_group whole(mask);
  unsigned part = whole.thread_rank() / size, members = 0;
  for (unsigned rank = part * size; rank < (part + 1) * size && rank < whole.size(); ++rank)
    members |= 1u << lane_of_rank(mask, rank);
  return coalesced_group(members, part, (whole.size() + size - 1) / size);
}

} // namespace detail

/// Tiles of a size that is known at run time only, up to 32.
SIMT_INLINE thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (parent.simt_is_in_warp()) return detail::part_of(parent.simt_mask(), size);
  unsigned rank = thread_block::thread_rank(), threads = thread_block::num_threads();
  unsigned first = rank / 32 * 32, lanes = threads - first < 32 ? threads - first : 32;
  return detail::part_of(detail::low_lanes(lanes), size);
}
SIMT_INLINE coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  return detail::part_of(parent.simt_mask(), size);
}

/// The members of a tile or coalesced group that give the same label.
template <class Group, class Label>
SIMT_INLINE coalesced_group labeled_partition(const Group& group, Label label, SIMT_CALLER) {
  static_assert(std::is_base_of_v<detail::lanes, Group>, "labeled_partition divides groups within a warp");
  static_assert(std::is_integral_v<Label>, "a label is an integer");
  using Bits = std::conditional_t<sizeof(Label) == 8, unsigned long long, unsigned>;
  return coalesced_group(__match_any_sync(group.simt_mask(), static_cast<Bits>(label), simt_file, simt_line));
}
template <class Group>
SIMT_INLINE coalesced_group binary_partition(const Group& group, bool predicate, SIMT_CALLER) {
  static_assert(std::is_base_of_v<detail::lanes, Group>, "binary_partition divides groups within a warp");
  unsigned voted = __ballot_sync(group.simt_mask(), predicate, simt_file, simt_line);
  return coalesced_group(predicate ? voted : group.simt_mask() & ~voted);
}

} // namespace cooperative_groups

#endif
