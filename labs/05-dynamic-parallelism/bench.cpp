// The sweeps of lab 05, for every submission that has the functions.
//
// On a GPU: times of the reductions against n; of chains of eight launches with next to nothing to do,
// which is what a launch costs, made in five ways; of the Mandelbrot picture against max_dwell. On the
// simulator: what was launched, and by whom; active lanes; how many pixels were computed. Every output is
// checked before its time or counter is believed. How many steps the picture takes at least is counted on the CPU.
// Beside the table the picture itself is written, as a portable graymap.

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/sweep.hpp"
#include "grader/inputs.hpp"
#include "lab.hpp"
#include "mandelbrot.hpp"
#include "parts.hpp"

using namespace warpbook;
using namespace dynamic_parallelism;

namespace {

constexpr std::uint64_t seed = 1;
constexpr std::size_t sim_elements = std::size_t{1} << 14;
constexpr std::size_t most_elements = std::size_t{1} << 24;
constexpr unsigned gpu_side = 4096, picture_side = 512;
constexpr int picture_dwell = 255;
constexpr std::array gpu_dwells = {64, 256, 1024, 4096};
const Drawn<int> values{uniform(-1000, 1000), seed};

/// Submissions that make eight launches in a row for a single part: one by the host, and seven in the way
/// named.
struct Chain {
  const char* submission;
  const char* function;
};
constexpr Chain chains[] = {{"step-nested_v0_own_stream", "reduce_nested"},
                            {"step-nested_v1_fire_and_forget", "reduce_nested"},
                            {"step-level_v0_tail_launch", "reduce_nested_by_level"},
                            {"peer-host_chain", "reduce_nested_by_level"},
                            {"peer-graph", "reduce_nested_by_level"}};
constexpr double launches_in_chain = 8;

/// Peers that make one sum of all elements, and put it where the first part's belongs.
bool makes_one_sum(const Measured& measured) { return measured.name.ends_with("_one_sum"); }

/// A time that was measured, in microseconds.
struct Time {
  std::string submission, function;
  std::size_t size; ///< elements, or pixels in a row
  int max_dwell;
  double us;
};

class Points {
public:
  explicit Points(Sweep& sweep) : sweep_(sweep) {
    // Recursion block by block takes most of a second; three times are enough to see that.
    slow_ = sweep.plan().timed();
    slow_.repetitions = slow_.most_repetitions = std::min(3, sweep.options().repetitions);
    slow_.warm_ups = 1;
    slow_.timeout = std::chrono::seconds(60);
    if (sweep.options().size != 0) {
      sizes_ = {sweep.options().size};
    } else if (sweep.is_sim()) {
      sizes_ = {sim_elements};
    } else {
      for (std::size_t n = part_size; n <= most_elements; n *= 4) sizes_.push_back(n);
    }
  }

  void measure() {
    add_steps();
    make_picture();
    add_reduction(CONTRACT(reduce_neighbored));
    add_reduction(CONTRACT(reduce_neighbored_less));
    add_reduction(CONTRACT(reduce_interleaved));
    add_one_sum(CONTRACT(reduce_interleaved));
    add_reduction(CONTRACT(reduce_nested));
    add_reduction(CONTRACT(reduce_nested_by_level));
    if (sweep_.is_sim()) {
      add_picture(from_afar());
    } else {
      for (const int max_dwell : gpu_dwells) add_picture(whole_set(side(), max_dwell));
    }
    sweep_.run();
  }

  /// What the times say about launches by device code, where both sides of a comparison were measured.
  void say_when_it_pays() const {
    const auto fastest = [this](const char* function, std::size_t size, int max_dwell,
                                const std::string& part) {
      double best = 0;
      for (const Time& time : times_) {
        if (time.function != function || time.size != size || time.max_dwell != max_dwell) continue;
        const bool is_meant = part == time.submission || (time.submission.find(part) != std::string::npos &&
                                                          time.submission.starts_with("step-"));
        if (is_meant && (best == 0 || time.us < best)) best = time.us;
      }
      return best;
    };
    const auto compare = [](const std::string& what, double device, const std::string& with, double other) {
      if (device == 0 || other == 0) return;
      const bool pays = device < other;
      std::printf("%s: %.4g us, %s: %.4g us. Launching on the device %s, by a factor of %.3g.\n",
                  what.c_str(), device, with.c_str(), other, pays ? "wins" : "loses",
                  pays ? other / device : device / other);
    };
    for (const Chain& chain : chains) {
      if (const double us = fastest(chain.function, part_size, 0, chain.submission); us != 0)
        std::printf("One launch, %s: %.3g us\n", chain.submission, us / launches_in_chain);
    }
    if (sizes_.empty()) return;
    const std::size_t n = sizes_.back();
    const std::string elements = " of " + std::to_string(n) + " ints";
    compare("Sums" + elements + " by recursion in every block", fastest("reduce_nested", n, 0, "nested_v0"),
            "by one flat kernel", fastest("reduce_interleaved", n, 0, "flat_"));
    compare("Sums" + elements + " level by level, tail launches",
            fastest("reduce_nested_by_level", n, 0, "level_v0"), "by a chain from the host",
            fastest("reduce_nested_by_level", n, 0, "peer-host_chain"));
    compare("Two levels, the second launched early", fastest("reduce_nested_by_level", n, 0, "level_v4"),
            "by a chain of two from the host",
            fastest("reduce_nested_by_level", n, 0, "peer-host_chain_cut_off"));
    for (const Time& flat : times_) {
      if (flat.submission != "step-mandelbrot_v0_flat") continue;
      const std::string at = " with at most " + std::to_string(flat.max_dwell) + " steps";
      for (const auto& [how, step] :
           {std::pair{", a launch a division", "mandelbrot_v1"}, {", a launch a level", "mandelbrot_v3"}}) {
        compare("The picture" + at + how, fastest("mandelbrot_adaptive", flat.size, flat.max_dwell, step),
                "every pixel", flat.us);
      }
    }
  }

private:
  template <typename F>
  void add_reduction(F function) {
    for (const std::size_t n : sizes_) {
      const std::size_t parts = parts_of(n);
      const auto summed = samples_are(0, [=](std::size_t k) { return part_sum(values, n, k); });
      Spot spot = spot_of(function.name, n, 0, child_grids_of(function.name, parts));
      spot.counted.push_back(count("active_lanes", "lanes", " active lanes", [](const Reply& reply) {
        const simt::Counters& c = reply.counters();
        return per(c.global_load_lanes + c.shared_load_lanes,
                   c.global_load_requests + c.shared_load_requests);
      }));
      spot.counted.push_back(with_taught(
          with_least(
              count("sectors_per_part", "sectors", " sectors read per part",
                    [=](const Reply& reply) { return per(reply.counters().global_load_sectors, parts); }),
              part_sectors),
          sectors_of_tree(function.name)));
      if (std::string(function.name) == "reduce_nested" && n > (std::size_t{1} << 18))
        spot.how = [this](const Measured&) { return Plan::Point::How{slow_, 1}; };
      spot.is_for = [](const Measured& measured) { return !makes_one_sum(measured); };
      sweep_.add(calling(function, summed, poisoned<int>(parts).sampled(), poisoned<int>(parts * part_size),
                         values.buffer(n).sampled(), n),
                 std::move(spot));
    }
  }

  /// The same points for those that need not keep the parts apart: libraries, on a GPU.
  template <typename F>
  void add_one_sum(F function) {
    if (sweep_.is_sim()) return;
    for (const std::size_t n : sizes_) {
      const std::size_t parts = parts_of(n);
      unsigned sum = 0; // modulo 2^32, as the libraries' is
      for (std::size_t k = 0; k < parts; ++k) sum += static_cast<unsigned>(part_sum(values, n, k));
      const auto is_sum = samples_are(0, [=](std::size_t) { return static_cast<int>(sum); });
      Spot spot = spot_of(function.name, n, 0, 0);
      spot.is_for = makes_one_sum;
      sweep_.add(calling(function, is_sum, poisoned<int>(1).returned(), poisoned<int>(parts * part_size),
                         values.buffer(n).sampled(), n),
                 std::move(spot));
    }
  }

  void add_picture(const View& v) {
    const auto call = [=](Submission& submission, const CallOptions& how) {
      return std::optional<Reply>(draw(submission, v, how));
    };
    const Reference* rule = sweep_.is_sim() ? &by_the_rule(v) : nullptr;
    Spot spot = spot_of("mandelbrot_adaptive", v.size(), v.max_dwell, rule == nullptr ? 0 : rule->divided());
    const double pixels = static_cast<double>(v.size()) * v.size();
    Metric computed =
        count("pixels_computed", "fraction", " of the pixels computed", [=](const Reply& reply) {
          return static_cast<double>(reply.counters().global_load_lanes) / 2 / pixels;
        });
    if (rule != nullptr)
      computed = with_taught(with_least(std::move(computed), per(least_work(v).pixels, rule->pixels())),
                             per(rule->computed(), rule->pixels()));
    spot.counted.insert(spot.counted.begin(), std::move(computed));
    sweep_.add({"mandelbrot_adaptive", call}, std::move(spot));
  }

  /// Sectors that the tree which the task teaches reads of a part (grade_1_flat.cpp). Nested ones begin with the part itself.
  static double sectors_of_tree(const std::string& function) {
    const bool of_neighbours = function.starts_with("reduce_neighbored");
    return of_neighbours                           ? part_sectors + 255
           : function.starts_with("reduce_nested") ? 69
                                                   : part_sectors + 69;
  }

  /// Child grids that a reduction needs.
  static std::size_t child_grids_of(const std::string& function, std::size_t parts) {
    if (!function.starts_with("reduce_nested")) return 0;
    return dynamic_parallelism::child_grids_of(function == "reduce_nested_by_level", parts);
  }

  /// What the rule makes of the picture, on the simulator.
  const Reference& by_the_rule(const View& v) {
    if (!rule_) rule_.emplace(v);
    return *rule_;
  }

  /// What is taken of every call: on the simulator its launches, and on a GPU its time. The contract has the host launch once.
  Spot spot_of(const std::string& function, std::size_t size, int max_dwell, std::size_t child_grids) {
    using C = simt::Counters;
    const auto microseconds = [](const Taken& taken) { return duration(taken.time(), 1e-6); };
    const std::string at =
        max_dwell == 0 ? "n = " + std::to_string(size) : "dwell " + std::to_string(max_dwell);
    // Who launches less often than the contract has it, a level or half of them at once, does so in another way.
    const auto as_asked = [=](const Reply& reply) -> std::optional<double> {
      return reply.counters().child_grids < child_grids ? std::nullopt
                                                        : std::optional(static_cast<double>(child_grids));
    };
    Spot spot{
        .cells = {size, max_dwell},
        .counted = {with_least(count("host_launches", "launches", " host launch(es)", &C::launches), 1),
                    with_least(count("child_grids", "grids", " child grids", &C::child_grids), as_asked)},
        .timed = {{"time", "us", " us at " + at, microseconds}}};
    spot.heard = [=, this](const Measured& measured, const Taken& taken) {
      if (sweep_.is_sim()) return;
      const Value us = microseconds(taken);
      times_.push_back({measured.name, function, size, max_dwell, us.value});
      for (const Chain& chain : chains) {
        if (size != part_size || measured.name != chain.submission || function != chain.function) continue;
        sweep_.add_row(measured.name, "one launch of a chain of eight", {size, 0}, "time",
                       us / launches_in_chain, "us", taken);
      }
    };
    return spot;
  }

  /// What the picture costs at least, whoever draws it. Counted on the CPU, which takes some seconds at gpu_side.
  void add_steps() {
    if (!sweep_.is_sim() && side() > gpu_side) return;
    const View v = sweep_.is_sim() ? from_afar() : whole_set(side(), gpu_dwells.back());
    sweep_.add_row("yardstick", "mandelbrot_adaptive", {v.size(), v.max_dwell}, "steps",
                   exactly(static_cast<double>(least_work(v).steps)), "steps");
  }

  /// The picture by the first submission that draws.
  void make_picture() {
    for (const Measured& measured : sweep_.submissions()) {
      Submission submission(submission_options(sweep_.options(), measured));
      try {
        return write_picture(draw(submission, whole_set(picture_side, picture_dwell), CallOptions{}));
      } catch (const ItemFailed& failed) {
        pass_over(sweep_.options(), measured, failed);
      }
    }
  }

  /// Pixels in a row of the picture that a GPU draws.
  unsigned side() const {
    if (sweep_.options().size == 0) return gpu_side;
    return static_cast<unsigned>(std::clamp<std::size_t>(sweep_.options().size, first_side, 32768)) /
           first_side * first_side;
  }

  /// Draws; some thousand pixels must be what the flat picture has, or what the rule fills in.
  static Reply draw(Submission& submission, const View& v, const CallOptions& how) {
    const unsigned size = v.size();
    Reply reply = submission.call(how, CONTRACT(mandelbrot_adaptive), out<int>(std::size_t{size} * size),
                                  in(v.re), in(v.im), size, v.max_dwell);
    const std::span<const int> dwells = reply.values<int>(0);
    constexpr std::size_t samples = 4096;
    for (std::size_t k = 0; k < samples; ++k) {
      const std::size_t at = sampled_index(seed, k, samples, dwells.size());
      const auto x = static_cast<unsigned>(at % size), y = static_cast<unsigned>(at / size);
      const int wanted = dwell(v.re[x], v.im[y], v.max_dwell);
      if (dwells[at] == wanted || is_filled(dwells, size, x, y)) continue;
      fail("wrong-result", "pixel (" + std::to_string(x) + ", " + std::to_string(y) + ") is " +
                               std::to_string(dwells[at]) + ", and " + std::to_string(wanted) +
                               " is expected");
    }
    return reply;
  }

  /// Whether the pixel lies in a square with one border, which has the pixel's dwell.
  static bool is_filled(std::span<const int> dwells, unsigned size, unsigned x, unsigned y) {
    const auto dwell_at = [&](unsigned i, unsigned j) { return dwells[std::size_t{j} * size + i]; };
    for (unsigned side = first_side; side >= least_side; side /= 2) {
      const Square s = square_around(x, y, side);
      if (dwell_at(s.x, s.y) == dwell_at(x, y) && s.has_one_border(dwell_at)) return true;
    }
    return false;
  }

  /// The picture beside the table, 8 bits a pixel: the dwell.
  void write_picture(const Reply& reply) {
    std::filesystem::path path = sweep_.options().out;
    path.replace_filename(sweep_.options().out.stem().string() + "-picture.pgm");
    std::ofstream file(path, std::ios::binary);
    file << "P5\n" << picture_side << ' ' << picture_side << '\n' << picture_dwell << '\n';
    for (const int value : reply.values<int>(0)) file.put(static_cast<char>(value));
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
  }

  Sweep& sweep_;
  CallOptions slow_;
  std::vector<std::size_t> sizes_;
  std::vector<Time> times_;
  std::optional<Reference> rule_;
};

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, {contract_file, {"size", "max_dwell"}}, [](Sweep& sweep) {
    Points points(sweep);
    points.measure();
    points.say_when_it_pays();
  });
}
