// The rubric of TODO(6) and TODO(7): mandelbrot_adaptive. The reference computes every pixel, and applies
// the rule of Mariani and Silver to the flat picture (mandelbrot.hpp): so it knows what the rule fills in,
// how many pixels have to be computed for it, and how many squares are divided.

#include "wrong_picture.hpp"

using namespace dynamic_parallelism;

namespace {

const RunsThrough parts_of_mandelbrot({"mandelbrot_adaptive"}, {6, 7});

View seahorses(unsigned size) { return view("the seahorse valley", {-0.80, 0.15, 0.10}, size, 300); }
/// Every pixel belongs to the set, none does, or neighbours have nothing to do with each other.
View inside(unsigned size) { return view("a piece inside the set", {-0.2, 0.1, 0.2}, size, 50); }
View outside(unsigned size) { return view("a piece far outside the set", {10, 40, 20}, size, 50); }
View noise(unsigned size, int max_dwell = 60) {
  return {"coordinates without order", random_floats(size, -2, 2), random_floats(size, -2, 2), max_dwell};
}
/// The left half of the first square of 64 belongs to the set, and nothing else does: one square is divided,
/// and its quarters are not. There are squares beside and below it, where wrong quarters show.
View one_divided() {
  constexpr unsigned size = 2 * first_side;
  View v{"one square of two halves", std::vector<float>(size, 3), std::vector<float>(size, 3), 30};
  std::fill_n(v.re.begin(), first_side / 2, 0.0F);
  std::fill_n(v.im.begin(), first_side, 0.0F);
  return v;
}
/// Only the pixel in the corner belongs to the set: the square of 64 there has a mixed border, and so have those of 32,
/// of 16 and of 8 in its corner, and smaller ones down to 2.
View one_pixel() {
  View v{"one pixel of the set", std::vector<float>(first_side, 3), std::vector<float>(first_side, 3), 30};
  v.re[0] = v.im[0] = 0;
  return v;
}
/// An island of the set in the middle of each square of 64, which no border touches.
View islands(unsigned size) {
  View v{"islands inside the squares", std::vector<float>(size, 3), std::vector<float>(size, 3), 40};
  for (unsigned i = 0; i < size; ++i) {
    if (i % first_side >= 20 && i % first_side < 27) v.re[i] = v.im[i] = 0;
  }
  return v;
}

/// One square of 64, all in the set but for its first column and for islands of 2 x 2 pixels, which no
/// border touches. The column makes the square's border mixed, and those of the squares of 32, 16 and 8
/// beside it. All others have one border, and the rule fills them, with at least one island in each: a program
/// that divides as far as the rule says computes no island, and one that stops early computes some.
View islands_beside_a_column() {
  View v{"islands that the rule never sees", std::vector<float>(first_side), std::vector<float>(first_side),
         50};
  v.re[0] = 10;
  // 0, -1 and i belong to the set, and -1 + i does not; all of their steps are exact.
  for (const unsigned x : {11, 19, 43}) v.re[x] = v.re[x + 1] = -1; // in squares of 8, of 16 and of 32
  for (unsigned y = 3; y < first_side; y += least_side) v.im[y] = v.im[y + 1] = 1;
  return v;
}

/// Grids of this depth have no room for launches: no rule divides squares of 2, and nothing may divide those of 1, whose
/// quarters have a side of 0, where 4 * (side - 1) wraps round. (Without this limit such a picture takes minutes.)
constexpr unsigned far_too_deep = most_depth + 2;

/// Whether a grid without any room for launches was refused one, and a thread did not go on.
bool stopped(const Failure& failure) {
  return any_finding(failure, [](const simt::Finding& finding) {
    return (finding.id == "trap" || finding.id == "unchecked-launch") &&
           is_refused_by(finding, "pending-launches") && finding.get<simt::Refused>()->allowed == 0;
  });
}
/// Whether grids of this depth, which had no room for launches, made some.
bool stopped_at(unsigned depth, const Reply& reply) {
  return reply.counters().failed_device_launches != 0 && depth_of(reply) >= depth;
}

/// Draws. A call with the usual room for launches ends here if its grids are far too deep.
Reply draw(const View& v, CallOptions how) {
  const bool has_end = submission().backend() != Backend::sim || how.launch_room;
  if (!has_end) {
    how.launch_room = LaunchRoom{.launches = 0, .from_depth = far_too_deep};
    how.tells_room = false;
  }
  const LabMessage says = message("recursion-without-end/squares", far_too_deep);
  Reply reply = changing(
      [&] {
        return submission().call(how, CONTRACT(mandelbrot_adaptive),
                                 out<int>(std::size_t{v.size()} * v.size()), in(v.re), in(v.im), v.size(),
                                 v.max_dwell);
      },
      [&](Failure& failure) {
        if (!has_end && stopped(failure)) retell(failure, says);
      });
  if (!has_end && stopped_at(far_too_deep, reply)) fail(says, launch_lines(reply));
  return reply;
}

/// Whether a finding is about the coordinates of the columns or rows.
bool is_about_coordinates(const simt::Finding& finding) {
  return finding.variable == "re" || finding.variable == "im";
}

/// Of a call in which something outside the arrays was used: whether the inside of a square goes on beyond it. In
/// a picture of one dwell nothing is divided, and every inside is filled. Filling a pixel reads no coordinates;
/// computing one does.
void check_insides_end() {
  if (submission().backend() != Backend::sim) return;
  std::optional<Failure> failed =
      failure_in([] { draw(inside(128), {.schedule = schedules().front()}); });
  if (!failed || !is_about(*failed, "out-of-bounds") || any_finding(*failed, is_about_coordinates)) return;
  retell(*failed, message("inside-too-large"));
  pass_on(std::move(*failed));
}

/// The instructions that read a coordinate. In a picture of 3 x 3 squares the last column and the last row have no
/// coordinates: a thread that reads those is outside of `re` or `im`, and the simulator knows where. One of these
/// squares is mixed along its first line and one is even, so that squares of every size are divided and filled.
/// Empty if that call fails.
const std::vector<simt::CodeAddress>& readers_of_coordinates() {
  static const std::vector<simt::CodeAddress> readers = [] {
    constexpr unsigned known = 2 * first_side, size = 3 * first_side;
    std::vector<float> coordinates(known, 10); // far outside the set, whatever the other one is
    coordinates[0] = 0;                        // where the other one decides
    const std::optional<Reply> reply = reply_if_any([&] {
      return submission().call(lenient(3, LaunchRoom{.launches = 0, .from_depth = far_too_deep}),
                               CONTRACT(mandelbrot_adaptive), out<int>(size * size), in(coordinates),
                               in(coordinates), size, 30);
    });
    std::vector<simt::CodeAddress> found;
    if (!reply) return found; // then it is not known
    for (const simt::Finding& finding : reply->diagnostics()) {
      if (finding.id == "out-of-bounds" && is_about_coordinates(finding) && !finding.participants.empty())
        found.push_back(finding.participants.front().where);
    }
    return found;
  }();
  return readers;
}

/// How many dwells these kernels have computed, by the coordinates that lanes have read, two per dwell. Where it is not
/// known which instructions read them, all reads count.
double computed_dwells(const std::vector<simt::KernelRecord>& kernels) {
  const std::vector<simt::CodeAddress>& readers = readers_of_coordinates();
  std::uint64_t lanes = 0;
  for (const simt::KernelRecord& kernel : kernels) {
    if (readers.empty()) lanes += kernel.counters.global_load_lanes;
    for (const simt::SiteCounters& site : kernel.sites) {
      if (std::ranges::find(readers, site.where) != readers.end()) lanes += site.counters.global_load_lanes;
    }
  }
  return static_cast<double>(lanes) / 2;
}

/// Whether, in a picture in which one square is divided and all others are filled, the host's grid computes a square's
/// inside besides its borders: that of the square whose child grid it has launched.
bool divides_and_draws() {
  const View v = one_divided();
  CallOptions how = lenient(3, LaunchRoom{.launches = 0, .from_depth = 1});
  how.sites = true;
  const std::optional<Reply> reply = reply_if_any([&] { return draw(v, how); });
  if (!reply || reply->counters().child_grids != 1 || reply->kernels().front().depth != 0) return false;
  constexpr double border = 4 * (first_side - 1), inside = (first_side - 2) * (first_side - 2);
  const double squares = v.size() / first_side * (v.size() / first_side);
  const double computed = computed_dwells({reply->kernels().front()});
  return computed > squares * border + inside / 2 && computed <= squares * border + inside;
}

/// Of a picture whose last columns have no coordinates: what the first thread did that asked for one of these. With at most
/// one step all dwells are the same, so that nothing but the borders is computed; no child grid starts. Nothing if that
/// call fails.
std::optional<simt::Finding> first_beyond_the_columns() {
  constexpr unsigned size = 3 * first_side, known = 2 * first_side;
  const std::vector<float> rows(size, 0), columns(known, 0);
  const std::optional<Reply> reply = reply_if_any([&] {
    return submission().call(lenient(3, LaunchRoom{.launches = 0, .from_depth = 0}),
                             CONTRACT(mandelbrot_adaptive), out<int>(size * size), in(columns), in(rows),
                             size, 1);
  });
  if (!reply) return {};
  const auto found = std::ranges::find_if(reply->diagnostics(), [](const simt::Finding& finding) {
    return finding.id == "out-of-bounds" && finding.variable == "re" && finding.get<simt::Outside>() &&
           finding.participants.front().thread;
  });
  return found == reply->diagnostics().end() ? std::nullopt : std::optional(*found);
}

/// The message if a block computes the border of the square on the other side of the diagonal, not its own. The
/// borders are right then, but each block's lowest and highest dwell are those of another square.
std::optional<LabMessage> borders_swapped() {
  if (submission().backend() != Backend::sim) return {};
  const std::optional<simt::Finding> finding = first_beyond_the_columns();
  if (!finding) return {};
  const simt::Extent block = finding->participants.front().thread->block;
  const unsigned column = 2; // of squares: the only one whose columns have no coordinates
  if (block[0] == column || block[1] != column) return {};
  const auto corner = [](unsigned x, unsigned y) { return pixel_text(x * first_side, y * first_side); };
  return message("border-of-another-square", pixel_text(block[0], block[1]), corner(block[1], block[0]),
                 corner(block[0], block[1]));
}

/// A picture that is mixed along the border of every square of 64, by the first grid alone: what its threads do with
/// lowest and highest. Empty on a GPU, and if that call fails.
std::optional<NeverUpdated> updates_of_borders() {
  if (submission().backend() != Backend::sim) return {};
  CallOptions how = lenient(3, LaunchRoom{.launches = 0, .from_depth = 0});
  how.trace = true;
  const std::optional<Reply> reply = reply_if_any([&] { return draw(noise(2 * first_side), how); });
  if (!reply || !reply->trace() || reply->counters().launches != 1) return {};
  return never_updated(*reply->trace());
}

/// What is wrong with the way in which blocks find lowest and highest.
std::vector<Fault> faults_of_updates() {
  const std::optional<NeverUpdated> never = updates_of_borders();
  if (!never) return {};
  const std::string source = read_text(submission().options().source_path);
  return faults_of_updates(*never, code_in_todo(source, 6).value_or(""));
}

/// What TODO(6) has left wrong, although every border is drawn.
std::optional<LabMessage> fault_of_borders() {
  if (const std::optional<LabMessage> says = borders_swapped()) return says;
  for (const Fault& fault : faults_of_updates())
    if (fault.is_there) return fault.message;
  return {};
}

/// What `check` returns; what fails in it is put down to TODO(6) if that is wrong.
template <typename Check>
auto with_right_borders(const Check& check) -> decltype(check()) {
  return changing(check, [](Failure& failure) {
    const std::optional<LabMessage> says = fault_of_borders();
    if (!says) return;
    failure.sections.clear();
    retell(failure, *says);
  });
}

/// Draws; findings of the simulator are reported in the words of the task.
Reply draw_explained(const View& v, const CallOptions& how) {
  return changing([&] { return draw(v, how); },
                  [&](Failure& failure) {
                    if (is_about(failure, "out-of-bounds") || is_about(failure, "guard-damaged"))
                      check_insides_end();
                    if (failure.findings.empty()) return;
                    tell(failure, picture_lessons,
                         Found{.failure = failure, .size = v.size(), .divides_and_draws = divides_and_draws});
                  });
}

/// Draws, and requires every pixel to be what the flat picture has, or what the rule fills in.
Reply draw_and_check(const View& v, const Reference& wanted, Schedule schedule) {
  const auto call = [&] { return draw_explained(v, {.schedule = schedule, .sites = true}); };
  const auto draw_whole = [&] {
    Reply reply = changing(call, [](Failure& failure) {
      if (!is_about(failure, "out-of-bounds")) return;
      const LabMessage says = message("/square-outside");
      drop_advice(failure);
      add_cause(failure, says.sentence);
      read_on(failure, says.section);
    });
    WrongPicture(reply, v, wanted).expect_right();
    return reply;
  };
  return with_right_borders(draw_whole);
}
Reply draw_and_check(const View& v, Schedule schedule) { return draw_and_check(v, Reference(v), schedule); }

/// Whether the division goes on below least_side without end. No quarter of one_divided() is mixed, so that one does not
/// show it. A program that divides squares of 8 and no smaller ones comes to an end, and draws the right picture, and so does
/// one that has a further grid for the insides of the smallest squares: launches are refused only from far_too_deep on.
void check_smallest_squares() {
  if (submission().backend() != Backend::sim) return;
  CallOptions how = lenient(3, LaunchRoom{.launches = 0, .from_depth = far_too_deep});
  how.schedule = schedules().front();
  const LabMessage says = message("recursion-without-end/smallest", least_side / 4, far_too_deep);
  std::optional<Reply> reply;
  std::optional<Failure> failed = failure_in([&] { reply = draw(one_pixel(), how); });
  if (failed) {
    if (!stopped(*failed)) return; // other calls report what else goes wrong
    retell(*failed, says);
    pass_on(std::move(*failed));
  }
  if (stopped_at(far_too_deep, *reply)) fail(says, launch_lines(*reply));
}

/// A picture so simple that even far too many launches take milliseconds on the simulator.
void check_simple_picture() {
  CallOptions how;
  if (submission().backend() == Backend::sim)
    how = lenient(3, LaunchRoom{.launches = 0, .from_depth = most_depth});
  how.schedule = schedules().front();
  const Reply reply = draw_explained(one_divided(), how);
  const std::uint64_t grids = reply.counters().child_grids;
  if (stopped_at(most_depth, reply))
    fail(message("recursion-without-end/squares", most_depth), launch_lines(reply));
  constexpr std::uint64_t enough = 8; // for any way to divide the work of one division
  if (grids <= enough) return check_smallest_squares();
  if (all_hold(first_side, [&](std::size_t x) { return reply.unwritten(0, x); }))
    fail(message("border-not-drawn/divided"), launch_lines(reply));
  with_right_borders([&] {
    fail(message("too-many-child-grids/one-square", grids, depth_of(reply) == 1), launch_lines(reply));
  });
}

/// Draws on a device that has no room for launches by device code: what is written is the work of the first
/// grid alone, whatever it launches, so that this is about TODO(6). A program that ends with an error when it is
/// refused a launch gets the usual room.
Reply draw_without_children(const View& v, Schedule schedule) {
  CallOptions how{.schedule = schedule, .allow = {"unchecked-launch"}, .sites = true};
  if (submission().backend() != Backend::sim) return draw(v, how);
  how.launch_room = LaunchRoom{.launches = 0, .from_depth = 0};
  std::optional<Reply> reply;
  std::optional<Failure> failed = failure_in([&] { reply = draw_explained(v, how); });
  if (!failed) return std::move(*reply);
  if (!has_diagnosis(*failed, "cuda-error")) pass_on(std::move(*failed));
  check_simple_picture();
  return draw_explained(v, CallOptions{.schedule = schedule, .sites = true});
}

/// The borders are right; what the first grid has done says more. In a picture of one dwell it computes only those
/// borders.
void check_border_shared_out() {
  expect_none(faults_of_updates(), [] { return Details(); });
  const View v = inside(128);
  const Reply reply = draw_without_children(v, schedules().front());
  const simt::Counters& c = reply.counters();
  if (c.launches != 1 || c.child_grids != 0) return;
  const std::uint64_t squares = std::uint64_t{v.size()} * v.size() / (first_side * first_side);
  expect_none(faults_of_borders(c, squares), [&] {
    return details_of(
        reply, {say("{updates} atomic updates of shared memory and {barriers:barrier} in {squares:block}",
                    c.shared_atomic_lanes, c.barriers, squares)});
  });
}

/// Most launches are refused: the picture must be the same.
void check_refused_squares(const View& v, Schedule schedule) {
  constexpr std::size_t room = 4;
  const CallOptions how{.schedule = schedule, .launch_room = LaunchRoom{.launches = room, .from_depth = 0}};
  const std::string picture = say("The picture: {view}", v.text());
  const Reply reply = changing([&] { return draw(v, how); },
                               [&](Failure& failure) {
                                 if (!is_about(failure, "trap") && !is_about(failure, "assertion-failed"))
                                   return;
                                 retell(failure, message("refused-square-ends-the-kernel", room));
                                 failure.details.push_back(picture);
                               });
  const Reference wanted(v);
  if (WrongPicture(reply, v, wanted).all_right()) return;
  std::size_t count = 0;
  for (std::size_t at = 0; at < wanted.pixels(); ++at) count += reply.unwritten(0, at) ? 1 : 0;
  fail(message("refused-square-missing", room),
       details_of(
           reply,
           {picture, say("{count} of {all} pixels were never written, and {refused} launches were refused",
                         count, wanted.pixels(), reply.counters().failed_device_launches)}));
}

/// What the technique items look at: squares of every size, divided and filled; a third of the pixels is
/// computed.
const View& counted_view() {
  static const View v = from_afar();
  return v;
}
const Reference& counted_reference() {
  static const Reference reference(counted_view());
  return reference;
}
Reply counted_picture(Schedule schedule) {
  if (schedule == schedules().front()) {
    check_simple_picture();
    // In a picture with many different dwells two writers of one pixel rarely write the same.
    draw_and_check(seahorses(128), schedule);
  }
  return draw_and_check(counted_view(), counted_reference(), schedule);
}

/// The picture in which a filled pixel and a computed one differ: no pixel that the rule fills may be
/// computed. The cost of the other picture does not show a program that stops dividing early, which saves about
/// as many pixels of borders as it computes inside.
void check_divided_to_the_end(Schedule schedule) {
  const View v = islands_beside_a_column();
  const Reference wanted(v);
  const Reply reply = draw_and_check(v, wanted, schedule);
  const std::span<const int> dwells = reply.values<int>(0);
  std::size_t count = 0;
  unsigned largest = 0; // of the squares that are filled by the rule, with an island that was computed
  wanted.whole().for_each(1, [&](unsigned x, unsigned y) {
    const std::size_t at = wanted.place(x, y);
    if (dwells[at] == wanted.ruled()[at]) return;
    ++count;
    unsigned side = first_side;
    while (!wanted.has_one_border(square_around(x, y, side))) side /= 2;
    largest = std::max(largest, side);
  });
  if (count == 0) return;
  fail(message("not-divided-to-the-end", largest, 2 * largest, least_side),
       details_of(reply, {say("The picture: {view}", v.text()),
                          say("{count:pixel} of islands inside squares that the rule fills: they have the "
                              "dwell of a computed "
                              "pixel, not that of the border around them",
                              count)}));
}

} // namespace

TEST_CASE("mandelbrot_adaptive computes the border of every square" * points(1) *
          tests("mandelbrot_adaptive") * todo(6)) {
  for (const Schedule schedule : schedules()) {
    for (const View& v : {whole_set(128), noise(64)}) {
      const Reply reply = draw_without_children(v, schedule);
      require_solved(reply);
      const Reference wanted(v);
      WrongPicture(reply, v, wanted).check_borders();
    }
  }
  if (submission().backend() == Backend::sim) check_border_shared_out();
}

TEST_CASE("mandelbrot_adaptive draws the flat picture" * points(3) * tests("mandelbrot_adaptive") * todo(7)) {
  check_simple_picture();
  draw_and_check(counted_view(), counted_reference(), schedules().front());
  for (const View& v : {whole_set(64, 1), whole_set(192), seahorses(128), inside(64), outside(128), noise(64),
                        islands(128)}) {
    const Reference wanted(v);
    for (const Schedule schedule : schedules()) draw_and_check(v, wanted, schedule);
  }
  draw(whole_set(0), {.schedule = schedules().front()});
  if (takes_real_sizes()) {
    // Of the second more squares are divided at once than launches may be pending.
    for (const View& v : {whole_set(2048, 1000), noise(4096)}) draw_and_check(v, schedules().front());
  }
}

TEST_CASE("mandelbrot_adaptive computes no more pixels than the rule asks for" * points(2) *
          tests("mandelbrot_adaptive") * todo(7) * sim_only()) {
  // A dwell is computed from two coordinates, which a lane reads. Half as much again is for pixels that two
  // threads compute; to compute every pixel would be three times as much.
  constexpr double slack = 1.5;
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_picture(schedule);
    const Reference& wanted = counted_reference();
    const double most = slack * static_cast<double>(wanted.computed());
    // Who has read no more than that altogether, lists and known pixels included, has not computed more.
    double computed = static_cast<double>(reply.counters().global_load_lanes) / 2;
    if (computed > most) computed = computed_dwells(reply.kernels());
    const auto dwells = static_cast<std::size_t>(computed);
    expect_none(
        {{computed > most, message("computed-in-vain", dwells, wanted.computed())},
         // Every column and every row is some border's.
         {computed < wanted.size(), message("coordinates-not-read")}},
        [&] {
          const std::string asked =
              say("By the rule {computed} dwells are computed for {pixels} pixels, {share} of them; here "
                  "{dwells}, "
                  "{own_share}",
                  wanted.computed(), wanted.pixels(), rounded(per(wanted.computed(), wanted.pixels())),
                  dwells, rounded(computed / static_cast<double>(wanted.pixels())));
          return details_of(
              reply,
              followed_by({asked, say("(counted by the coordinates that lanes have read, two per dwell)")},
                          costly_lines(reply, &simt::Counters::global_load_lanes,
                                       &simt::Counters::global_load_requests, say("lanes"))));
        });
    tell_measured(say("dwells computed"), say("{dwells} for {pixels} pixels; the rule asks for {wanted}",
                                              dwells, wanted.pixels(), wanted.computed()));
    check_divided_to_the_end(schedule);
  }
}

TEST_CASE("mandelbrot_adaptive launches one child grid for the quarters of a square" * points(2) *
          tests("mandelbrot_adaptive") * todo(7) * sim_only()) {
  for (const Schedule schedule : schedules()) {
    const Reply reply = counted_picture(schedule);
    const simt::Counters& c = reply.counters();
    expect_launched_by_device(reply, "Quarters as a child grid");
    constexpr std::uint64_t few = 4; // threads of a block, on average
    std::uint64_t blocks = 0, threads = 0;
    for (const Level& level : levels_of(reply)) blocks += level.blocks, threads += level.threads;
    std::vector<Fault> faults =
        faults_of_divisions(c.child_grids, blocks, depth_of(reply), counted_reference().divided());
    faults.push_back({c.tail_launches > most_depth, message("tail-launches-wait/squares", c.tail_launches)});
    faults.push_back({threads < few * blocks, message("quarters-of-few-threads", blocks, threads)});
    expect_none(faults, [&] { return launch_lines(reply); });
    tell_measured(say("child grids"), say("{grids}, one for each square that is divided", c.child_grids));
  }
  const Reply reply = draw_and_check(inside(128), schedules().front());
  expect_count("child grids for a picture of one dwell", static_cast<double>(reply.counters().child_grids), 0,
               message("too-many-child-grids/one-dwell"));
}

TEST_CASE("mandelbrot_adaptive asks whether its launches succeeded" * points(1) *
          tests("mandelbrot_adaptive") * todo(7) * sim_only()) {
  for (const Schedule schedule : schedules()) expect_checked_launches(counted_picture(schedule));
  for (const Schedule schedule : schedules()) check_refused_squares(whole_set(128), schedule);
}
