// The sweeps of lab 06: how many values a second are counted, against the number of bins, by every submission
// that has the function, with values spread over all bins and with skewed ones; histogram_cluster for every
// cluster size too. On the simulator: which atomics a value costs. With --input FILE: the byte pairs of a
// file, 65,536 bins. Every output is compared with counts made on the CPU before its time or counter is
// believed: in the calls that point() adds to the plan, which takes the times (bench/plan.hpp), and in measure_file().

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/sweep.hpp"
#include "call/generate.hpp"
#include "exact_counts.hpp"
#include "grader/compare.hpp"
#include "grader/yardstick.hpp"
#include "lab.hpp"

using namespace warpbook;

namespace {

constexpr std::size_t sim_values = 20'000;
constexpr std::uint64_t seed = 1;

constexpr unsigned pair_bins = 65'536;
constexpr std::size_t file_pairs = std::size_t{1} << 25; ///< of a file, counted in one call
constexpr std::size_t sim_file_pairs = std::size_t{1} << 20;

/// Where a row stands in the table.
struct Point {
  std::string submission;
  std::string function;
  unsigned cluster_size = 0; ///< 0: the function takes none
  unsigned nbins = 0;
  std::string values; ///< "uniform", "skewed", "one value", or a file's name
  std::size_t n = 0;
};

/// Values of a sweep: all bins alike; fifteen of sixteen in the first bin, for they are below 0; all in one
/// bin.
Distribution distribution(const std::string& values, unsigned nbins) {
  if (values == "one value") return constant(nbins / 2);
  const double last = static_cast<double>(nbins) - 1;
  return whole_numbers(values == "skewed" ? -15.0 * nbins : 0, last);
}

class Bench : Sweep {
public:
  Bench(const BenchOptions& options, Table& table) : Sweep(options, table) {
    // Twice what keeps the cache out of it: every block clears its counters and adds them up once, however many values
    // there are.
    size_ = elements(sim_values, sizeof(int));
    if (options.size == 0 && !is_sim_) size_ *= 2;
    if (is_sim_)
      nbins_ = {256, 4096, 32'768, 65'536, 262'144, 524'288};
    else
      for (unsigned nbins = 256; nbins <= 524'288; nbins *= 2) nbins_.push_back(nbins);
  }

  /// What this machine reads at the most; on a GPU only.
  void measure_ceiling() {
    if (is_sim_) return;
    const std::size_t bytes = size_ * sizeof(int);
    const Taken taken = plan_.ceilings()->measure(Yardstick::read, bytes);
    const Value values = rate(static_cast<double>(bytes) / sizeof(int) * 1e-9, taken.time());
    add({"yardstick", "read", 0, 0, "", size_}, "rate", values, "Gelem/s", taken);
    std::printf("%-42s %-24s %6.0f Gelem/s\n", "yardstick", "read", values.value);
    std::fflush(stdout);
  }

  /// What the numbers are that measure() prints.
  void print_heading() const {
    std::printf("%s at", is_sim_ ? "Remote and global atomics a value" : "Gelem/s");
    for (const unsigned nbins : nbins_) std::printf(" %u", nbins);
    std::printf(" bins:\n");
  }

  void measure(const std::vector<Measured>& all) {
    for (const Measured& measured : all) plan(measured);
    plan_.run(true);
  }

  /// Counts the byte pairs of the file with every submission that has `histogram`.
  void measure_file(const std::vector<Measured>& all) {
    const std::string name = options_.input.filename().string();
    std::vector<std::uint64_t> counts(pair_bins);
    std::size_t pairs = 0;
    for_each_chunk([&](const std::vector<int>& values) {
      for (const int value : values) ++counts[static_cast<std::size_t>(value)];
      pairs += values.size();
    });
    if (pairs == 0) throw std::runtime_error(name + " has no byte pairs: it is shorter than two bytes.");
    if (is_sim_ && pairs == sim_file_pairs)
      std::printf("The simulator counts the first MiB of a file; a GPU counts all of it.\n");
    std::printf("%s: %zu byte pairs, %td different ones; %s\n", name.c_str(), pairs,
                std::count_if(counts.begin(), counts.end(), [](std::uint64_t c) { return c != 0; }),
                most_frequent(counts, pairs).c_str());
    for (const Measured& measured : all) {
      Submission submission(submission_options(options_, measured));
      std::vector<std::uint64_t> found(pair_bins);
      Summary whole; // of all pieces of the file, one after the other
      Taken taken;
      simt::Counters counters;
      try {
        for_each_chunk([&](const std::vector<int>& values) {
          const Reply reply = submission.call(is_sim_ ? CallOptions{} : plan_.timed(), CONTRACT(histogram),
                                              in(values), values.size(), out<unsigned>(pair_bins), pair_bins);
          const std::span<const unsigned> part = reply.values<unsigned>(1);
          std::transform(part.begin(), part.end(), found.begin(), found.begin(), std::plus<std::uint64_t>());
          counters += reply.counters();
          if (is_sim_) return;
          taken.cold = plan_.timed().cold;
          taken.seconds.clear();
          for (const double time : reply.times_ms()) taken.seconds.push_back(1e-3 * time);
          const Summary piece = taken.time();
          whole.median += piece.median, whole.interval.low += piece.interval.low;
          whole.interval.high += piece.interval.high, whole.smallest += piece.smallest;
          whole.spread += piece.spread;
        });
      } catch (const ItemFailed& failed) {
        if (failed.is_missing_function()) continue;
        throw std::runtime_error(measured.name + ": " + failed.what());
      }
      if (found != counts)
        throw std::runtime_error(measured.name + " counts other pairs of " + name + " than the CPU does.");
      const Point point{measured.name, "histogram", 0, pair_bins, name, pairs};
      std::string text;
      if (is_sim_) {
        text = "remote/global atomics a value" + add_counters(point, counters, taken);
      } else {
        // A pair for every byte but the first: Gelem/s are GB/s of the file. The GPU reads 4 bytes for each.
        const Value speed = rate(static_cast<double>(pairs) * 1e-9, whole);
        add(point, "file_bandwidth", speed, "GB/s", taken);
        add(point, "read_bandwidth", speed / 0.25, "GB/s", taken);
        char words[96];
        std::snprintf(words, sizeof words, "%6.1f GB/s of the file, %6.0f GB/s of ints read", speed.value,
                      4 * speed.value);
        text = words;
      }
      std::printf("%-42s same counts as the CPU; %s\n", measured.name.c_str(), text.c_str());
      std::fflush(stdout);
    }
  }

private:
  /// Calls visit(values) for pieces of the file: a value is a byte times 256 and the byte after it.
  void for_each_chunk(const std::function<void(const std::vector<int>&)>& visit) const {
    std::ifstream file(options_.input, std::ios::binary);
    if (!file || !std::filesystem::is_regular_file(options_.input))
      throw std::runtime_error(options_.input.string() + " cannot be read.");
    const std::size_t most = is_sim_ ? sim_file_pairs : file_pairs;
    std::vector<unsigned char> bytes(1);
    file.read(reinterpret_cast<char*>(bytes.data()), 1);
    if (!file) return;
    while (true) { // the last byte of a piece is the first of the next
      const unsigned char carried = bytes.back();
      bytes.resize(most + 1);
      bytes[0] = carried;
      file.read(reinterpret_cast<char*>(bytes.data() + 1), static_cast<std::streamsize>(most));
      const auto pairs = static_cast<std::size_t>(file.gcount());
      if (file.bad()) throw std::runtime_error(options_.input.string() + " cannot be read to its end.");
      bytes.resize(pairs + 1);
      if (pairs == 0) return;
      std::vector<int> values(pairs);
      for (std::size_t i = 0; i < pairs; ++i) values[i] = bytes[i] * 256 + bytes[i + 1];
      visit(values);
      if (is_sim_) return;
    }
  }

  void plan(const Measured& measured) {
    const bool in_range_only = measured.name.find("in_range") != std::string::npos; // says so in its header
    const auto sweep = [&](const std::string& values, const std::string& function, unsigned cluster_size,
                           const auto& call) {
      for (const unsigned nbins : nbins_)
        point(measured, {measured.name, function, cluster_size, nbins, values, size_}, call);
    };
    const auto input = [](const Point& p) {
      return generated<int>(p.n, distribution(p.values, p.nbins), seed);
    };
    const auto output = [](const Point& p) { return poisoned<unsigned>(p.nbins).returned(); };
    std::vector<std::string> kinds = {"uniform"}; // on the simulator: others need as many atomics
    if (!is_sim_) kinds.insert(kinds.end(), {"skewed", "one value"});
    for (const std::string& values : kinds) {
      if (in_range_only && values == "skewed") continue;
      sweep(values, "histogram", 0, [=](Submission& submission, const CallOptions& how, const Point& p) {
        return std::optional<Reply>(
            submission.call(how, CONTRACT(histogram), input(p), p.n, output(p), p.nbins));
      });
    }
    sweep("uniform", "histogram_global", 0,
          [=](Submission& submission, const CallOptions& how, const Point& p) {
            return std::optional<Reply>(
                submission.call(how, CONTRACT(histogram_global), input(p), p.n, output(p), p.nbins));
          });
    for (const unsigned size : {1u, 2u, 4u, 8u, 16u}) {
      sweep("uniform", "histogram_cluster", size,
            [=](Submission& submission, const CallOptions& how, const Point& p) -> std::optional<Reply> {
              Reply reply =
                  submission.call(how, CONTRACT(histogram_cluster), input(p), p.n, output(p), p.nbins, size);
              if (!reply.returned<bool>()) return std::nullopt; // too many bins for that cluster
              return reply;
            });
    }
  }

  using Call = std::function<std::optional<Reply>(Submission&, const CallOptions&, const Point&)>;

  static std::string heading(const std::string& function, unsigned cluster_size, const std::string& values) {
    return function + (cluster_size != 0 ? "(" + std::to_string(cluster_size) + ")" : "") +
           (values == "uniform" ? "" : ", " + values);
  }

  static std::string most_frequent(const std::vector<std::uint64_t>& counts, std::size_t pairs) {
    const auto most = static_cast<unsigned>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    char text[64];
    const int first = static_cast<int>(most / 256), second = static_cast<int>(most % 256);
    const double percent = 100 * static_cast<double>(counts[most]) / static_cast<double>(pairs);
    if (std::isprint(first) && std::isprint(second))
      std::snprintf(text, sizeof text, "'%c%c' is %.2g%% of them", first, second, percent);
    else
      std::snprintf(text, sizeof text, "0x%02x 0x%02x is %.2g%% of them", first, second, percent);
    return text;
  }

  /// Plans to count once (simulator) or with a clock (GPU), if the submission can count there.
  void point(const Measured& measured, const Point& p, const Call& call) {
    const auto checked = [=, this](Submission& submission, const CallOptions& how) {
      std::optional<Reply> reply = call(submission, how, p);
      if (reply) expect_equal(*reply, 1, expected(p));
      return reply;
    };
    const auto report = [=, this](const Taken& taken) {
      return is_sim_ ? add_counters(p, taken.reply->counters(), taken) : add_rate(p, taken);
    };
    plan_.add(p.function, {measured,
                           p.function,
                           heading(p.function, p.cluster_size, p.values),
                           checked,
                           report,
                           std::pair{Yardstick::read, size_ * sizeof(int)},
                           {}});
  }

  std::string add_rate(const Point& p, const Taken& taken) {
    const Value values = rate(static_cast<double>(p.n) * 1e-9, taken.time());
    const double most = taken.ceiling / sizeof(int); // Gelem/s
    add(p, "rate", values, "Gelem/s", taken);
    add(p, "ratio_to_read", values / most, "ratio", taken);
    char text[16];
    std::snprintf(text, sizeof text, "%6.0f", values.value);
    return text;
  }

  std::string add_counters(const Point& p, const simt::Counters& c, const Taken& taken) {
    const auto each = [&](std::uint64_t count) {
      return static_cast<double>(count) / static_cast<double>(p.n);
    };
    const auto count = [&](const char* metric, std::uint64_t value) {
      add(p, metric, exactly(each(value)), "per value", taken);
    };
    count("shared_atomics", c.shared_atomic_lanes + c.remote_shared_atomics);
    count("remote_atomics", c.remote_shared_atomics);
    count("global_atomics", c.global_atomic_lanes);
    count("bytes_read", c.global_load_bytes);
    char text[32];
    std::snprintf(text, sizeof text, "  %.2f/%.2f", each(c.remote_shared_atomics),
                  each(c.global_atomic_lanes));
    return text;
  }

  /// The counts that a point must give; made once for all submissions.
  const std::vector<unsigned>& expected(const Point& p) {
    std::vector<unsigned>& counts = expected_[{p.values, p.nbins}];
    if (counts.empty())
      counts = cluster_histogram::histogram_of(distribution(p.values, p.nbins), seed, p.n, p.nbins);
    return counts;
  }

  void add(const Point& p, const char* metric, const Value& value, const char* unit, const Taken& taken) {
    add_row(table_, {p.submission, p.function, p.cluster_size, p.nbins, p.values, p.n}, metric, value, unit,
            taken);
  }

  std::size_t size_ = 0;
  std::vector<unsigned> nbins_;
  std::map<std::pair<std::string, unsigned>, std::vector<unsigned>> expected_;
};

} // namespace

int main(int argc, char** argv) {
  return run_bench(
      argc, argv, WARPBOOK_CONTRACT_FILE, {"submission", "function", "cluster_size", "nbins", "values", "n"},
      [](const BenchOptions& options, Table& table, const std::vector<Measured>& all) {
        Bench bench(options, table);
        if (options.input.empty()) {
          bench.measure_ceiling();
          bench.print_heading();
          bench.measure(all);
        } else {
          bench.measure_file(all);
        }
      },
      Input::file);
}
