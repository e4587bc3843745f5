// The sweeps of lab 03: accelerations against n for every submission, and against tile and bodies a thread for the one that has
// both as parameters. On a GPU: pairs a second (n * n pairs; in FLOP/s, count 20 for each, as is the custom), and their share of
// what 13 instructions a pair allow. On the simulator: reads, requests and barriers. Then two simulations by the first submission that
// has leapfrog_step (larger ones on the simulator if --size is given, which takes minutes): how the energy of a sphere of stars goes on with two methods, and two spheres that collide. Every
// output that a time or counter stands for is checked first, by expect_accelerations(); the plan (bench/plan.hpp) takes the times.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/sweep.hpp"
#include "call/generate.hpp"
#include "grader/compare.hpp"
#include "grader/yardstick.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace {

constexpr std::uint64_t seed = 3;
constexpr float softening = 0.01F;
constexpr double least_instructions = 13; ///< of a pair: see the header of step 3
constexpr double lanes_per_multiprocessor = 128;
constexpr int tiles[] = {64, 128, 256, 512};
constexpr int bodies_per_thread[] = {1, 2, 4, 8};

using Bodies = std::vector<float4>;
const Distribution unit_cube = uniform(0, 1); // of positions and masses

float4 body_at(std::size_t i) {
  const auto value = [&](std::size_t k) { return generated_element<float>(unit_cube, seed, 4 * i + k); };
  return {value(0), value(1), value(2), value(3)};
}

/// Calls work(begin, end) for parts of [0, n), one on each core.
void in_parallel(std::size_t n, const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t workers = std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), n);
  std::vector<std::jthread> threads;
  for (std::size_t w = 0; w < workers; ++w)
    threads.emplace_back([&, w] { work(n * w / workers, n * (w + 1) / workers); });
}

/// Requires the sampled accelerations of the generated bodies. All pulls have about the size of their sum's tolerance or
/// more, so any pair that is missing or wrong shows.
void expect_accelerations(const Reply& reply, std::size_t n) {
  const std::span<const float4> acc = reply.values<float4>(0);
  const std::vector<std::size_t>& places = reply.indices(0);
  const auto place = [&](std::size_t s) { return places.empty() ? s : places[s]; };
  std::vector<std::string> wrong(acc.size());
  in_parallel(acc.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const float4 me = body_at(place(s));
      double sum[3] = {}, size[3] = {};
      for (std::size_t j = 0; j < n; ++j) {
        const float4 other = body_at(j);
        const double d[3] = {double(other.x) - me.x, double(other.y) - me.y, double(other.z) - me.z};
        const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + double(softening) * double(softening);
        for (int k = 0; k < 3; ++k) {
          const double term = other.w * d[k] / (r2 * std::sqrt(r2));
          sum[k] += term;
          size[k] += std::abs(term);
        }
      }
      const float found[3] = {acc[s].x, acc[s].y, acc[s].z};
      const double factor = (28 + 16 * std::sqrt(static_cast<double>(n))) * 0x1p-24; // as in rubric.hpp
      for (int k = 0; k < 3; ++k) {
        if (!(std::abs(found[k] - sum[k]) <= factor * size[k]))
          wrong[s] = std::string("acc[") + std::to_string(place(s)) + "]." + "xyz"[k] + " is " +
                     to_text(found[k]) + ", not " + to_text(sum[k]);
      }
    }
  });
  for (const std::string& sentence : wrong) {
    if (!sentence.empty()) fail("wrong-result", sentence);
  }
}

// ---- simulations -----------------------------------------------------------------------------------------

/// Positions with masses, velocities and accelerations.
struct State {
  Bodies bodies, velocities, acc;
};

/// Adds a Plummer sphere of mass 1 and radius 1 in equilibrium (Aarseth, Henon and Wielen 1974): positions by their
/// cumulative mass, speeds by rejection below the speed of escape.
void add_sphere(State& state, std::size_t n, std::mt19937_64& random, const float (&centre)[3],
                const float (&drift)[3]) {
  const auto unit = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  const auto on_sphere = [&](double radius, const float(&offset)[3], double w) {
    const double z = 2 * unit() - 1, angle = 2 * std::numbers::pi * unit(),
                 across = radius * std::sqrt(1 - z * z);
    return float4{static_cast<float>(across * std::cos(angle) + offset[0]),
                  static_cast<float>(across * std::sin(angle) + offset[1]),
                  static_cast<float>(radius * z + offset[2]), static_cast<float>(w)};
  };
  for (std::size_t i = 0; i < n; ++i) {
    const double mass = 0.999 * unit(); // inside of this body; the last thousandth would be far away
    const double radius = 1 / std::sqrt(std::pow(mass, -2.0 / 3) - 1);
    double part = 0, level = 0;
    do {
      part = unit();
      level = 0.1 * unit();
    } while (level > part * part * std::pow(1 - part * part, 3.5));
    const double speed = part * std::sqrt(2.0) * std::pow(1 + radius * radius, -0.25);
    state.bodies.push_back(on_sphere(radius, centre, 1.0 / static_cast<double>(n)));
    state.velocities.push_back(on_sphere(speed, drift, 0));
  }
  state.acc.resize(state.bodies.size());
}

/// The total energy in double, with the potential of softened gravity.
double energy(const State& state, double softening) {
  const std::size_t n = state.bodies.size();
  std::vector<double> parts(n);
  in_parallel(n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const float4 &b = state.bodies[i], &v = state.velocities[i];
      double potential = 0;
      for (const float4& other : state.bodies) {
        const double x = double(other.x) - b.x, y = double(other.y) - b.y, z = double(other.z) - b.z;
        potential += other.w / std::sqrt(x * x + y * y + z * z + softening * softening);
      }
      potential -= b.w / softening; // itself
      const double kinetic = double(v.x) * v.x + double(v.y) * v.y + double(v.z) * v.z;
      parts[i] = 0.5 * b.w * (kinetic - potential);
    }
  });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

Bodies values_of(const Reply& reply, std::size_t k) {
  const std::span<const float4> values = reply.values<float4>(k);
  return {values.begin(), values.end()};
}

void find_accelerations(Submission& submission, State& state, float softening) {
  const std::size_t n = state.bodies.size();
  state.acc =
      values_of(submission.call(CONTRACT(accelerations), out<float4>(n), in(state.bodies), n, softening), 0);
}

/// One step with the submission's leapfrog_step; what comes back is the next state.
void leapfrog(Submission& submission, State& state, float dt, float softening) {
  const Reply reply = submission.call(CONTRACT(leapfrog_step), inout(state.bodies), inout(state.velocities),
                                      inout(state.acc), state.bodies.size(), dt, softening);
  state = {values_of(reply, 0), values_of(reply, 1), values_of(reply, 2)};
}

/// One step of Euler's method, for comparison: everything from the old values.
void euler(Submission& submission, State& state, float dt, float softening) {
  find_accelerations(submission, state, softening);
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    float4 &b = state.bodies[i], &v = state.velocities[i];
    const float4& a = state.acc[i];
    b = {b.x + dt * v.x, b.y + dt * v.y, b.z + dt * v.z, b.w};
    v = {v.x + dt * a.x, v.y + dt * a.y, v.z + dt * a.z, v.w};
  }
}

using Step = void (*)(Submission&, State&, float, float);

class Bench : Sweep {
public:
  Bench(const BenchOptions& options, Table& table) : Sweep(options, table) {
    if (is_sim_) {
      sizes_ = {256, 512, 1024, 2048};
    } else {
      for (std::size_t n = 1024; n <= 262144; n *= 2) sizes_.push_back(n);
      sizes_.push_back(270336); // 2,048 bodies for each of 132 multiprocessors
      sizes_.push_back(337920); // 2,560, which is what fills them with five bodies a thread
    }
    if (options.size != 0) sizes_ = {options.size / 8, options.size / 4, options.size / 2, options.size};
    is_small_ = is_sim_ && options.size == 0; // what is quick on the simulator; --size asks for more
  }

  /// What the multiprocessors can do if a pair takes the least instructions; on a GPU only.
  void find_bound() {
    if (is_sim_) return;
    double clock = 0, multiprocessors = 0;
    for (const auto& [key, value] : device_provenance(submission_options(options_, {}))) {
      if (key == "SM clock") clock = std::stod(value) * 1e6;
      if (key == "multiprocessors") multiprocessors = std::stod(value);
    }
    if (clock == 0 || multiprocessors == 0)
      throw std::runtime_error("the device does not tell its clock or size");
    bound_ = multiprocessors * lanes_per_multiprocessor * clock / least_instructions * 1e-9;
    add("yardstick", "13 instructions a pair", sizes_.back(), 0, 0, 0, "interactions", exactly(bound_), "G/s",
        Taken{});
    std::printf("%-34s %-20s %6.0f G pairs/s\n", "yardstick", "13 instructions", bound_);
    std::fflush(stdout);
  }

  void measure(const std::vector<Measured>& all) {
    for (const Measured& measured : all) {
      for (const std::size_t n : sizes_) {
        measure_point(
            measured, "accelerations", n, 0, 0, [=, this](Submission& submission, const CallOptions& how) {
              return submission.call(how, CONTRACT(accelerations), output(n), input(n), n, softening);
            });
      }
      const std::size_t n = is_sim_ ? std::min<std::size_t>(sizes_.back(), 1024) : sizes_.back();
      for (const int tile : tiles) {
        for (const int k : bodies_per_thread) {
          measure_point(measured, "accelerations_tuned", n, tile, k,
                        [=, this](Submission& submission, const CallOptions& how) {
                          return submission.call(how, CONTRACT(accelerations_tuned), output(n), input(n), n,
                                                 softening, tile, k);
                        });
        }
      }
    }
    plan_.run();
  }

  /// The energy of a sphere of stars, with the lab's method and two time steps, and with Euler's method.
  void follow_energy(const Measured& measured) {
    const std::size_t n = is_small_ ? 128 : 1024;
    const double end = is_small_ ? 2 : 16;
    Submission submission(submission_options(options_, measured));
    follow(submission, measured.name, "leapfrog", leapfrog, n, 1.0F / 16, end);
    follow(submission, measured.name, "leapfrog", leapfrog, n, 1.0F / 32, end);
    follow(submission, measured.name, "Euler", euler, n, 1.0F / 32, end);
  }

  /// Two spheres of stars that meet; the positions at six times go to a table of their own. Each body is a row, and its
  /// coordinates are in hundredths, so that the file stays small.
  void collide(const Measured& measured) {
    constexpr int times[] = {0, 8, 12, 16, 24, 40};
    const std::size_t each = !is_sim_    ? 8192
                             : is_small_ ? 128
                                         : std::min<std::size_t>(options_.size / 2, 2048);
    const std::size_t shown = std::min<std::size_t>(2 * each, 4096);
    const float dt = is_sim_ ? 0.125F : 0.03125F;
    const float soft = is_sim_ ? 0.2F : 0.05F;
    Submission submission(submission_options(options_, measured));
    std::mt19937_64 random(seed);
    State state;
    add_sphere(state, each, random, {-5, 1.25F, 0}, {0.3F, 0, 0});
    add_sphere(state, each, random, {5, -1.25F, 0}, {-0.3F, 0, 0});
    const std::size_t n = state.bodies.size();
    find_accelerations(submission, state, soft);
    const double first = energy(state, soft);

    std::vector<std::string> columns = {"sphere"};
    std::vector<std::vector<Cell>> rows(shown);
    for (std::size_t s = 0; s < shown; ++s) rows[s] = {s * 2 < shown ? 1 : 2};
    double worst = 0;
    int step = 0;
    std::string times_text;
    for (const int time : times) {
      for (; static_cast<float>(step) * dt < static_cast<float>(time); ++step) {
        leapfrog(submission, state, dt, soft);
        const float now = static_cast<float>(step + 1) * dt;
        if (now != std::floor(now)) continue;
        const double error = (energy(state, soft) - first) / std::abs(first);
        worst = std::max(worst, std::abs(error));
        add(measured.name, "collision", n, 0, dt, now, "energy_error", exactly(error), "of |E|", Taken{});
      }
      times_text += (times_text.empty() ? "" : " ") + std::to_string(time);
      const std::string frame = std::to_string((columns.size() - 1) / 2);
      columns.push_back("x" + frame);
      columns.push_back("y" + frame);
      for (std::size_t s = 0; s < shown; ++s) {
        const float4& b = state.bodies[s * (n / shown)];
        rows[s].emplace_back(static_cast<int>(std::lround(100 * b.x)));
        rows[s].emplace_back(static_cast<int>(std::lround(100 * b.y)));
      }
    }
    std::printf("%-34s %-20s %zu bodies, %d steps: the energy is off by at most %.2g of itself\n",
                measured.name.c_str(), "collision", n, step, worst);
    Table picture = start_table(options_, columns);
    const std::string part = shown == n ? "" : ", " + std::to_string(shown) + " of them here";
    picture.provenance("collision", std::to_string(n) + " bodies" + part + "; dt " + to_text(dt) +
                                        ", softening " + to_text(soft) +
                                        "; coordinates in hundredths of a sphere's radius");
    picture.provenance("times", times_text);
    for (std::vector<Cell>& row : rows) picture.add(std::move(row));
    picture.write(options_.out.parent_path() / ("collision-" + options_.out.filename().string()));
  }

  /// Whether the submission has all functions that a simulation needs.
  bool simulates(const Measured& measured) {
    Submission submission(submission_options(options_, measured));
    try {
      State state;
      leapfrog(submission, state, 0, 1);
      find_accelerations(submission, state, 1);
      return true;
    } catch (const ItemFailed& failed) {
      if (failed.is_missing_function()) return false;
      throw std::runtime_error(measured.name + ": " + failed.what());
    }
  }

private:
  BufferValue<float4, Role::generated> output(std::size_t n) const {
    return generated<float4, float>(n, constant(-0x1.badp+90), 0).sampled(64);
  }
  BufferValue<float4, Role::generated> input(std::size_t n) const {
    return generated<float4, float>(n, unit_cube, seed);
  }

  void measure_point(const Measured& measured, const char* function, std::size_t n, int tile, int k,
                     const std::function<Reply(Submission&, const CallOptions&)>& call) {
    const auto checked = [=](Submission& submission, const CallOptions& how) -> std::optional<Reply> {
      Reply reply = call(submission, how);
      expect_accelerations(reply, n);
      return reply;
    };
    const std::string name = measured.name;
    const auto report = [=, this](const Taken& taken) {
      const auto row = [&](const char* metric, const Value& value, const char* unit) {
        add(name, function, n, tile, k, 0, metric, value, unit, taken);
      };
      return is_sim_ ? count(n, *taken.reply, row) : time(n, taken, row);
    };
    plan_.add(function, {measured, function, function, checked, report, {}, {}});
  }

  using Row = std::function<void(const char*, const Value&, const char*)>;

  static std::string count(std::size_t n, const Reply& reply, const Row& row) {
    const auto bodies = static_cast<double>(n);
    const simt::Counters& c = reply.counters();
    double blocks = 0;
    for (const simt::KernelRecord& kernel : reply.kernels())
      blocks += kernel.shared_bytes == 0 ? 0 : double(kernel.grid[0]) * kernel.grid[1] * kernel.grid[2];
    const double reads = static_cast<double>(c.global_load_lanes) / bodies;
    const double requests = static_cast<double>(c.shared_load_requests) * 32 / bodies / bodies;
    const double barriers = blocks == 0 ? 0 : static_cast<double>(c.barriers) / blocks;
    row("global_reads_of_a_body", exactly(reads), "reads");
    row("shared_requests_of_a_pair", exactly(requests), "requests");
    row("barriers_of_a_block", exactly(barriers), "barriers");
    char text[96];
    std::snprintf(text, sizeof text,
                  "%.4g global reads a body, %.3g shared requests a pair, %.4g barriers a block", reads,
                  requests, barriers);
    return text;
  }

  std::string time(std::size_t n, const Taken& taken, const Row& row) const {
    const auto bodies = static_cast<double>(n);
    const Value pairs = rate(bodies * bodies * 1e-9, taken.time());
    row("interactions", pairs, "G/s");
    row("share_of_bound", pairs / bound_, "ratio");
    char text[96];
    std::snprintf(text, sizeof text, "%6.0f G pairs/s, %.3f of the bound", pairs.value, pairs.value / bound_);
    return text;
  }

  void follow(Submission& submission, const std::string& name, const char* method, Step step, std::size_t n,
              float dt, double end) {
    constexpr float soft = 0.1F;
    std::mt19937_64 random(seed);
    State state;
    add_sphere(state, n, random, {0, 0, 0}, {0, 0, 0});
    find_accelerations(submission, state, soft);
    const double first = energy(state, soft);
    const auto steps = static_cast<int>(end / dt);
    const int between = std::max(1, steps / 128);
    double error = 0;
    for (int k = 0; k <= steps; ++k) {
      if (k > 0) step(submission, state, dt, soft);
      if (k % between != 0) continue;
      error = (energy(state, soft) - first) / std::abs(first);
      add(name, method, n, 0, dt, k * dt, "energy_error", exactly(error), "of |E|", Taken{});
    }
    std::printf("%-34s %-20s dt = %g: after %d steps the energy is off by %.2g of itself\n", name.c_str(),
                method, static_cast<double>(dt), steps, error);
    std::fflush(stdout);
  }

  void add(const std::string& submission, const char* function, std::size_t n, int tile, double k_or_dt,
           double time, const char* metric, const Value& value, const char* unit, const Taken& taken) {
    const bool is_simulation = std::string_view(metric) == "energy_error";
    add_row(table_,
            {submission, function, n, tile, is_simulation ? 0 : static_cast<int>(k_or_dt),
             is_simulation ? k_or_dt : 0.0, time},
            metric, value, unit, taken);
  }

  bool is_small_ = false;
  std::vector<std::size_t> sizes_;
  double bound_ = 0;
};

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, WARPBOOK_CONTRACT_FILE,
                   {"submission", "function", "n", "tile", "bodies_per_thread", "dt", "time"},
                   [](const BenchOptions& options, Table& table, const std::vector<Measured>& all) {
                     Bench bench(options, table);
                     bench.find_bound();
                     bench.measure(all);
                     for (const Measured& measured : all) {
                       if (!bench.simulates(measured)) continue;
                       bench.follow_energy(measured);
                       bench.collide(measured);
                       break;
                     }
                   });
}
