// The sweeps of lab 03: accelerations against n for every submission, and against tile and bodies per thread for the one that has
// both as parameters. On a GPU: directed pairs per second, and their share of the bound. A directed pair is a body and another
// one that pulls it: n * n of them, whether or not a submission computes both directions at once (in FLOP/s, count 20 for each,
// as is the custom). On the simulator: reads, requests and barriers. Then two simulations by the first submission that
// has leapfrog_step (larger ones on the simulator if --size is given, which takes minutes): how the energy of a sphere of stars goes on with two methods, and two spheres that collide. Every
// output that a time or counter stands for is checked first, by expect_accelerations().

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/sweep.hpp"
#include "gravity.hpp"
#include "needs.hpp"

using namespace nbody;

namespace {

constexpr std::uint64_t seed = 3;
constexpr float softening = 0.01F;
/// That get an instruction in each cycle, from four schedulers.
constexpr double lanes_per_multiprocessor = 128;

/// What the schedulers can issue, if directed pairs take the least instructions of a method.
struct Bound {
  const char* method;
  double instructions; ///< of a directed pair
};
constexpr Bound each_direction = {"13 instructions per directed pair", 13}; ///< see the header of step 3
/// See the header of step 8.
constexpr Bound both_directions = {"17 instructions per two directed pairs", 17.0 / 2};

constexpr int tiles[] = {64, 128, 256, 512};
constexpr int bodies_per_thread[] = {1, 2, 4, 8};

/// Requires the sampled accelerations of the generated bodies. All pulls have about the size of their sum's tolerance or
/// more, so any pair that is missing or wrong shows.
void expect_accelerations(const Reply& reply, std::size_t n) {
  if (const std::optional<Off> off = first_off(reply, generated_bodies(n, seed), softening))
    fail("wrong-result", off->text);
}

// ---- speed -----------------------------------------------------------------------------------------------

/// Adds what each method allows; returns the higher bound, of computing both directions at once, in G directed pairs per
/// second. On a GPU only.
double add_bounds(Sweep& sweep, std::size_t n) {
  if (sweep.is_sim()) return 0;
  double clock = 0, multiprocessors = 0;
  for (const auto& [key, value] : device_provenance(submission_options(sweep.options(), {}))) {
    if (key == "SM clock") clock = std::stod(value) * 1e6;
    if (key == "multiprocessors") multiprocessors = std::stod(value);
  }
  if (clock == 0 || multiprocessors == 0)
    throw std::runtime_error("the device does not tell its clock or size");
  const auto allowed = [&](const Bound& bound) {
    return multiprocessors * lanes_per_multiprocessor * clock / bound.instructions * 1e-9;
  };
  for (const Bound& bound : {each_direction, both_directions}) {
    sweep.add_row("yardstick", bound.method, {n, 0, 0, 0, 0}, "interactions", exactly(allowed(bound)), "G/s");
    std::printf("%-42s %-38s %6.0f G directed pairs/s\n", "yardstick", bound.method, allowed(bound));
  }
  return allowed(both_directions);
}

/// A point at which n * n directed pairs are computed.
Spot spot(std::size_t n, int tile, int k, double bound) {
  const auto bodies = static_cast<double>(n);
  const double pairs = bodies * bodies;
  const double tiles = std::ceil(bodies / 128); // of the starter's size
  const auto reads = [=](const Reply& reply) {
    return static_cast<double>(reply.counters().global_load_lanes) / bodies;
  };
  const auto requests = [=](const Reply& reply) {
    return static_cast<double>(reply.counters().shared_load_requests) * 32 / bodies / bodies;
  };
  const auto blocks = [](const Reply& reply) { // that share bodies
    std::size_t blocks = 0;
    for (const simt::KernelRecord& kernel : reply.kernels())
      blocks += kernel.shared_bytes == 0 ? 0 : volume(kernel.grid);
    return blocks;
  };
  const auto barriers = [=](const Reply& reply) {
    return blocks(reply) == 0 ? 0 : per(reply.counters().barriers, blocks(reply));
  };
  const auto least_barriers = [=](const Reply& reply) { // none where each warp has a tile of its own
    return barriers(reply) == 0 ? std::nullopt : std::optional<double>(least_barriers_of_a_block);
  };
  Metric speed = per_second("interactions", "G/s", pairs);
  speed.words = " G directed pairs/s";
  const auto share = [=](const Taken& taken) { return rate(1e-9 * pairs, taken.time()) / bound; };
  return {
      .cells = {n, tile, k, 0, 0},
      .counted =
          {with_taught(with_least(count("global_reads_of_a_body", "reads", " global reads per body", reads),
                                  least_reads_of_a_body),
                       tiles + 1), // and a thread its own
           count("shared_requests_of_a_pair", "requests", " shared requests per 32 directed pairs", requests),
           with_taught(with_least(count("barriers_of_a_block", "barriers", " barriers per block", barriers),
                                  least_barriers),
                       2 * tiles)},
      .timed = {speed, {"share_of_issue", "ratio", " of the bound", share}}};
}

std::vector<std::size_t> sizes(const Sweep& sweep) {
  if (const std::size_t size = sweep.options().size; size != 0) return {size / 8, size / 4, size / 2, size};
  if (sweep.is_sim()) return {256, 512, 1024, 2048};
  std::vector<std::size_t> sizes;
  for (std::size_t n = 1024; n <= 262144; n *= 2) sizes.push_back(n);
  sizes.push_back(270336); // 2,048 bodies for each of 132 multiprocessors
  sizes.push_back(337920); // 2,560, which is what fills them with five bodies a thread
  return sizes;
}

void measure_speed(Sweep& sweep) {
  const auto output = [](std::size_t n) {
    return generated<float4, float>(n, constant(-0x1.badp+90), 0).sampled(64);
  };
  const auto input = [](std::size_t n) { return generated<float4, float>(n, unit_cube, seed); };
  const auto right = [](std::size_t n) {
    return [=](const Reply& reply) { expect_accelerations(reply, n); };
  };
  const std::size_t most = sizes(sweep).back();
  const double bound = add_bounds(sweep, most);
  for (const std::size_t n : sizes(sweep)) {
    sweep.add(calling(CONTRACT(accelerations), right(n), output(n), input(n), n, softening),
              spot(n, 0, 0, bound));
  }
  const std::size_t n = sweep.is_sim() ? std::min<std::size_t>(most, 1024) : most;
  for (const int tile : tiles) {
    for (const int k : bodies_per_thread) {
      sweep.add(calling(CONTRACT(accelerations_tuned), right(n), output(n), input(n), n, softening, tile, k),
                spot(n, tile, k, bound));
    }
  }
  sweep.run();
}

// ---- simulations -----------------------------------------------------------------------------------------

/// Adds a Plummer sphere of mass 1 and radius 1 in equilibrium (Aarseth, Henon and Wielen 1974): positions by their
/// cumulative mass, speeds by rejection below the speed of escape.
void add_sphere(State& state, std::size_t n, std::mt19937_64& random, const Vector& centre,
                const Vector& drift) {
  const auto unit = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  const auto on_sphere = [&](double radius) {
    const double z = 2 * unit() - 1, angle = 2 * std::numbers::pi * unit();
    const double across = radius * std::sqrt(1 - z * z);
    return Vector{across * std::cos(angle), across * std::sin(angle), radius * z};
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
    state.bodies.push_back(float4_of(on_sphere(radius) + centre, 1.0 / static_cast<double>(n)));
    state.velocities.push_back(float4_of(on_sphere(speed) + drift, 0));
  }
  state.acc.resize(state.bodies.size());
}

void find_accelerations(Submission& submission, State& state, float softening) {
  const std::size_t n = state.bodies.size();
  state.acc = submission.call(CONTRACT(accelerations), out<float4>(n), in(state.bodies), n, softening)
                  .values<float4>(0);
}

/// One step with the submission's leapfrog_step; what comes back is the next state.
void leapfrog(Submission& submission, State& state, float dt, float softening) {
  state = state_of(submission.call(CONTRACT(leapfrog_step), inout(state.bodies), inout(state.velocities),
                                   inout(state.acc), state.bodies.size(), dt, softening));
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

/// A simulation by one submission, whose energy goes to the table.
class Simulation {
public:
  Simulation(Sweep& sweep, const Measured& measured, const char* method, State state, float dt,
             float softening)
      : sweep_(sweep), measured_(measured), method_(method),
        submission_(submission_options(sweep.options(), measured)), state_(std::move(state)), dt_(dt),
        softening_(softening) {
    find_accelerations(submission_, state_, softening_);
    first_ = energy(exact_bodies(state_), softening_);
  }

  const State& state() const { return state_; }
  float now() const { return static_cast<float>(steps_) * dt_; }
  int steps() const { return steps_; }
  double worst() const { return worst_; }
  double error() const { return error_; }

  void advance(Step step) {
    step(submission_, state_, dt_, softening_);
    ++steps_;
  }
  void add_energy() {
    error_ = (energy(exact_bodies(state_), softening_) - first_) / std::abs(first_);
    worst_ = std::max(worst_, std::abs(error_));
    sweep_.add_row(measured_.name, method_, {state_.bodies.size(), 0, 0, double(dt_), double(now())},
                   "energy_error", exactly(error_), "of |E|");
  }

private:
  Sweep& sweep_;
  const Measured& measured_;
  const char* method_;
  Submission submission_;
  State state_;
  float dt_, softening_;
  double first_ = 0, error_ = 0, worst_ = 0;
  int steps_ = 0;
};

/// Whether the simulations are those that are quick on the simulator; --size asks for more.
bool is_small(const Sweep& sweep) { return sweep.is_sim() && sweep.options().size == 0; }

/// The energy of a sphere of stars, with the lab's method and two time steps, and with Euler's method.
void follow_energy(Sweep& sweep, const Measured& measured) {
  struct Run {
    const char* method;
    Step step;
    float dt;
  };
  for (const Run& run : {Run{"leapfrog", leapfrog, 1.0F / 16},
                         {"leapfrog", leapfrog, 1.0F / 32},
                         {"Euler", euler, 1.0F / 32}}) {
    std::mt19937_64 random(seed);
    State sphere;
    add_sphere(sphere, is_small(sweep) ? 128 : 1024, random, {0, 0, 0}, {0, 0, 0});
    Simulation simulation(sweep, measured, run.method, std::move(sphere), run.dt, 0.1F);
    const auto steps = static_cast<int>((is_small(sweep) ? 2.0 : 16.0) / run.dt);
    const int between = std::max(1, steps / 128);
    for (int k = 0; k <= steps; ++k) {
      if (k > 0) simulation.advance(run.step);
      if (k % between == 0) simulation.add_energy();
    }
    std::printf("%-42s %-24s dt = %g: after %d steps the energy is off by %.2g of itself\n",
                measured.name.c_str(), run.method, static_cast<double>(run.dt), steps, simulation.error());
    std::fflush(stdout);
  }
}

/// Two spheres of stars that meet; the positions at six times go to a table of their own. Each body is a row, and its
/// coordinates are in hundredths, so that the file stays small.
void collide(Sweep& sweep, const Measured& measured) {
  constexpr int times[] = {0, 8, 12, 16, 24, 40};
  const std::size_t each = !sweep.is_sim()   ? 8192
                           : is_small(sweep) ? 128
                                             : std::min<std::size_t>(sweep.options().size / 2, 2048);
  const std::size_t n = 2 * each, shown = std::min<std::size_t>(n, 4096);
  const float dt = sweep.is_sim() ? 0.125F : 0.03125F, soft = sweep.is_sim() ? 0.2F : 0.05F;
  std::mt19937_64 random(seed);
  State spheres;
  add_sphere(spheres, each, random, {-5, 1.25F, 0}, {0.3F, 0, 0});
  add_sphere(spheres, each, random, {5, -1.25F, 0}, {-0.3F, 0, 0});
  Simulation simulation(sweep, measured, "collision", std::move(spheres), dt, soft);

  std::vector<std::string> columns = {"sphere"};
  std::vector<std::vector<Cell>> rows(shown);
  for (std::size_t s = 0; s < shown; ++s) rows[s] = {s * 2 < shown ? 1 : 2};
  std::string times_text;
  for (const int time : times) {
    while (simulation.now() < static_cast<float>(time)) {
      simulation.advance(leapfrog);
      if (simulation.now() == std::floor(simulation.now())) simulation.add_energy();
    }
    times_text += (times_text.empty() ? "" : " ") + std::to_string(time);
    const std::string frame = std::to_string((columns.size() - 1) / 2);
    columns.insert(columns.end(), {"x" + frame, "y" + frame});
    for (std::size_t s = 0; s < shown; ++s) {
      const float4& b = simulation.state().bodies[s * (n / shown)];
      for (const float coordinate : {b.x, b.y})
        rows[s].emplace_back(static_cast<int>(std::lround(100 * coordinate)));
    }
  }
  std::printf("%-42s %-24s %zu bodies, %d steps: the energy is off by at most %.2g of itself\n",
              measured.name.c_str(), "collision", n, simulation.steps(), simulation.worst());
  Table picture = start_table(sweep.options(), columns);
  const std::string part = shown == n ? "" : ", " + std::to_string(shown) + " of them here";
  picture.provenance("collision", std::to_string(n) + " bodies" + part + "; dt " + to_text(dt) +
                                      ", softening " + to_text(soft) +
                                      "; coordinates in hundredths of a sphere's radius");
  picture.provenance("times", times_text);
  for (std::vector<Cell>& row : rows) picture.add(std::move(row));
  const std::filesystem::path& out = sweep.options().out;
  picture.write(out.parent_path() / ("collision-" + out.filename().string()));
}

/// Whether the submission has all functions that a simulation needs.
bool simulates(const Sweep& sweep, const Measured& measured) {
  Submission submission(submission_options(sweep.options(), measured));
  try {
    State state;
    leapfrog(submission, state, 0, 1);
    find_accelerations(submission, state, 1);
    return true;
  } catch (const ItemFailed& failed) {
    pass_over(sweep.options(), measured, failed);
    return false;
  }
}

void measure(Sweep& sweep) {
  measure_speed(sweep);
  const std::vector<Measured>& all = sweep.submissions();
  const auto first = std::ranges::find_if(all, [&](const Measured& each) { return simulates(sweep, each); });
  if (first == all.end()) return;
  follow_energy(sweep, *first);
  collide(sweep, *first);
}

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, {contract_file, {"n", "tile", "bodies_per_thread", "dt", "time"}}, measure);
}
