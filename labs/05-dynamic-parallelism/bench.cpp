// The sweeps of lab 05, for every submission that has the functions.
//
// On a GPU: times of the reductions against n; of chains of eight launches with next to nothing to do,
// which is what a launch costs, made in five ways; of the Mandelbrot picture against max_dwell. On the
// simulator: what was launched, and by whom; active lanes; how many pixels were computed. Every output is
// checked before its time or counter is believed: in the calls that reduce() and draw() add to the plan, which takes the
// times (bench/plan.hpp). How many steps the picture takes at least is counted on the CPU. Beside the table the picture itself is written, as a portable graymap.

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/sweep.hpp"
#include "call/generate.hpp"
#include "grader/compare.hpp"
#include "grader/yardstick.hpp"
#include "lab.hpp"
#include "mandelbrot.hpp"

using namespace warpbook;
using namespace dynamic_parallelism;

namespace {

constexpr std::uint64_t seed = 1;
constexpr std::size_t sim_elements = std::size_t{1} << 14;
constexpr std::size_t most_elements = std::size_t{1} << 24;
constexpr unsigned sim_side = 256, gpu_side = 4096, picture_side = 512;
constexpr int sim_dwell = 50, picture_dwell = 255;
constexpr std::array gpu_dwells = {64, 256, 1024, 4096};

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

/// The Mandelbrot set as a whole.
View whole_set(unsigned side, int max_dwell) {
  return view("the whole set", {-2.2, 1.5, 3.0}, side, max_dwell);
}
/// A third of its pixels have to be computed, even if it is small.
View from_afar() { return view("the set from afar", {-4, 4, 8}, sim_side, sim_dwell); }

/// Where a row stands in the table.
struct Point {
  std::string submission;
  std::string function;
  std::size_t size = 0; ///< elements, or pixels in a row
  int max_dwell = 0;
};

class Bench : Sweep {
public:
  Bench(const BenchOptions& options, Table& table) : Sweep(options, table) {
    // Recursion block by block takes most of a second; three times are enough to see that.
    slow_ = plan_.timed();
    slow_.repetitions = std::min(3, options.repetitions);
    slow_.most_repetitions = slow_.repetitions;
    slow_.warm_ups = 1;
    slow_.timeout = std::chrono::seconds(60);
    if (options.size != 0) {
      sizes_ = {options.size};
    } else if (is_sim_) {
      sizes_ = {sim_elements};
    } else {
      for (std::size_t n = part_size; n <= most_elements; n *= 4) sizes_.push_back(n);
    }
  }

  /// What the times say about launches by device code, where both sides of a comparison were measured.
  void say_when_it_pays() const {
    const auto fastest = [this](const char* function, std::size_t size, int max_dwell,
                                const std::string& part) {
      double best = 0;
      for (const auto& [point, us] : times_) {
        if (point.function != function || point.size != size || point.max_dwell != max_dwell) continue;
        const bool is_meant = part == point.submission || (point.submission.find(part) != std::string::npos &&
                                                           point.submission.starts_with("step-"));
        if (is_meant && (best == 0 || us < best)) best = us;
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
    compare("The same with a cut-off", fastest("reduce_nested_by_level", n, 0, "level_v1"),
            "by a chain from the host with the same cut-off",
            fastest("reduce_nested_by_level", n, 0, "peer-host_chain_cut_off"));
    for (const auto& [point, us] : times_) {
      if (point.submission != "step-mandelbrot_v0_flat") continue;
      const std::string at = " with at most " + std::to_string(point.max_dwell) + " steps";
      compare("The picture" + at + ", a launch a division",
              fastest("mandelbrot_adaptive", point.size, point.max_dwell, "mandelbrot_v1"), "every pixel",
              us);
      compare("The picture" + at + ", a launch a level",
              fastest("mandelbrot_adaptive", point.size, point.max_dwell, "mandelbrot_v3"), "every pixel",
              us);
    }
  }

  void measure(const std::vector<Measured>& all) {
    count_steps();
    make_picture(all);
    for (const Measured& measured : all) {
      reduce(measured, CONTRACT(reduce_neighbored));
      reduce(measured, CONTRACT(reduce_neighbored_less));
      reduce(measured, CONTRACT(reduce_interleaved));
      reduce(measured, CONTRACT(reduce_nested));
      reduce(measured, CONTRACT(reduce_nested_by_level));
      mandelbrot(measured);
    }
    plan_.run();
  }

private:
  template <typename F>
  void reduce(const Measured& measured, F function) {
    for (const std::size_t n : sizes_) {
      const std::size_t parts = (n + part_size - 1) / part_size;
      const bool is_slow = std::string(function.name) == "reduce_nested" && n > (std::size_t{1} << 18);
      const auto call = [=, this](Submission& submission, const CallOptions& how) {
        Reply reply =
            submission.call(how, function, poisoned<int>(parts).sampled(), poisoned<int>(parts * part_size),
                            generated<int>(n, values_, seed).sampled(), n);
        expect_samples<int>(reply, 0, [&](std::size_t k) {
          int sum = 0;
          for (std::size_t i = k * part_size; i < std::min(n, (k + 1) * part_size); ++i)
            sum += generated_element<int>(values_, seed, i);
          return sum;
        });
        return std::optional<Reply>(std::move(reply));
      };
      const Point point{measured.name, function.name, n, 0};
      const auto report = [=, this](const Taken& taken) {
        if (is_sim_) return count(point, taken, parts);
        if (n == part_size) launch(point, taken);
        return time(point, taken);
      };
      const auto how = [=, this]() -> Plan::Point::How {
        return is_slow ? Plan::Point::How{slow_, 1} : Plan::Point::How{plan_.timed(), options_.rounds};
      };
      plan_.add(point.function, {measured, point.function, point.function, call, report, {}, how});
    }
  }

  /// What the picture costs at least, whoever draws it. Counted on the CPU, which takes some seconds at gpu_side.
  void count_steps() {
    if (!is_sim_ && side() > gpu_side) return;
    const View v = is_sim_ ? from_afar() : whole_set(side(), gpu_dwells.back());
    add({"yardstick", "mandelbrot_adaptive", v.size(), v.max_dwell}, "steps",
        exactly(static_cast<double>(LeastSteps(v).count())), "steps", Taken{});
  }

  /// The picture by the first submission that draws.
  void make_picture(const std::vector<Measured>& all) {
    for (const Measured& measured : all) {
      Submission submission(submission_options(options_, measured));
      try {
        return write_picture(draw(submission, whole_set(picture_side, picture_dwell), CallOptions{}));
      } catch (const ItemFailed& failed) {
        if (!failed.is_missing_function()) throw std::runtime_error(measured.name + ": " + failed.what());
      }
    }
  }

  void mandelbrot(const Measured& measured) {
    const char* function = "mandelbrot_adaptive";
    const auto plan = [&](const View& v) {
      const Point point{measured.name, function, v.size(), v.max_dwell};
      const auto call = [=, this](Submission& submission, const CallOptions& how) {
        return std::optional<Reply>(draw(submission, v, how));
      };
      const auto report = [=, this](const Taken& taken) {
        if (!is_sim_) return time(point, taken);
        const double computed = static_cast<double>(taken.reply->counters().global_load_lanes) / 2;
        add(point, "pixels_computed",
            exactly(computed / (static_cast<double>(point.size) * static_cast<double>(point.size))),
            "fraction", taken);
        return count(point, taken, 0);
      };
      plan_.add(function, {measured, function, function, call, report, {}, {}});
    };
    if (is_sim_) return plan(from_afar());
    for (const int max_dwell : gpu_dwells) plan(whole_set(side(), max_dwell));
  }

  /// Pixels in a row of the picture that a GPU draws.
  unsigned side() const {
    if (options_.size == 0) return gpu_side;
    return static_cast<unsigned>(std::clamp<std::size_t>(options_.size, first_side, 32768)) / first_side *
           first_side;
  }

  /// Draws; some thousand pixels must be what the flat picture has, or what the rule fills in.
  Reply draw(Submission& submission, const View& v, const CallOptions& how) {
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
    for (unsigned side = first_side; side >= least_side; side /= 2) {
      const unsigned x0 = x / side * side, y0 = y / side * side;
      bool one = true;
      const auto same = [&](unsigned i, unsigned j) {
        return dwells[std::size_t{y0 + j} * size + x0 + i] == dwells[std::size_t{y} * size + x];
      };
      for (unsigned i = 0; i < side; ++i)
        one = one && same(i, 0) && same(i, side - 1) && same(0, i) && same(side - 1, i);
      if (one) return true;
    }
    return false;
  }

  /// The picture beside the table, 8 bits a pixel: the dwell.
  void write_picture(const Reply& reply) {
    std::filesystem::path path = options_.out;
    path.replace_filename(options_.out.stem().string() + "-picture.pgm");
    std::ofstream file(path, std::ios::binary);
    file << "P5\n" << picture_side << ' ' << picture_side << '\n' << picture_dwell << '\n';
    for (const int value : reply.values<int>(0)) file.put(static_cast<char>(value));
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
  }

  std::string count(const Point& point, const Taken& taken, std::size_t parts) {
    const simt::Counters& c = taken.reply->counters();
    add(point, "host_launches", exactly(static_cast<double>(c.launches)), "launches", taken);
    add(point, "child_grids", exactly(static_cast<double>(c.child_grids)), "grids", taken);
    const std::string launches =
        std::to_string(c.launches) + " host launch(es), " + std::to_string(c.child_grids) + " child grids";
    if (parts == 0) return launches;
    const std::uint64_t loads = c.global_load_requests + c.shared_load_requests;
    const double lanes = per(c.global_load_lanes + c.shared_load_lanes, loads);
    add(point, "active_lanes", exactly(lanes), "lanes", taken);
    add(point, "sectors_per_part", exactly(per(c.global_load_sectors, parts)), "sectors", taken);
    char text[80];
    std::snprintf(text, sizeof text, ", %.1f active lanes, %.1f sectors read for each part", lanes,
                  per(c.global_load_sectors, parts));
    return launches + text;
  }

  std::string time(const Point& point, const Taken& taken) {
    const Value us = duration(taken.time(), 1e-6);
    times_.emplace_back(point, us.value);
    add(point, "time", us, "us", taken);
    char text[64];
    std::snprintf(text, sizeof text, "%.4g us at %s %zu", us.value, point.max_dwell == 0 ? "n =" : "dwell",
                  point.max_dwell == 0 ? point.size : static_cast<std::size_t>(point.max_dwell));
    return text;
  }

  /// What one of the eight launches of a chain took, if the submission makes such a chain.
  void launch(const Point& point, const Taken& taken) {
    for (const Chain& chain : chains) {
      if (point.submission != chain.submission || point.function != chain.function) continue;
      add({point.submission, "one launch of a chain of eight", point.size, 0}, "time",
          duration(taken.time(), 1e-6) / launches_in_chain, "us", taken);
    }
  }

  void add(const Point& point, const char* metric, const Value& value, const char* unit, const Taken& taken) {
    add_row(table_, {point.submission, point.function, point.size, point.max_dwell}, metric, value, unit,
            taken);
  }

  CallOptions slow_;
  std::vector<std::size_t> sizes_;
  std::vector<std::pair<Point, double>> times_; ///< in microseconds
  Distribution values_ = uniform(-1000, 1000);
};

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, WARPBOOK_CONTRACT_FILE, {"submission", "function", "size", "max_dwell"},
                   [](const BenchOptions& options, Table& table, const std::vector<Measured>& all) {
                     Bench bench(options, table);
                     bench.measure(all);
                     bench.say_when_it_pays();
                   });
}
