// The rubric of TODO(5): column_sums of a row-major matrix.

#include "rubric.hpp"

using namespace coalescing;

namespace {

struct Shape {
  std::size_t rows, cols;
};

std::string in_words(const Shape& shape) {
  return say("{rows:row}, {columns:column}", shape.rows, shape.cols);
}

/// The sums of all columns and what each may be off, in double: its own error is far below.
struct Reference {
  std::vector<double> sums;
  std::vector<double> tolerances;
};

/// rows - 1 additions of floats in any order err by at most gamma times the sum of absolute values, where
/// gamma = k u / (1 - k u), k = rows - 1, u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms,
/// chapter 4).
Reference reference(const std::vector<float>& matrix, const Shape& shape) {
  Reference result{std::vector<double>(shape.cols), std::vector<double>(shape.cols)};
  for (std::size_t r = 0; r < shape.rows; ++r) {
    for (std::size_t c = 0; c < shape.cols; ++c) {
      const auto value = static_cast<double>(matrix[r * shape.cols + c]);
      result.sums[c] += value;
      result.tolerances[c] += std::abs(value);
    }
  }
  const double ku = shape.rows == 0 ? 0 : static_cast<double>(shape.rows - 1) * 0x1p-24;
  for (double& tolerance : result.tolerances) tolerance *= ku / (1 - ku) + 0x1p-50;
  return result;
}

bool near(float value, double wanted, double tolerance) {
  return std::abs(static_cast<double>(value) - wanted) <= tolerance;
}

/// Mistakes that sum other elements: sums[c] is that of matrix[first + k * step] for k < count.
std::vector<Mistake<double>> mistakes_of(const std::vector<float>& matrix, const Shape& shape) {
  const std::size_t rows = shape.rows, cols = shape.cols;
  const auto along = [&matrix](std::size_t first, std::size_t step, std::size_t count) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t index = first + k * step;
      if (index < matrix.size()) sum += static_cast<double>(matrix[index]);
    }
    return sum;
  };
  if (rows < 2 || cols < 2) return {}; // too few to tell one from another
  return {
      {message("rows-summed"), [=](std::size_t c) { return along(c * cols, 1, cols); }, rows},
      {message("column-major"), [=](std::size_t c) { return along(c * rows, 1, rows); }},
      {message("row-length-mistaken"), [=](std::size_t c) { return along(c, rows, rows); }},
      {message("row-left-out", true), [=](std::size_t c) { return along(c + cols, cols, rows - 1); }},
      {message("row-left-out", false), [=](std::size_t c) { return along(c, cols, rows - 1); }},
      {message("only-last-row"), [=](std::size_t c) { return along(c + (rows - 1) * cols, cols, 1); }},
  };
}

/// Fails the item if the shape of wrong sums is known; returns if it is not.
void recognise(const Reply& reply, const std::vector<float>& matrix, const Shape& shape,
               const Reference& wanted) {
  const std::span<const float> sums = reply.values<float>(0);
  const std::size_t rows = shape.rows, cols = shape.cols;
  fail_if_made(
      mistakes_of(matrix, shape), cols,
      [&](std::size_t c, double sum) { return near(sums[c], sum, wanted.tolerances[c] + 1e-3); },
      [&](std::size_t c, double sum) { return std::abs(sum - wanted.sums[c]) <= wanted.tolerances[c]; },
      {in_words(shape)});
  const auto is_right = [&](std::size_t c) { return near(sums[c], wanted.sums[c], wanted.tolerances[c]); };
  const auto is_left = [&](std::size_t c) { return reply.unwritten(0, c); };
  if (const std::optional<LeftOut> left = left_out(cols, is_left, is_right);
      left && left->first + left->count == cols) {
    Failure why = failure_of(left->first == rows ? message("rows-bound-columns", rows)
                             : is_one_block(*left)
                                 ? message("block-index-missing/columns", cols, left->first)
                                 : message("tail-skipped/columns", cols, left->count == 1, left->count),
                             {in_words(shape), reply.in_call()});
    why.diagnoses.push_back("output-unwritten");
    fail(std::move(why));
  }
  const double off = rows == 0 || cols < 2 ? 0 : static_cast<double>(sums[0]) - wanted.sums[0];
  const auto slack = [&](std::size_t c) {
    return 2 * wanted.tolerances[c] + std::abs(off) * static_cast<double>(rows) * 0x1p-23;
  };
  if (std::abs(off) > 8 * slack(0) &&
      all_hold(cols, [&](std::size_t c) { return near(sums[c], wanted.sums[c] + off, slack(c)); }))
    fail(message("start-value", off > 0, rounded(std::abs(off))), {in_words(shape), reply.in_call()});
  std::size_t nan_count = 0;
  for (std::size_t c = 0; c < cols; ++c) nan_count += std::isnan(sums[c]) && !is_left(c) ? 1 : 0;
  if (nan_count == sums.size() && !sums.empty() && !std::isnan(wanted.sums[0]))
    fail(message("sums-not-initialised"), {in_words(shape)});
  std::vector<WrongElement> wrong;
  for (std::size_t c = 0; c < cols; ++c)
    if (!is_right(c)) wrong.push_back({c, sums[c], wanted.sums[c]});
  if (wrong.empty()) return;
  const std::size_t first = wrong.front().index;
  const bool is_near =
      std::ranges::all_of(wrong, [&](const WrongElement& e) { // an addition loses less than 1
        return std::abs(e.actual - e.wanted) < static_cast<double>(rows);
      });
  if (is_near && have_no_fractions(wrong))
    fail(message("fraction-lost", first, to_text(sums[first]),
                 to_text(static_cast<float>(wanted.sums[first]))),
         {in_words(shape)});
  const std::size_t low_bits = 12; // a float keeps 24, half precision 11
  for (std::size_t c = 0; c < cols; ++c) {
    const double scale = wanted.tolerances[c] / std::max(1.0, static_cast<double>(rows - 1)) * 0x1p24;
    if (!near(sums[c], wanted.sums[c], scale / static_cast<double>(std::size_t{1} << (low_bits - 2)))) return;
  }
  if (rows < 2) return;
  fail(message("low-precision"),
       {say("sums[{index}] is {actual}, and {right} is right, within {tolerance}", first,
            to_text(sums[first]), to_text(wanted.sums[first]), to_text(wanted.tolerances[first])),
        in_words(shape)});
}

/// Of a call that the simulator stopped: each sum belongs to one thread, so no order between threads is needed. Without
/// rows there is nothing to read.
void explain_columns(Failure& why, const Shape& shape) {
  const simt::Finding& found = *first_finding(why);
  if (found.id == "global-race" && found.participants.size() == 2)
    return retell(why, message("sum-shared", within_block(found)));
  if (found.id == "out-of-bounds" && shape.rows == 0) return retell(why, message("no-rows-to-read"));
  read_on(why, "Which way through a matrix?");
}

/// Sums the columns of `matrix` and requires them within the error of float additions.
Reply sum_and_check(const std::vector<float>& matrix, const Shape& shape, Schedule schedule) {
  const Reference wanted = reference(matrix, shape);
  const Sources column = [shape](BufferElement sum) {
    std::vector<BufferElement> elements;
    for (std::size_t r = 0; r < shape.rows; ++r) elements.push_back({1, r * shape.cols + sum.index});
    return elements;
  };
  const auto call = [&] {
    return explaining(
        [&] {
          return submission().call(CallOptions{.schedule = schedule, .sites = true, .sources = column},
                                   CONTRACT(column_sums), out<float>(shape.cols), in(matrix), shape.rows,
                                   shape.cols);
        },
        [&](Failure& why) { explain_columns(why, shape); });
  };
  const auto all_right = [&](const Reply& reply) {
    const std::span<const float> sums = reply.values<float>(0);
    for (std::size_t c = 0; c < shape.cols; ++c) {
      if (!near(sums[c], wanted.sums[c], wanted.tolerances[c])) return false;
    }
    return true;
  };
  return checked(shape.rows * shape.cols, call, all_right, [&](const Reply& reply) {
    const Rule about = about_wrong(reply, 0, [&, sums = reply.values<float>(0)](std::size_t c) {
      return near(sums[c], wanted.sums[c], wanted.tolerances[c]);
    });
    if (shape.rows == 0 && reply.unwritten(0, 0))
      fail(message("no-rows-no-sums"), {in_words(shape), reply.in_call()});
    recognise(reply, matrix, shape, wanted);
    expect_near<float>(reply, 0, wanted.sums, [&](std::size_t c) { return wanted.tolerances[c]; });
  });
}
Reply sum_and_check(const Shape& shape, Schedule schedule) {
  return sum_and_check(random_values<float>(shape.rows * shape.cols), shape, schedule);
}

/// A matrix of more elements than 32 bits count, element i of which is i times a constant: the sums are known.
void check_far_rows() {
  const Shape shape{4100, std::size_t{1} << 20};
  if (!has_room_for(shape.rows * shape.cols * sizeof(float))) return;
  const double factor = 0x1p-32;
  const auto rows = static_cast<double>(shape.rows), cols = static_cast<double>(shape.cols);
  const Reply reply = submission().call(
      CallOptions{.timeout = std::chrono::seconds(60)}, CONTRACT(column_sums), out<float>(shape.cols),
      generated<float>(shape.rows * shape.cols, sequence(0, factor), 1), shape.rows, shape.cols);
  const std::span<const float> sums = reply.values<float>(0);
  for (std::size_t c = 0; c < shape.cols; ++c) {
    const double wanted = factor * (cols * rows * (rows - 1) / 2 + rows * static_cast<double>(c));
    const double tolerance =
        wanted * rows * 0x1p-24; // of rows - 1 additions, and of every element's own rounding
    if (near(sums[c], wanted, tolerance)) continue;
    fail(message("index-overflow/rows", c, to_text(sums[c]), to_text(wanted), to_text(tolerance)),
         {in_words(shape), reply.in_call()});
  }
}

/// Values that cancel to little in every column: a float keeps what the bound allows, a half does not.
std::vector<float> cancelling_values() { return {1e6F, -1e6F, 1 / 3.0F, -1e6F, 1e6F, -1.0F, 1e-3F}; }

constexpr Shape counted_shape{256, 512};
constexpr std::size_t counted_elements = counted_shape.rows * counted_shape.cols;

Reply counted_sums(Schedule schedule) { return sum_and_check(counted_shape, schedule); }

} // namespace

TEST_CASE("column_sums sums the columns of a row-major matrix" * points(3) * tests("column_sums") * todo(5)) {
  check_and_shrink(601, {1, 2, 3, 31, 32, 33, 255, 256, 257}, [](std::size_t cols) {
    sum_and_check({67, cols}, schedules().front());
  });
  check_and_shrink(257, {1, 2, 3, 31, 32, 33, 255, 256}, [](std::size_t rows) {
    sum_and_check({rows, 40}, schedules().front());
  });
  for (const Schedule schedule : schedules()) {
    for (const std::size_t rows : sizes(257)) {
      for (const std::size_t cols : {1, 31, 33, 256}) sum_and_check({rows, cols}, schedule);
    }
    sum_and_check({5, 0}, schedule);
    sum_and_check({0, 257}, schedule);
  }
  const Shape some{97, 61};
  for (const std::vector<float>& input :
       special_inputs(random_values<float>(some.rows * some.cols), cancelling_values()))
    sum_and_check(input, some, schedules().front());
  // More columns than the largest block has threads; so few, that a block for each is not too much for the simulator.
  sum_and_check({3, 1201}, schedules().back());
  sum_and_check({large / 30, 3}, schedules().back());
  if (submission().backend() == Backend::cuda) {
    sum_and_check({std::size_t{1} << 20, 7}, schedules().front());
    sum_and_check({9, std::size_t{1} << 20}, schedules().front());
    check_far_rows();
  }
}

TEST_CASE("column_sums reads the matrix coalesced and once" * points(2) * tests("column_sums") * todo(5) *
          sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_sums(schedule);
    judge(reply, reading,
          matrix_need(counted_elements, say("4 when 32 neighbouring lanes are on 32 neighbouring floats")));
  }
  // Rows of an odd length begin anywhere: a request of narrow pieces of two rows touches one sector more in each.
  constexpr Shape odd{counted_shape.rows / 4, with_odd_end(counted_shape.cols)};
  Need need = matrix_need(odd.rows * odd.cols,
                          say("4 or 5 when 32 neighbouring lanes are on 32 neighbouring floats"));
  need.section = Need{}.section;
  need.length = "cols";
  judge(sum_and_check(odd, schedules().front()), reading,
        with_tail(need, odd.cols, counted_shape.cols, need.least_bytes / 32));
}

TEST_CASE("column_sums keeps its running sums out of global memory" * points(1) * tests("column_sums") *
          todo(5) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_sums(schedule);
    const simt::Counters& c = reply.counters();
    const std::uint64_t writes = c.global_store_lanes + c.global_atomic_lanes;
    if (writes * 8 > counted_elements)
      fail(c.global_atomic_lanes * 8 > counted_elements
               ? message("atomics-not-needed", writes, counted_shape.cols)
               : message("sum-in-global-memory", writes, counted_shape.cols),
           {in_words(counted_shape)});
    tell_measured(say("written"), say("{count:value} for {columns:column}", writes, counted_shape.cols));
  }
}
