// Matrices that the lanes of a warp hold together (wmma): loads, stores, products.
//
// Which lane holds what is as the PTX ISA documents it for mma.sync. Lane 4g + t works on row g of each 8 by 8 tile of an
// accumulator, and holds its columns 2t and 2t + 1; on row g of each tile of a, and column g of each tile of b, which are as
// deep as four lanes have registers of 4 bytes for, or of 8 bytes for double.
#include "simt/diagnostics/diagnose.hpp"
#include "simt/runtime/machine/call_site.hpp"
#include "simt/runtime/memory/memory_access.hpp"
#include "simt/runtime/schedule/control.hpp"
#include "simt/runtime/schedule/warp_sync.hpp"
#include "simt_shim/small_float_bits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace simt;

namespace {

constexpr unsigned most_elements = 512; ///< of a matrix: 32 by 16

unsigned size_of(simt_matrix_type type) {
  switch (type) {
  case simt_int8:
  case simt_uint8:
    return 1;
  case simt_half:
  case simt_bfloat16:
    return 2;
  case simt_double:
    return 8;
  default:
    return 4;
  }
}

unsigned elements_of(const simt_fragment& fragment) { return fragment.rows * fragment.columns; }

/// Whether the product is computed as that of the transposed matrices, so that lanes hold pairs of rows of its accumulators:
/// tensor cores have no shape of 8 by 32.
bool is_transposed(const simt_fragment& fragment) {
  return fragment.use == simt_accumulator && fragment.rows == 8 && fragment.columns == 32;
}

struct MatrixPlace {
  unsigned row = 0, column = 0;
};

/// Where the element x[index] of the lane's fragment stands in the matrix.
MatrixPlace place_in_matrix(const simt_fragment& fragment, unsigned lane, unsigned index) {
  const unsigned group = lane / 4, member = lane % 4;
  if (is_transposed(fragment)) return {2 * member + index % 2, index / 2 * 8 + group};
  if (fragment.use == simt_accumulator) {
    const unsigned tiles = fragment.rows / 8, tile = index / 2;
    return {tile % tiles * 8 + group, tile / tiles * 8 + 2 * member + index % 2};
  }
  const unsigned packed = std::max(1u, 4 / size_of(fragment.type)), depth = 4 * packed;
  const unsigned tile = index / packed, inner = member * packed + index % packed;
  if (fragment.use == simt_matrix_a) {
    const unsigned tiles = fragment.rows / 8;
    return {tile % tiles * 8 + group, tile / tiles * depth + inner};
  }
  const unsigned tiles = fragment.rows / depth;
  return {tile % tiles * depth + inner, tile / tiles * 8 + group};
}

/// How the lanes share the accesses to a matrix in memory, as an H200 does (see the golden table). Elements move between memory
/// and the lane that holds them, as many at once as the lane has side by side in a register and in memory. Only those of 2
/// bytes move along the lines of memory in any case: if the fragment lies across the lines, lanes exchange them.
class MatrixAccesses {
public:
  MatrixAccesses(const simt_fragment& fragment, bool by_columns)
      : fragment_(fragment), by_columns_(by_columns), is_direct_(size_of(fragment.type) != 2),
        length_(by_columns ? fragment.rows : fragment.columns) {
    const bool is_accumulator = fragment.use == simt_accumulator;
    if (is_direct_) {
      const bool is_along =
          by_columns == (is_accumulator ? is_transposed(fragment) : fragment.use == simt_matrix_b);
      width_ = !is_along ? 1 : is_accumulator ? 2 : std::max(1u, 4 / size_of(fragment.type));
    } else {
      const unsigned lines = elements_of(fragment) / length_;
      lines_per_tile_ = std::min(8u, lines);
      lanes_per_line_ = lanes_per_warp / lines_per_tile_;
      width_ = std::min(is_accumulator ? 2 : 4 / size_of(fragment.type), length_ / lanes_per_line_);
      tiles_down_ = lines / lines_per_tile_;
    }
    count_ = elements_of(fragment) / width_ / lanes_per_warp;
  }
  unsigned count() const { return count_; }   ///< of a lane's accesses
  unsigned width() const { return width_; }   ///< of one, in elements
  unsigned length() const { return length_; } ///< of a line
  /// The line, and the first element there, of a lane's access.
  MatrixPlace at(unsigned lane, unsigned number) const {
    if (is_direct_) {
      const MatrixPlace held = place_in_matrix(fragment_, lane, number * width_);
      return by_columns_ ? MatrixPlace{held.column, held.row} : held;
    }
    return {number % tiles_down_ * lines_per_tile_ + lane / lanes_per_line_,
            (number / tiles_down_ * lanes_per_line_ + lane % lanes_per_line_) * width_};
  }

private:
  const simt_fragment& fragment_;
  bool by_columns_, is_direct_;
  unsigned length_, lines_per_tile_ = 0, lanes_per_line_ = 0, width_ = 0, tiles_down_ = 0, count_ = 0;
};

/// One lane's part of a load or a store. The whole matrix passes through `image`, line by line, in the element's own bytes.
struct MatrixTransfer : MatrixWait {
  const simt_fragment* fragment = nullptr;
  bool by_columns = false;
  alignas(
      16) unsigned char part[most_elements / lanes_per_warp * 8] = {}; ///< what the lane's own accesses carry
};

class MatrixImage {
public:
  MatrixImage(const simt_fragment& fragment, bool by_columns)
      : accesses_(fragment, by_columns), size_(size_of(fragment.type)), by_columns_(by_columns) {}
  unsigned char* of_fragment(const simt_fragment& fragment, unsigned lane, unsigned index) {
    const MatrixPlace at = place_in_matrix(fragment, lane, index);
    return by_columns_ ? byte(at.column, at.row) : byte(at.row, at.column);
  }
  unsigned char* of_access(unsigned lane, unsigned number) {
    const MatrixPlace at = accesses_.at(lane, number);
    return byte(at.row, at.column);
  }
  unsigned count() const { return accesses_.count(); }
  unsigned access_bytes() const { return accesses_.width() * size_; }

private:
  unsigned char* byte(unsigned line, unsigned inner) {
    return bytes_ + (line * accesses_.length() + inner) * size_;
  }
  MatrixAccesses accesses_;
  unsigned size_;
  bool by_columns_;
  unsigned char bytes_[most_elements * 8];
};

unsigned char* element(const simt_fragment& fragment, unsigned index) {
  return static_cast<unsigned char*>(fragment.x) + index * size_of(fragment.type);
}

void complete_load(MatrixWait* const* lanes) {
  const auto& first = *static_cast<const MatrixTransfer*>(lanes[0]);
  MatrixImage image(*first.fragment, first.by_columns);
  const unsigned bytes = image.access_bytes();
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
    for (unsigned i = 0; i < image.count(); ++i)
      std::memcpy(image.of_access(lane, i), static_cast<MatrixTransfer*>(lanes[lane])->part + i * bytes,
                  bytes);
  const unsigned own = elements_of(*first.fragment) / lanes_per_warp;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    const simt_fragment& fragment = *static_cast<MatrixTransfer*>(lanes[lane])->fragment;
    for (unsigned i = 0; i < fragment.elements; ++i)
      std::memcpy(element(fragment, i), image.of_fragment(fragment, lane, i % own), size_of(fragment.type));
  }
}

void complete_store(MatrixWait* const* lanes) {
  const auto& first = *static_cast<const MatrixTransfer*>(lanes[0]);
  MatrixImage image(*first.fragment, first.by_columns);
  const unsigned bytes = image.access_bytes(), own = elements_of(*first.fragment) / lanes_per_warp;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    const simt_fragment& fragment = *static_cast<MatrixTransfer*>(lanes[lane])->fragment;
    for (unsigned i = 0; i < own; ++i)
      std::memcpy(image.of_fragment(fragment, lane, i), element(fragment, i), size_of(fragment.type));
  }
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
    for (unsigned i = 0; i < image.count(); ++i)
      std::memcpy(static_cast<MatrixTransfer*>(lanes[lane])->part + i * bytes, image.of_access(lane, i),
                  bytes);
}

template <Access Kind>
void access_part(std::uintptr_t address, unsigned bytes, std::uintptr_t site, unsigned part) {
  switch (bytes) {
  case 1:
    return access_memory<1, Kind, true>(address, site, part);
  case 2:
    return access_memory<2, Kind, true>(address, site, part);
  case 4:
    return access_memory<4, Kind, true>(address, site, part);
  case 8:
    return access_memory<8, Kind, true>(address, site, part);
  default:
    return access_memory<16, Kind, true>(address, site, part);
  }
}

/// The lane's own accesses to memory, between `memory` and `part`.
template <Access Kind>
void access_lines(std::uintptr_t memory, const simt_fragment& fragment, unsigned stride, bool by_columns,
                  unsigned char* part, std::uintptr_t site) {
  const unsigned size = size_of(fragment.type);
  // Every line begins at a multiple of what a lane holds, says PTX, and not of more than 16 bytes, says the programming guide.
  const unsigned alignment = std::min(16u, elements_of(fragment) / lanes_per_warp * size);
  const std::uintptr_t second = memory + std::uint64_t{stride} * size;
  if (memory % alignment != 0 || second % alignment != 0)
    report_access({"misaligned-access", "matrix"}, memory % alignment != 0 ? memory : second, alignment, Kind,
                  site);
  const MatrixAccesses accesses(fragment, by_columns);
  const unsigned bytes = accesses.width() * size, lane = machine.lane->thread % lanes_per_warp;
  for (unsigned i = 0; i < accesses.count(); ++i, part += bytes) {
    const MatrixPlace at = accesses.at(lane, i);
    const std::uintptr_t address = memory + (std::uint64_t{at.row} * stride + at.column) * size;
    access_part<Kind>(address, bytes, site, i);
    if constexpr (Kind == Access::read)
      std::memcpy(part, reinterpret_cast<const void*>(address), bytes);
    else
      std::memcpy(reinterpret_cast<void*>(address), part, bytes);
  }
}

void wait_for_lanes(MatrixWait& own, const char* file, int line) {
  __simt_warp_exchange(simt_warp_matrix, ~0u, reinterpret_cast<std::uint64_t>(&own), 0, lanes_per_warp, file,
                       line);
}

struct MatrixProduct : MatrixWait {
  const simt_fragment *d, *a, *b, *c;
  bool saturated;
};

double number_at(const simt_fragment& fragment, unsigned index) {
  const unsigned char* at = element(fragment, index);
  const auto as = [&]<class T>(T) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (fragment.type) {
  case simt_half:
    return static_cast<double>(half_bits::to_float(as(std::uint16_t())));
  case simt_bfloat16:
    return static_cast<double>(bfloat16_bits::to_float(as(std::uint16_t())));
  case simt_tf32: // the lowest 13 bits are not looked at
    return static_cast<double>(__builtin_bit_cast(float, as(std::uint32_t()) & ~0x1fffu));
  case simt_float:
    return static_cast<double>(as(float()));
  case simt_double:
    return as(double());
  case simt_int8:
    return as(std::int8_t());
  case simt_uint8:
    return as(std::uint8_t());
  case simt_int32:
    return as(std::int32_t());
  }
  return 0;
}

void set_number(const simt_fragment& fragment, unsigned index, double value, bool saturated) {
  const auto put = [&](auto number) { std::memcpy(element(fragment, index), &number, sizeof number); };
  switch (fragment.type) {
  case simt_half:
    return put(half_bits::from_double(value));
  case simt_float:
    return put(static_cast<float>(value));
  case simt_double:
    return put(value);
  default: {
    constexpr double most = std::numeric_limits<std::int32_t>::max(), least = -most - 1;
    const double kept = saturated ? std::clamp(value, least, most) : value;
    return put(static_cast<std::int32_t>(static_cast<std::int64_t>(kept)));
  }
  }
}

/// A matrix by rows.
class MatrixNumbers {
public:
  explicit MatrixNumbers(unsigned columns) : columns_(columns) {}
  double& operator[](MatrixPlace at) { return values_[at.row * columns_ + at.column]; }
  template <class FragmentOf>
  void gather(const FragmentOf& fragment_of) {
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
      const simt_fragment& fragment = fragment_of(lane);
      for (unsigned i = 0; i < elements_of(fragment) / lanes_per_warp; ++i)
        (*this)[place_in_matrix(fragment, lane, i)] = number_at(fragment, i);
    }
  }

private:
  unsigned columns_;
  double values_[most_elements];
};

/// Products of two numbers of at most 16 bits are exact in double, and so mostly is their sum, which is rounded to the result's
/// type at the end. Sums of double are rounded at each step, in the order of the inner index.
void complete_product(MatrixWait* const* lanes) {
  const auto of = [&](unsigned lane) -> const MatrixProduct& {
    return *static_cast<const MatrixProduct*>(lanes[lane]);
  };
  const MatrixProduct& first = of(0);
  const unsigned depth = first.a->columns;
  MatrixNumbers a(depth), b(first.b->columns), c(first.c->columns);
  a.gather([&](unsigned lane) -> const simt_fragment& { return *of(lane).a; });
  b.gather([&](unsigned lane) -> const simt_fragment& { return *of(lane).b; });
  c.gather([&](unsigned lane) -> const simt_fragment& { return *of(lane).c; });
  const bool is_double = first.a->type == simt_double;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    const simt_fragment& d = *of(lane).d;
    for (unsigned i = 0; i < d.elements; ++i) {
      const MatrixPlace at = place_in_matrix(d, lane, i);
      double sum = c[at];
      if (is_double)
        for (unsigned k = 0; k < depth; ++k) sum = std::fma(a[{at.row, k}], b[{k, at.column}], sum);
      else
        for (unsigned k = 0; k < depth; ++k) sum += a[{at.row, k}] * b[{k, at.column}];
      set_number(d, i, sum, first.saturated);
    }
  }
}

} // namespace

extern "C" {

void __simt_matrix_load(const simt_fragment* fragment, const void* from, unsigned stride, bool by_columns,
                        const char* file, int line) {
  require_kernel("nvcuda::wmma");
  MatrixTransfer transfer{{"load_matrix_sync()", complete_load}, fragment, by_columns};
  access_lines<Access::read>(reinterpret_cast<std::uintptr_t>(from), *fragment, stride, by_columns,
                             transfer.part, SIMT_SITE);
  wait_for_lanes(transfer, file, line);
}

void __simt_matrix_store(void* to, const simt_fragment* fragment, unsigned stride, bool by_columns,
                         const char* file, int line) {
  require_kernel("nvcuda::wmma");
  MatrixTransfer transfer{{"store_matrix_sync()", complete_store}, fragment, by_columns};
  wait_for_lanes(transfer, file, line);
  access_lines<Access::write>(reinterpret_cast<std::uintptr_t>(to), *fragment, stride, by_columns,
                              transfer.part, SIMT_SITE);
}

void __simt_matrix_multiply(const simt_fragment* d, const simt_fragment* a, const simt_fragment* b,
                            const simt_fragment* c, bool saturated, const char* file, int line) {
  require_kernel("nvcuda::wmma");
  MatrixProduct product{{"mma_sync()", complete_product}, d, a, b, c, saturated};
  wait_for_lanes(product, file, line);
}

} // extern "C"
