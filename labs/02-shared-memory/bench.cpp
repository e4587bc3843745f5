// The sweeps of lab 02: gather_strided against the stride for words of 4, 8 and 16 bytes, transpose against a copy,
// stencil against the radius, and the other two at one size, for every submission that has them. On the simulator:
// wavefronts per request of shared memory, and sectors per request of global memory. On a GPU: effective bandwidth in GB/s
// (10^9 bytes), counting every byte that the task has to read or write once, and its ratio to a plain copy of as many
// bytes. Every output is checked before its time or counter is believed (bench/sweep.hpp).

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "bench/sweep.hpp"
#include "call/generate.hpp"
#include "lab.hpp"

using namespace warpbook;

/// For comparisons of outputs.
static bool operator==(const Four& a, const Four& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

namespace {

constexpr std::size_t sim_elements = 1 << 15;
constexpr std::size_t most_stride = 32;
constexpr std::uint64_t seed = 1;
const Distribution values = uniform(-1, 1);
const Distribution small = whole_numbers(-8, 8);
const Distribution many = uniform(-1'000'000, 1'000'000);
const Distribution chars = uniform(-128, 127);

/// The smallest power of two whose square is at least `elements`.
std::size_t side_of(std::size_t elements) {
  std::size_t side = 32;
  while (side * side < elements) side *= 2;
  return side;
}

/// A point with its own columns, at which `bytes` have to be read and as many written.
Spot spot(std::vector<Cell> cells, std::size_t bytes) {
  const auto wavefronts = [](const std::string& metric, const Way& way) {
    return with_least(per_request(metric, "wavefronts", " " + metric, way),
                      [way](const Reply& reply) -> std::optional<double> { // without conflicts
                        return per(reply.counters().*way.ideal, reply.counters().*way.requests);
                      });
  };
  const auto sectors = [=](const std::string& metric, const Way& way) {
    return with_taught_neighbours(
        with_least_cost(per_request(metric, "sectors", " " + metric, way), way, sectors_between(0, bytes)),
        way);
  };
  return {.cells = std::move(cells),
          .counted = {wavefronts("wavefronts_per_shared_load", shared_reading),
                      wavefronts("wavefronts_per_shared_store", shared_writing),
                      sectors("sectors_per_global_load", reading),
                      sectors("sectors_per_global_store", writing)},
          .timed = against(Yardstick::copy, "effective_bandwidth", "GB/s", 2.0 * static_cast<double>(bytes)),
          .beside = std::pair{Yardstick::copy, 2 * bytes}};
}

void add_reverse(Sweep& sweep, std::size_t n) {
  const auto reversed = samples_are(0, [=](std::size_t i) {
    const std::size_t first = i / reverse_piece * reverse_piece;
    const std::size_t length = std::min(reverse_piece, n - first);
    return generated_element<int>(many, seed, first + length - 1 - (i - first));
  });
  sweep.add(calling(CONTRACT(reverse_blocks), reversed, generated<int>(n, many, seed).sampled(), n),
            spot({"i32", 1, 0, 1, n}, sizeof(int) * n));
}

/// Fewer elements than elsewhere: a radius of 4096 makes 8193 additions of each.
void add_radii(Sweep& sweep, std::size_t size) {
  const std::size_t n = sweep.is_sim() ? size / 8 : std::min<std::size_t>(size, std::size_t{1} << 24);
  for (const unsigned radius : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 256u, 1024u, 4096u}) {
    if (sweep.is_sim() && radius > 64) break;
    const auto summed = samples_are(0, [=](std::size_t i) {
      const std::size_t last = std::min<std::size_t>(n - 1, i + radius);
      float sum = 0; // whole numbers: every order of addition gives the exact sum
      for (std::size_t j = i < radius ? 0 : i - radius; j <= last; ++j)
        sum += generated_element<float>(small, seed, j);
      return sum;
    });
    sweep.add(calling(CONTRACT(stencil), summed, poisoned<float>(n).sampled(256),
                      generated<float>(n, small, seed).sampled(256), n, radius),
              spot({"f32", 1, radius, 1, n}, sizeof(float) * n));
  }
}

void add_arrays(Sweep& sweep, std::size_t size) {
  constexpr std::size_t numbers = 1024, letters = 4096, bytes_of_a_row = 8 * numbers + letters;
  const std::size_t rows = std::max<std::size_t>(size * sizeof(float) / bytes_of_a_row, 1);
  const auto reversed = [](const Reply& reply) {
    const auto other_end = [](std::size_t i, std::size_t length) {
      return i / length * length + length - 1 - i % length;
    };
    expect_samples<double>(reply, 0, [&](std::size_t i) {
      return generated_element<double>(values, seed, other_end(i, numbers));
    });
    expect_samples<char>(
        reply, 1, [&](std::size_t i) { return generated_element<char>(chars, seed, other_end(i, letters)); });
  };
  sweep.add(calling(CONTRACT(two_arrays), reversed, generated<double>(rows * numbers, values, seed).sampled(),
                    generated<char>(rows * letters, chars, seed).sampled(), rows, numbers, letters),
            spot({"f64", 1, 0, rows, numbers}, rows * bytes_of_a_row));
}

/// T is the word, V what it is made of. The arrays have the same bytes at every stride and for every word.
template <typename T, typename V, typename F>
void add_strides(Sweep& sweep, F function, const char* precision, std::size_t size) {
  constexpr std::size_t parts = sizeof(T) / sizeof(V);
  for (std::size_t stride = 1; stride <= most_stride; ++stride) {
    const std::size_t n = std::max<std::size_t>(size * sizeof(float) / sizeof(T) / stride / 256 * 256, 256);
    const auto gathered = samples_are(0, [=](std::size_t j) {
      const std::size_t from = (j % n * stride + j / n) * parts;
      T word;
      V made[parts];
      for (std::size_t p = 0; p < parts; ++p) made[p] = generated_element<V>(values, seed, from + p);
      std::memcpy(&word, made, sizeof word);
      return word;
    });
    sweep.add(calling(function, gathered, generated<T, V>(n * stride, constant(-1), 0).sampled(),
                      generated<T, V>(n * stride, values, seed).sampled(), n, stride),
              spot({precision, stride, 0, 1, n}, n * stride * sizeof(T)));
  }
}

/// A square of a power of two, and one whose rows begin anywhere.
void add_matrices(Sweep& sweep, std::size_t side) {
  for (const auto& [height, width] : {std::pair{side - 3, side + 5}, std::pair{side, side}}) {
    const std::size_t rows = height, cols = width, elements = rows * cols;
    const auto transposed = samples_are(
        0, [=](std::size_t i) { return generated_element<float>(values, seed, i % rows * cols + i / rows); });
    sweep.add(calling(CONTRACT(transpose), transposed, poisoned<float>(elements).sampled(),
                      generated<float>(elements, values, seed).sampled(), rows, cols),
              spot({"f32", 1, 0, rows, cols}, sizeof(float) * elements));
  }
}

void measure(Sweep& sweep) {
  const std::size_t size = sweep.elements(sim_elements, sizeof(float)), side = side_of(size);
  for (const Yardstick yardstick : {Yardstick::copy, Yardstick::memcpy})
    sweep.add_yardstick(yardstick, 8 * side * side, {"f32", 1, 0, side, side});
  if (side % 64 == 0) {
    const auto tiles = [=](Yardsticks& yardsticks, const CallOptions& timed) {
      return yardsticks.seconds_of_tiles(side, timed);
    };
    sweep.add_yardstick("tiles", tiles, 8 * side * side, {"f32", 1, 0, side, side});
  }
  add_reverse(sweep, size);
  add_radii(sweep, size);
  add_arrays(sweep, size);
  if (sweep.wanted(Precision::f32))
    add_strides<float, float>(sweep, CONTRACT(gather_strided_f32), "f32", size);
  if (sweep.wanted(Precision::f64))
    add_strides<double, double>(sweep, CONTRACT(gather_strided_f64), "f64", size);
  if (sweep.wanted(Precision::f32)) {
    add_strides<Four, float>(sweep, CONTRACT(gather_strided_f32x4), "f32x4", size);
    add_matrices(sweep, side);
  }
  sweep.run();
}

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, {contract_file, {"precision", "stride", "radius", "rows", "cols"}}, measure);
}
