// The rubric of TODO(8): transpose of any shape, coalesced on both sides, without bank conflicts.

#include "rubric.hpp"

using namespace shared_memory;

namespace transpose_rubric {

namespace {

const std::string section = "TODO(8): transpose a tile";
constexpr std::size_t side = 32; ///< of a tile

struct Shape {
  std::size_t rows, cols;
};

std::string in_words(const Shape& shape) {
  return say("{rows} rows, {columns} columns", shape.rows, shape.cols);
}

/// A NaN is a NaN, and 0 is -0: a transposition that multiplies by 1 on its way is one, too.
bool same_value(const float& a, const float& b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Mistakes that bring whole tiles, or all elements, elsewhere: out's element (c, r) is number c * rows + r.
std::vector<Mistake<Origin>> mistakes_of(const Shape& shape) {
  const std::size_t rows = shape.rows, cols = shape.cols;
  if (rows < 2 || cols < 2) return {};
  std::vector<Mistake<Origin>> list = {{message("copied"), [](std::size_t i) { return i; }}};
  for (const std::size_t tile : {16, 32, 64}) {
    if (rows != cols || rows % tile != 0 || rows == tile) continue;
    const auto from = [=](auto origin) { // `origin` of the element in row r and column c of the matrix
      return [=](std::size_t i) { return origin(i % rows, i / rows); };
    };
    list.push_back({message("tiles-not-moved"), from([=](std::size_t r, std::size_t c) {
                      return (c / tile * tile + r % tile) * cols + r / tile * tile + c % tile;
                    })});
    list.push_back({message("tile-not-turned"), from([=](std::size_t r, std::size_t c) {
                      return (r / tile * tile + c % tile) * cols + c / tile * tile + r % tile;
                    })});
  }
  return list;
}

/// Fails the item if elements that were never written lie in tiles that are not whole, and nowhere else.
void recognise_missing(const Reply& reply, const Shape& shape) {
  const std::size_t whole_rows = shape.rows / side * side, whole_cols = shape.cols / side * side;
  bool all = true;
  std::optional<Shape> first; // of those that are missing: row and column
  for (std::size_t i = 0; i < shape.rows * shape.cols; ++i) {
    const std::size_t r = i / shape.cols, c = i % shape.cols;
    const bool missing = reply.unwritten(0, c * shape.rows + r), at_edge = r >= whole_rows || c >= whole_cols;
    if (missing && !at_edge) return;
    if (missing && !first) first = {r, c};
    all = all && missing == at_edge;
  }
  if (!first || whole_rows == 0 || whole_cols == 0) return;
  fail_also(all ? message("edge-tiles-missing") : message("edge-tiles-incomplete", first->rows, first->cols),
            "output-unwritten", {in_words(shape), reply.in_call()});
}

/// "32 x 8", of a block.
std::string in_words(const std::array<unsigned, 3>& block) {
  std::string text = number(block[0]);
  for (const unsigned extent : {block[1], block[2]}) {
    if (extent != 1) text += " x " + number(extent);
  }
  return text;
}

/// Of a tile that is read where no thread has written: one column of it needs all of its rows. With a race it may as
/// well be that no barrier stands between the two lines at all, which the simulator tells. The simulator goes on
/// after such a read: if fewer elements have come into tiles than the matrix has, some never do, however the phases
/// are ordered.
void explain_order(Failure& why, const Shape& shape) {
  const bool unwritten = has_diagnosis(why, "uninitialised-read");
  if (!unwritten || !(is_about(why, "uninitialised-read") || is_about(why, "shared-race"))) return;
  simt::Symbolizer symbolizer;
  if (is_about(why, "shared-race") && !barrier_between(*first_finding(why), symbolizer)) return;
  const simt::Counters& c = submission().last_counters();
  const std::size_t brought = c.shared_store_bytes / sizeof(float), all = shape.rows * shape.cols;
  if (brought < all && c.shared_store_lanes > c.threads && submission().last_kernels().size() == 1) {
    retell(why, message("rows-left-out", in_words(submission().last_kernels().front().block)));
    add_cause(why, message("/brought", all, brought).sentence);
  } else {
    retell(why, message("taken-before-brought"));
  }
}

/// Whether the two threads of a race differ in x alone.
bool lanes_side_by_side(const simt::Finding& race) {
  const auto& one = race.participants.front().thread->thread;
  const auto& other = race.participants.back().thread->thread;
  return one[0] != other[0] && one[1] == other[1];
}

/// Calls transpose with these buffer arguments.
Reply call_transpose(const auto& out, const auto& in, const Shape& shape, Schedule schedule) {
  const auto explain = [](Failure& why) {
    const simt::Finding* finding = first_finding(why);
    if (is_about(why, "global-race") && finding->variable == "out") {
      const bool is_one_element = within_block(*finding) && lanes_side_by_side(*finding);
      advise(why, is_one_element ? message("row-of-out/one-element") : message("row-of-out"));
    } else if (is_about(why, "shared-race") && both_write(*finding)) {
      advise(why, message("tile-too-narrow"));
    }
  };
  return call_explained(
      {.section = section, .schedule = schedule, .shape = in_words(shape), .explain = explain},
      CONTRACT(transpose), out, in, shape.rows, shape.cols);
}

Reply transpose_and_check(const std::vector<float>& values, const Shape& shape, Schedule schedule) {
  const std::size_t rows = shape.rows, cols = shape.cols;
  Reply reply = call_transpose(out<float>(cols * rows), in(values), shape, schedule);
  const Moved<float> moved{reply, values, [=](std::size_t i) { return i % rows * cols + i / rows; },
                           same_value};
  const std::size_t wrong = moved.first_wrong();
  if (wrong == rows * cols) return reply;
  const Rule about = about_wrong(moved);
  if (rows * cols >= 4096) require_solved(reply);
  moved.fail_if_made(mistakes_of(shape), {in_words(shape)});
  recognise_missing(reply, shape);
  reading_on(section, [&] {
    moved.fail_wrong(wrong, say("element ({row}, {column}) of the matrix, ", wrong % rows, wrong / rows),
                     {in_words(shape)});
  });
  return reply;
}
/// The same with elements whose value tells their place: exact up to 2^24 of them.
Reply transpose_and_check(const Shape& shape, Schedule schedule) {
  return transpose_and_check(generated_values<float>(shape.rows * shape.cols, sequence(), 0), shape,
                             schedule);
}

/// A square matrix of more elements than 32 bits count. The last tile has one element, whatever power of two its side is; the
/// other one that can be read is where 32 bits find it.
void check_far_corner() {
  constexpr std::size_t far_side = (std::size_t{1} << 16) + (std::size_t{1} << 10) + 1,
                        all = far_side * far_side;
  constexpr std::size_t corner = all - 1, range = std::size_t{1} << 32;
  check_far_elements(
      CONTRACT(transpose), all, {corner, 1, 1}, {corner - range, range, 2},
      [](std::size_t i) { return i % far_side * far_side + i / far_side; }, "r * cols + c or c * rows + r",
      far_side, far_side);
}

/// As transpose_and_check(shape, …), of a large matrix whose numbers the runner makes.
void check_large(const Shape& shape) {
  const std::size_t rows = shape.rows, cols = shape.cols;
  const Reply reply =
      call_transpose(poisoned<float>(cols * rows).returned(),
                     generated<float>(rows * cols, sequence(), 0).returned(), shape, schedules().front());
  expect_everywhere<float>(
      reply, 0, [&](std::size_t i) { return static_cast<float>(i % rows * cols + i / rows); },
      [&] { transpose_and_check(shape, schedules().front()); });
}

/// Runs `check` on tiles that are not whole, when whole ones have come out right. Elements that are not there, or
/// that stand in others' places, come from bounds that a phase lacks, or of one phase in the other.
void at_edges(const std::function<void()>& check) {
  changing(check, [](Failure& why) {
    // `in` is read in the first phase, and `out` written in the second.
    const auto leaves = [&](simt::Access how) {
      return any_finding(why, [&](const simt::Finding& finding) {
        return finding.id == "out-of-bounds" && finding.space == simt::Space::global &&
               finding.participants.front().access == how;
      });
    };
    const bool reads = leaves(simt::Access::read), writes = leaves(simt::Access::write);
    if (is_about(why, "uninitialised-read") || is_about(why, "global-race"))
      retell(why, message("bounds-exchanged/whose"));
    else if (is_about(why, "out-of-bounds") && reads)
      add_known(why, message("first-phase-unbounded", writes));
    else if (is_about(why, "out-of-bounds") || is_about(why, "guard-damaged") ||
             (is_about(why, "wrong-result") && !has_diagnosis(why, "output-unwritten")))
      add_known(why, message("bounds-exchanged"));
  });
}

constexpr Shape counted_shape{128, 192};
constexpr std::size_t counted_bytes = counted_shape.rows * counted_shape.cols * sizeof(float);

/// Calls transpose on a shape of whole tiles.
Reply whole_call(const Shape& shape, Schedule schedule) {
  return changing([&] { return transpose_and_check(shape, schedule); },
                  [&](Failure& why) { explain_order(why, shape); });
}

Reply counted_call(Schedule schedule) { return whole_call(counted_shape, schedule); }

/// Runs `check` on the reply for a matrix whose last tiles are not whole, in either dimension, when whole tiles have
/// been found good. More than half of its elements lie in them.
constexpr Shape ragged_shape{81, 49};
constexpr std::size_t ragged_bytes = ragged_shape.rows * ragged_shape.cols * sizeof(float);
void count_at_edges(const std::function<void(const Reply&)>& check) {
  Reply reply;
  at_edges([&] { reply = transpose_and_check(ragged_shape, schedules().front()); });
  knowing(message("edge-tiles-apart", in_words(ragged_shape)), [&] { check(reply); });
}

/// Runs `check` on the reply for a matrix of whole tiles. Where other matrices come out wrong, "the result is right" is said
/// of whole tiles alone.
void count_in_whole_tiles(Schedule schedule, const std::function<void(const Reply&)>& check) {
  const Reply whole = counted_call(schedule);
  changing([&] { check(whole); },
           [](Failure& why) {
             const auto ragged = [] { return transpose_and_check(ragged_shape, schedules().front()); };
             if (!reply_if_any(ragged))
               add_known(why,
                         message("right-in-whole-tiles", in_words(counted_shape), in_words(ragged_shape)));
           });
}

/// The most sectors of a matrix with rows of `length` floats, of which few begin with a sector: each run of eight
/// is asked for by itself. A wider tile, a warp's 32 lanes as a rule, needs fewer; 8 floats fill a sector.
std::size_t ragged_sectors(std::size_t rows, std::size_t length) {
  constexpr std::size_t run = 32 / sizeof(float);
  std::size_t sectors = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t first = 0; first < length; first += run) {
      const std::size_t begin = row * length + first;
      const std::size_t last = row * length + std::min(first + run, length) - 1;
      sectors += last / run - begin / run + 1;
    }
  }
  return sectors;
}

/// What makes lanes meet in the banks of the tile. Where a row of the block has fewer threads than a warp, a warp has
/// several, and a row of the tile that is padded for its columns alone has conflicts along its rows.
Conflict tile_conflict(const Reply& reply, const Way& way) {
  constexpr unsigned lanes = 32;
  LabMessage why = message("/banks-of-a-column");
  if (reply.kernels().size() == 1) {
    const std::array<unsigned, 3>& block = reply.kernels().front().block;
    if (block[0] < lanes && lanes % block[0] == 0 && block[1] * block[2] >= lanes / block[0])
      why = message("warp-of-several-rows", in_words(block), lanes / block[0], way.reads());
  }
  return {.cause = why.id, .why = why.sentence, .section = why.section, .task = section};
}

} // namespace

TEST_CASE("transpose transposes a matrix of any shape" * points(3) * tests("transpose") * todo(8)) {
  whole_call({192, 192}, schedules().front());
  check_and_shrink(100, {1, 2, 3, 31, 32, 33, 63, 64, 65}, [](std::size_t side) {
    at_edges([&] { transpose_and_check({side, side}, schedules().front()); });
  });
  knowing(message("square-only"), [] {
    check_and_shrink(257, {1, 2, 3, 31, 32, 33, 255, 256}, [](std::size_t rows) {
      transpose_and_check({rows, 40}, schedules().front());
    });
    transpose_and_check({40, 257}, schedules().front());
  });
  for (const Schedule schedule : schedules()) {
    for (const std::size_t rows : sizes(127)) {
      for (const std::size_t cols : {1, 33, 64}) transpose_and_check({rows, cols}, schedule);
    }
    transpose_and_check({5, 0}, schedule);
    transpose_and_check({0, 257}, schedule);
  }
  const std::vector<float> delicate = {-0.0F, std::numeric_limits<float>::min(),
                                       std::numeric_limits<float>::infinity(),
                                       std::numeric_limits<float>::quiet_NaN(), std::nextafter(1.0F, 2.0F)};
  for (const std::vector<float>& input : special_inputs(random_floats(61 * 45), delicate))
    transpose_and_check(input, {61, 45}, schedules().front());
  transpose_and_check({1, 4999}, schedules().back());
  transpose_and_check({4999, 1}, schedules().back());
  transpose_and_check({large() / 200, 101}, schedules().back());
  if (at_real_size()) {
    check_large({4096, 4001});
    check_large({4001, 4096});
    knowing(message("grid-too-high"), [] {
      check_large({2'200'003, 3});
      check_large({3, 2'200'003});
    });
  }
  check_far_corner();
}

TEST_CASE("transpose is coalesced where it reads and where it writes" * points(2) * tests("transpose") *
          todo(8) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    count_in_whole_tiles(schedule, [](const Reply& reply) {
      judge_both(reply, need_once(counted_bytes, message("/tile-once")));
    });
  }
  count_at_edges([](const Reply& reply) {
    const auto [rows, cols] = ragged_shape;
    expect_no_atomics(reply, section);
    Need need = need_once(ragged_bytes, message("/tile-once"));
    need.most_sectors = ragged_sectors(rows, cols);
    judge(reply, reading, need);
    need.most_sectors = ragged_sectors(cols, rows);
    judge(reply, writing, need);
  });
}

TEST_CASE("transpose reads and writes shared memory without conflicts" * points(1) * tests("transpose") *
          todo(8) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    count_in_whole_tiles(schedule, [](const Reply& reply) {
      for (const Way& way : {shared_writing, shared_reading})
        expect_no_conflicts(reply, way, counted_bytes, tile_conflict(reply, way));
    });
  }
  count_at_edges([](const Reply& reply) {
    for (const Way& way : {shared_writing, shared_reading})
      expect_shared_traffic(reply, way, ragged_bytes, section);
  });
}

} // namespace transpose_rubric
