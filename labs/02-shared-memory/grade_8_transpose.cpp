// The rubric of TODO(8): transpose of any shape, coalesced on both sides, without bank conflicts.

#include "rubric.hpp"

using namespace shared_memory;

namespace transpose_rubric {

namespace {

const std::string section = "Turning a tile";
constexpr std::size_t side = 32; ///< of a tile

struct Shape {
  std::size_t rows, cols;
};

std::string in_words(const Shape& shape) {
  return number(shape.rows) + " rows, " + number(shape.cols) + " columns";
}

/// A NaN is a NaN, and 0 is -0: a transposition that multiplies by 1 on its way is one, too.
bool same_value(const float& a, const float& b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Elements whose value tells their place: exact up to 2^24 of them.
std::vector<float> numbered(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
  return values;
}

/// Mistakes that bring whole tiles, or all elements, elsewhere: out's element (c, r) is number c * rows + r.
std::vector<Mistake<Origin>> mistakes_of(const Shape& shape) {
  const std::size_t rows = shape.rows, cols = shape.cols;
  if (rows < 2 || cols < 2) return {};
  std::vector<Mistake<Origin>> list = {
      {"copied", "The matrix was copied as it is. Element (r, c) of `in` is element (c, r) of `out`.",
       [](std::size_t i) { return i; }}};
  for (const std::size_t tile : {16, 32, 64}) {
    if (rows != cols || rows % tile != 0 || rows == tile) continue;
    const auto from = [=](auto origin) { // `origin` of the element in row r and column c of the matrix
      return [=](std::size_t i) { return origin(i % rows, i / rows); };
    };
    list.push_back({"tiles-not-moved",
                    "Every tile is turned in itself, and left where it was. The tile in row y and column x "
                    "of tiles belongs into row x and column y.",
                    from([=](std::size_t r, std::size_t c) {
                      return (c / tile * tile + r % tile) * cols + r / tile * tile + c % tile;
                    })});
    list.push_back({"tile-not-turned",
                    "Every tile is in its new place, but its elements are in their old order. When a tile is "
                    "written, thread (x, y) takes another element of it than it brought.",
                    from([=](std::size_t r, std::size_t c) {
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
  for (std::size_t r = 0; r < shape.rows; ++r) {
    for (std::size_t c = 0; c < shape.cols; ++c) {
      const bool missing = reply.unwritten(0, c * shape.rows + r),
                 at_edge = r >= whole_rows || c >= whole_cols;
      if (missing && !at_edge) return;
      if (missing && !first) first = {r, c};
      all = all && missing == at_edge;
    }
  }
  if (!first || whole_rows == 0 || whole_cols == 0) return;
  const std::vector<std::string> where = {in_words(shape), reply.in_call()};
  const auto with = [&](const std::string& read_on) {
    std::vector<std::string> details = where;
    details.push_back(handout(read_on));
    return details;
  };
  if (all) {
    fail(Failure{{"edge-tiles-missing", "output-unwritten"},
                 "Whole tiles come out right, and of those at the right and at the lower edge nothing does: "
                 "no block has them, or none of its threads writes.",
                 with(section)});
  }
  fail(Failure{
      {"edge-tiles-incomplete", "output-unwritten"},
      "Whole tiles come out right, but of those at an edge a part was never written, such as element (" +
          number(first->rows) + ", " + number(first->cols) +
          ") of the matrix. A thread that has nothing to bring may have something to take out, which another "
          "one brought: has it ended, or been left out, before the second phase?",
      with("All of them, or none")});
}

/// "32 x 8", of a block.
std::string in_words(const std::array<unsigned, 3>& block) {
  std::string text = number(block[0]);
  for (const unsigned extent : {block[1], block[2]}) {
    if (extent != 1) text += " x " + number(extent);
  }
  return text;
}

/// Of a tile that is read where nobody has written: one column of it needs all of its rows. With a race it may as
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
    retell(why, "rows-left-out",
           "transpose: Elements are taken out of a tile that nobody brings at all, although a thread of a "
           "block of " +
               in_words(submission().last_kernels().front().block) +
               " brings several. Which rows of the tile does the loop that brings them leave out?");
    add_cause(why,
              "Of the matrix's " + number(all) + " elements only " + number(brought) + " came into a tile.");
    return;
  }
  retell(why, "taken-before-brought",
         "transpose: Elements are taken out of a tile that nobody has brought yet. A row of `out` needs a "
         "column of the tile, and so all 32 rows of it: one loop brings them, then comes the barrier, and "
         "only then a second loop takes them out.");
}

/// Calls transpose with these buffer arguments.
Reply call_transpose(const auto& out, const auto& in, const Shape& shape, Schedule schedule) {
  return with_detail(in_words(shape), [&] {
    return read_in(section, [&] {
      return submission().call(CallOptions{.schedule = schedule, .sites = true}, CONTRACT(transpose), out, in,
                               shape.rows, shape.cols);
    });
  });
}

Reply transpose_and_check(const std::vector<float>& values, const Shape& shape, Schedule schedule) {
  const std::size_t rows = shape.rows, cols = shape.cols;
  Reply reply = call_transpose(out<float>(cols * rows), in(values), shape, schedule);
  const Moved<float> moved{reply, values, [=](std::size_t i) { return i % rows * cols + i / rows; },
                           same_value};
  const std::size_t wrong = moved.first_wrong();
  if (wrong == rows * cols) return reply;
  if (rows * cols >= 4096) require_solved(reply);
  moved.fail_if_made(mistakes_of(shape), {in_words(shape), handout(section)});
  recognise_missing(reply, shape);
  moved.fail_wrong(wrong,
                   "element (" + number(wrong % rows) + ", " + number(wrong / rows) + ") of the matrix, ",
                   {in_words(shape), handout(section)});
}
Reply transpose_and_check(const Shape& shape, Schedule schedule) {
  return transpose_and_check(numbered(shape.rows * shape.cols), shape, schedule);
}

/// As transpose_and_check(shape, …), of a large matrix whose numbers the runner makes.
void check_large(const Shape& shape) {
  const std::size_t rows = shape.rows, cols = shape.cols;
  const Reply reply =
      call_transpose(poisoned<float>(cols * rows).returned(),
                     generated<float>(rows * cols, sequence(0, 1), 0).returned(), shape, schedules().front());
  expect_everywhere<float>(
      reply, 0, [&](std::size_t i) { return static_cast<float>(i % rows * cols + i / rows); },
      [&] { transpose_and_check(shape, schedules().front()); });
}

/// Runs `check` on tiles that are not whole, when whole ones have come out right. Elements that are not there, or
/// that stand in others' places, come from bounds that a phase lacks, or of one phase in the other.
void at_edges(const std::function<void()>& check) {
  changing(check, [](Failure& why) {
    const auto is_one_of = [&](const std::vector<std::string>& ids) {
      return std::ranges::any_of(ids, [&](const std::string& id) { return is_about(why, id); });
    };
    // `in` is read in the first phase, and `out` written in the second.
    const auto leaves = [&](simt::Access how) {
      return any_finding(why, [&](const simt::Diagnostic& finding) {
        return finding.id == "out-of-bounds" && finding.space == simt::Space::global &&
               finding.participants.front().access == how;
      });
    };
    const bool reads = leaves(simt::Access::read), writes = leaves(simt::Access::write);
    const std::string question = "In which dimension is first_row + x bounded, and in which first_col + y?";
    if (is_one_of({"uninitialised-read", "global-race"})) {
      retell(why, "bounds-exchanged",
             "Whole tiles come out right, but those at an edge take or write elements that are not theirs. "
             "When a tile is written, other threads have an element than when it was read. " +
                 question);
    } else if (is_about(why, "out-of-bounds") && reads) {
      why.diagnoses.push_back("first-phase-unbounded");
      add_cause(why, std::string("Whole tiles come out right. At an edge, in the first phase: in which "
                                 "dimension is first_row + y bounded, and in which first_col + x?") +
                         (writes ? " And in the second phase, first_row + x and first_col + y?" : ""));
    } else if (is_one_of({"out-of-bounds", "guard-damaged"}) ||
               (is_about(why, "wrong-result") && !has_diagnosis(why, "output-unwritten"))) {
      why.diagnoses.push_back("bounds-exchanged");
      add_cause(why, "Whole tiles come out right. At an edge, in the second phase: " + question);
    }
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
  const Reply reply = transpose_and_check(ragged_shape, schedules().front());
  changing([&] { check(reply); },
           [](Failure& why) {
             why.diagnoses.push_back("edge-tiles-apart");
             add_cause(why, "In whole tiles the counts are right, too. Here the last tiles of a row or "
                            "column are not whole: do these take another way than the others? (" +
                                in_words(ragged_shape) + ")");
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
  Conflict conflict = {.why = "The words of a column lie one row of the tile apart. How long may a row be so "
                              "that 32 of them lie in 32 banks?",
                       .section = "A stride and its banks",
                       .task = section};
  if (reply.kernels().size() != 1) return conflict;
  constexpr unsigned lanes = 32;
  const std::array<unsigned, 3>& block = reply.kernels().front().block;
  if (block[0] >= lanes || lanes % block[0] != 0 || block[1] * block[2] < lanes / block[0]) return conflict;
  const std::string rows = number(lanes / block[0]);
  const std::string done = way.reads() ? "reads" : "writes";
  conflict.cause = "warp-of-several-rows";
  conflict.why = "In a block of " + in_words(block) + " threads a warp has " + rows +
                 " rows of them. Where each " + done + " a row or a column of the tile, the warp " + done +
                 " " + rows +
                 " at once: in which banks are the words of the first, and in which those of the next?";
  conflict.section = "What was true of older hardware";
  return conflict;
}

} // namespace

TEST_CASE("transpose transposes a matrix of any shape" * points(3) * tests("transpose") * todo(8)) {
  whole_call({192, 192}, schedules().front());
  check_and_shrink(100, {1, 2, 3, 31, 32, 33, 63, 64, 65}, [](std::size_t side) {
    at_edges([&] { transpose_and_check({side, side}, schedules().front()); });
  });
  knowing("square-only", "Square matrices come out right: where do `rows` and `cols` change their roles?",
          [] {
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
    const auto far = [](const Shape& shape) {
      knowing("grid-too-high",
              "Smaller matrices come out right. A grid has at most 65,535 blocks in y and in z, and 2^31 - 1 "
              "in x.",
              [&] { check_large(shape); });
    };
    far({2'200'003, 3});
    far({3, 2'200'003});
  }
}

TEST_CASE("transpose is coalesced where it reads and where it writes" * points(2) * tests("transpose") *
          todo(8) * sim_only()) {
  const std::string repeated = "Every element comes into a tile once and leaves it once.";
  for (const Schedule schedule : schedules())
    expect_each_once(counted_call(schedule), counted_bytes, section, repeated);
  count_at_edges([&](const Reply& reply) {
    const auto [rows, cols] = ragged_shape;
    expect_no_atomics(reply, section);
    for (const Way& way : {reading, writing}) {
      judge(reply, way,
            {.least_bytes = ragged_bytes,
             .most_bytes = ragged_bytes,
             .least_sectors = ragged_bytes / 32,
             .most_sectors = way.reads() ? ragged_sectors(rows, cols) : ragged_sectors(cols, rows),
             .section = section,
             .repeated = repeated,
             .repeated_id = "more-than-once",
             .has_given_blocks = true});
    }
  });
}

TEST_CASE("transpose reads and writes shared memory without conflicts" * points(1) * tests("transpose") *
          todo(8) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_call(schedule);
    for (const Way& way : {shared_writing, shared_reading}) {
      expect_no_conflicts(reply, way, counted_bytes, tile_conflict(reply, way));
    }
  }
  count_at_edges([](const Reply& reply) {
    for (const Way& way : {shared_writing, shared_reading})
      expect_shared_traffic(reply, way, ragged_bytes, section);
  });
}

} // namespace transpose_rubric
