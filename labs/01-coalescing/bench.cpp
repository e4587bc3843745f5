// The sweeps of lab 01: offset_add against the offset, stride_add against the stride, and the other functions
// at one size, for every submission that has them. On the simulator: sectors per request. On a GPU: effective
// bandwidth in GB/s (10^9 bytes), counting only the bytes that the task has to read and write, with its ratio
// to a plain copy measured beside it. Every output is checked before its time or counter is believed (bench/sweep.hpp).

#include <algorithm>
#include <string>
#include <vector>

#include "bench/sweep.hpp"
#include "call/generate.hpp"
#include "needs.hpp"

using namespace coalescing;

namespace {

constexpr std::size_t sim_elements = 1 << 16;
constexpr std::size_t most_offset = 32;
constexpr std::size_t most_stride = 32;
constexpr std::uint64_t seed = 1;
const Distribution values = uniform(-1, 1);
const Distribution whole = whole_numbers(-1000, 1000);
/// Below 2^24 in all: every order of addition gives the exact sum.
const Distribution small = whole_numbers(-8, 8);

/// The exact column sums of the generated matrix; made once, they are the same for every submission.
std::vector<float> exact_column_sums(std::size_t rows, std::size_t cols) {
  constexpr std::size_t columns_of_a_piece = 16;
  std::vector<float> sums(cols);
  for_each_piece(
      cols,
      [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t c = first; c < last; ++c) {
          double sum = 0;
          for (std::size_t r = 0; r < rows; ++r)
            sum += static_cast<double>(generated_element<float>(small, seed, r * cols + c));
          sums[c] = static_cast<float>(sum);
        }
      },
      columns_of_a_piece);
  return sums;
}

/// A point with its own columns, at which reading and writing need so much, and a copy moves `size` floats. Atomics are a
/// matter of choice.
Spot spot(std::vector<Cell> cells, const Need& read, const Need& written, std::size_t size) {
  constexpr Way atomic = {simt::traffic_of(simt::Space::global, simt::Access::atomic), ""};
  const auto sectors = [](const std::string& kind, const Way& way) {
    return per_request("sectors_per_request_" + kind, "sectors", " sectors per " + kind + " request", way);
  };
  const auto needing = [](Metric metric, const Way& way, const Need& need) {
    return with_taught(with_least_cost(std::move(metric), way, need.least_sectors), [=](const Reply& reply) {
      return per(need.most_sectors, reply.counters().*way.requests);
    });
  };
  return {.cells = std::move(cells),
          .counted = {needing(sectors("load", reading), reading, read),
                      needing(sectors("store", writing), writing, written), sectors("atomic", atomic)},
          .timed = against(Yardstick::copy, "effective_bandwidth", "GB/s",
                           static_cast<double>(read.least_bytes + written.least_bytes)),
          .beside = std::pair{Yardstick::copy, 8 * size}};
}
Spot spot(std::vector<Cell> cells, const Need& need, std::size_t size) {
  return spot(std::move(cells), need, need, size);
}

template <typename T, typename F>
void add_offsets(Sweep& sweep, F function, const char* precision, std::size_t n) {
  for (std::size_t offset = 0; offset <= most_offset; ++offset) {
    const auto added = samples_are(0, [=](std::size_t i) {
      const T old = generated_element<T>(values, seed, i);
      return i < offset ? old : old + T{1};
    });
    Need need = offset_need<T>({.n = n, .offset = offset});
    if (offset * sizeof(T) % 32 != 0) need.most_sectors += need.most_requests; // one more for each
    sweep.add(calling(function, added, generated<T>(offset + n, values, seed).sampled(), n, offset),
              spot({precision, offset, 1, n}, need, n));
  }
}

/// The array stays as long as it is, so that larger strides touch fewer of its elements, not more memory.
template <typename T, typename F>
void add_strides(Sweep& sweep, F function, const char* precision, std::size_t size) {
  for (std::size_t stride = 1; stride <= most_stride; ++stride) {
    const std::size_t n = std::max<std::size_t>(size / stride, 1);
    const auto added = samples_are(0, [=](std::size_t i) {
      const T old = generated_element<T>(values, seed, i);
      return i % stride != 0 ? old : old + T{1};
    });
    sweep.add(calling(function, added, generated<T>(n * stride, values, seed).sampled(), n, stride),
              spot({precision, 0, stride, n}, stride_need<T>({.n = n, .stride = stride}), size));
  }
}

/// At every distance of two elements from which on each has a sector of its own. The columns count it in floats.
void add_sectors(Sweep& sweep, std::size_t size) {
  constexpr std::size_t floats_per_sector = 8, bytes_there_and_back = 2 * 32;
  for (std::size_t distance = floats_per_sector; distance <= 2 * most_stride; ++distance) {
    if (distance > most_stride && distance % 2 != 0) continue; // of no stride of doubles
    const std::size_t n = std::max<std::size_t>(size / distance, 1);
    const auto seconds = [=](Yardsticks& yardsticks, const CallOptions& timed) {
      return yardsticks.seconds_of_sectors(n, distance, timed);
    };
    sweep.add_yardstick("sectors", seconds, bytes_there_and_back * n, {"f32", 0, distance, n},
                        ", " + std::to_string(sizeof(float) * distance) + " bytes apart");
  }
}

void add_copy(Sweep& sweep, std::size_t n) {
  const auto copied = samples_are(0, [](std::size_t i) { return generated_element<float>(values, seed, i); });
  sweep.add(calling(CONTRACT(copy_vectorized), copied, poisoned<float>(n).sampled(),
                    generated<float>(n, values, seed).sampled(), n),
            spot({"f32", 0, 1, n}, vector_need(n, 0), n));
}

void add_particles(Sweep& sweep, std::size_t size) {
  const std::size_t n = std::max<std::size_t>(size / 8, 1);
  constexpr float dt = 0.5f; // whole numbers and halves: no rounding, fused or not
  const auto advanced = [](const Reply& reply) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      expect_samples<float>(reply, axis, [&](std::size_t i) {
        return generated_element<float>(whole, seed, 8 * i + axis) +
               dt * generated_element<float>(whole, seed, 8 * i + 4 + axis);
      });
    }
  };
  const auto position = poisoned<float>(n).sampled();
  sweep.add(calling(CONTRACT(advance_particles), advanced, position, position, position,
                    generated<Particle, float>(n, whole, seed).sampled(), n, dt),
            spot({"f32", 0, 1, n}, particles_need(n), positions_need(n), size));
}

void add_sums(Sweep& sweep, std::size_t size) {
  std::size_t rows = 1;
  while (4 * rows * rows <= size) rows *= 2;
  const std::size_t cols = size / rows;
  const auto exact = [sums = exact_column_sums(rows, cols)](const Reply& reply) {
    expect_equal(reply, 0, sums);
  };
  Spot sums_spot = spot({"f32", 0, 1, rows * cols}, matrix_need(rows * cols, ""),
                        need_once(cols * sizeof(float), sectors_between(0, cols * sizeof(float)), ""), size);
  // One point for each submission, whose times differ by more than its last step is away from the target.
  sums_spot.how = [&sweep](const Measured&) -> Plan::Point::How {
    const int usual = sweep.options().repetitions,
              often = usual == 1 ? 1 : 4 * usual; // 1: a profiler wants one call
    return {timed_call(often, often), sweep.options().rounds};
  };
  sweep.add(calling(CONTRACT(column_sums), exact, poisoned<float>(cols).returned(),
                    generated<float>(rows * cols, small, seed).sampled(), rows, cols),
            std::move(sums_spot));
}

void measure(Sweep& sweep) {
  const std::size_t size = sweep.elements(sim_elements, sizeof(float)), bytes = 8 * size;
  for (const Yardstick yardstick : {Yardstick::copy, Yardstick::memcpy, Yardstick::read})
    sweep.add_yardstick(yardstick, bytes, {"f32", 0, 1, bytes / (yardstick == Yardstick::read ? 4 : 8)});
  add_sectors(sweep, size);
  if (sweep.wanted(Precision::f32)) {
    add_offsets<float>(sweep, CONTRACT(offset_add_f32), "f32", size);
    add_strides<float>(sweep, CONTRACT(stride_add_f32), "f32", size);
  }
  if (sweep.wanted(Precision::f64)) {
    add_offsets<double>(sweep, CONTRACT(offset_add_f64), "f64", size);
    add_strides<double>(sweep, CONTRACT(stride_add_f64), "f64", size);
  }
  if (sweep.wanted(Precision::f32)) {
    add_copy(sweep, size);
    add_particles(sweep, size);
    add_sums(sweep, size);
  }
  sweep.run();
}

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, {contract_file, {"precision", "offset", "stride", "n"}}, measure);
}
