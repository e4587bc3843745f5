// The sweeps of lab 06: how many values per second are counted, against the number of bins, by every submission
// that has the function, with values spread over all bins and with skewed ones; histogram_cluster for every
// cluster size too. On the simulator: which atomics a value costs. With --input FILE: the byte pairs of a
// file, 65,536 bins. Every output is compared with counts made on the CPU before its time or counter is
// believed.

#include <algorithm>
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
#include "lab.hpp"
#include "needs.hpp"

using namespace warpbook;

namespace {

constexpr std::size_t sim_values = 20'000;
constexpr std::uint64_t seed = 1;

constexpr unsigned pair_bins = 65'536;
constexpr std::size_t file_pairs = std::size_t{1} << 25; ///< of a file, counted in one call
constexpr std::size_t sim_file_pairs = std::size_t{1} << 20;

/// Values of a sweep: all bins alike; fifteen of sixteen in the first bin, for they are below 0; all in one
/// bin.
Distribution distribution(const std::string& values, unsigned nbins) {
  if (values == "one value") return constant(nbins / 2);
  const double last = static_cast<double>(nbins) - 1;
  return whole_numbers(values == "skewed" ? -15.0 * nbins : 0, last);
}

/// What a function needs for its values: what is not known is a matter of choice.
struct Least {
  std::optional<std::size_t> remote_atomics, global_atomics;
};

/// Additions per value to global memory: one for each bin and block or cluster, or for each value where none has counters of its own.
double most_additions(const Reply& reply, std::size_t n, unsigned nbins) {
  double copies = 0;
  for (const simt::KernelRecord& kernel : reply.kernels())
    if (kernel.shared_bytes != 0) copies += static_cast<double>(volume(kernel.grid) / volume(kernel.cluster));
  return copies == 0 ? 1 : std::min(1.0, copies * nbins / static_cast<double>(n));
}

/// What is counted of n values, on the simulator: atomics and bytes per value. `least` is asked when they have been counted.
std::vector<Metric> counts_per_value(std::size_t n, unsigned nbins, const std::function<Least()>& least) {
  using C = simt::Counters;
  const auto each = [=](const char* name, const char* words, CounterField field,
                        CounterField other = nullptr) {
    Metric metric = count(name, "per value", words, [=](const Reply& reply) {
      const C& c = reply.counters();
      return static_cast<double>(c.*field + (other == nullptr ? 0 : c.*other)) / static_cast<double>(n);
    });
    metric.shown = rounded;
    return metric;
  };
  const auto of_least = [=](Metric metric, std::optional<std::size_t> Least::*which) {
    return with_least(std::move(metric), [=](const Reply&) -> std::optional<double> {
      const std::optional<std::size_t> needed = least().*which;
      return needed ? std::optional(per(*needed, n)) : std::nullopt;
    });
  };
  return {
      each("shared_atomics", "", &C::shared_atomic_lanes, &C::remote_shared_atomics),
      of_least(each("remote_atomics", "/", &C::remote_shared_atomics), &Least::remote_atomics),
      with_taught(of_least(each("global_atomics", " ", &C::global_atomic_lanes), &Least::global_atomics),
                  [=](const Reply& reply) { return most_additions(reply, n, nbins); }),
      with_least(each("bytes_read", "", &C::global_load_bytes), per(cluster_histogram::bytes_to_read(n), n))};
}

// ---- the sweep -------------------------------------------------------------------------------------------

/// The points of a sweep over the numbers of bins.
struct Points {
  Sweep& sweep;
  std::size_t n;
  std::vector<unsigned> all_nbins;
  std::map<std::pair<std::string, unsigned>, std::vector<unsigned>> made = {};

  /// The counts that a point must give; made once for all submissions.
  const std::vector<unsigned>& expected(const std::string& kind, unsigned nbins) {
    std::vector<unsigned>& counts = made[{kind, nbins}];
    if (counts.empty()) counts = cluster_histogram::histogram_of(distribution(kind, nbins), seed, n, nbins);
    return counts;
  }

  /// A function against the number of bins; with a cluster size, if it takes one.
  template <typename F, typename... Size>
  void add(F function, const std::string& kind, Size... cluster_size) {
    const unsigned size = (0u + ... + cluster_size);
    const bool only_global = std::string(function.name) == "histogram_global";
    const std::string line = function.name + (size != 0 ? "(" + std::to_string(size) + ")" : std::string()) +
                             (kind == "uniform" ? "" : ", " + kind);
    for (const unsigned nbins : all_nbins) {
      const auto call = [=, this](Submission& submission, const CallOptions& how) -> std::optional<Reply> {
        Reply reply = submission.call(how, function, generated<int>(n, distribution(kind, nbins), seed), n,
                                      poisoned<unsigned>(nbins).returned(), nbins, cluster_size...);
        if constexpr (sizeof...(cluster_size) > 0)
          if (!reply.template returned<bool>()) return std::nullopt; // too many bins for that cluster
        expect_equal(reply, 1, expected(kind, nbins));
        return reply;
      };
      Spot spot{.cells = {size, nbins, kind, n},
                .counted = counts_per_value(
                    n, nbins,
                    [=, this] {
                      return Least{cluster_histogram::least_remote_atomics(nbins, only_global ? 1 : size),
                                   cluster_histogram::least_additions(expected(kind, nbins))};
                    }),
                .timed = against(Yardstick::read, "rate", "Gelem/s", static_cast<double>(n), sizeof(int)),
                .beside = std::pair{Yardstick::read, n * sizeof(int)},
                .line = line};
      spot.timed[0].words = " ";
      spot.timed[0].shown = [](double billions) {
        char text[16];
        std::snprintf(text, sizeof text, "%5.0f", billions);
        return std::string(text);
      };
      spot.timed[1].words = "";
      // Skewed values are out of range; who does not count such says so in its name.
      spot.is_for = [=](const Measured& measured) {
        return kind != "skewed" || measured.name.find("in_range") == std::string::npos;
      };
      sweep.add({function.name, call}, std::move(spot));
    }
  }
};

void measure_sweep(Sweep& sweep) {
  Points points{
      sweep, sweep.elements(sim_values, sizeof(int)), {256, 4096, 32'768, 65'536, 262'144, 524'288}};
  std::vector<std::string> kinds = {"uniform"}; // on the simulator: others need as many atomics
  if (!sweep.is_sim()) {
    // Twice what keeps the cache out of it: every block clears its counters and adds them up once, however many values
    // there are.
    if (sweep.options().size == 0) points.n *= 2;
    points.all_nbins.clear();
    for (unsigned nbins = 256; nbins <= 524'288; nbins *= 2) points.all_nbins.push_back(nbins);
    kinds.insert(kinds.end(), {"skewed", "one value"});
  }
  sweep.add_yardstick(Yardstick::read, points.n * sizeof(int), {0, 0, "", points.n}, "rate", "Gelem/s",
                      sizeof(int));
  std::printf("%s at",
              sweep.is_sim() ? "Remote and global atomics a value, in brackets the least," : "Gelem/s");
  for (const unsigned nbins : points.all_nbins) std::printf(" %u", nbins);
  std::printf(" bins:\n");
  for (const std::string& kind : kinds) points.add(CONTRACT(histogram), kind);
  points.add(CONTRACT(histogram_global), "uniform");
  for (const unsigned size : {1u, 2u, 4u, 8u, 16u}) points.add(CONTRACT(histogram_cluster), "uniform", size);
  sweep.run(true);
}

// ---- a file ----------------------------------------------------------------------------------------------

/// The bytes of the file; on the simulator those of the pairs that are counted there.
std::vector<unsigned char> bytes_of_file(const Sweep& sweep) {
  const std::filesystem::path& path = sweep.options().input;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path))
    throw std::runtime_error(path.string() + " cannot be read.");
  std::vector<unsigned char> bytes(std::filesystem::file_size(path));
  if (sweep.is_sim()) bytes.resize(std::min(bytes.size(), sim_file_pairs + 1));
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
    throw std::runtime_error(path.string() + " cannot be read to its end.");
  return bytes;
}

std::string most_frequent(const std::vector<std::uint64_t>& counts, std::size_t pairs) {
  const auto most = static_cast<unsigned>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  char text[64];
  const int first = static_cast<int>(most / 256), second = static_cast<int>(most % 256);
  const double percent = 100 * static_cast<double>(counts[most]) / static_cast<double>(pairs);
  const bool are_printed = std::isprint(first) && std::isprint(second);
  std::snprintf(text, sizeof text,
                are_printed ? "'%c%c' is %.2g%% of them" : "0x%02x 0x%02x is %.2g%% of them", first, second,
                percent);
  return text;
}

/// Counts the byte pairs of the file with every submission that has `histogram`. A pair is a byte times 256 and the byte
/// after it.
void measure_file(Sweep& sweep) {
  const std::string name = sweep.options().input.filename().string();
  const std::vector<unsigned char> bytes = bytes_of_file(sweep);
  if (bytes.size() < 2) throw std::runtime_error(name + " has no byte pairs: it is shorter than two bytes.");
  const std::size_t pairs = bytes.size() - 1;
  const auto pair = [&](std::size_t i) { return bytes[i] * 256 + bytes[i + 1]; };
  std::vector<std::uint64_t> counts(pair_bins);
  for (std::size_t i = 0; i < pairs; ++i) ++counts[static_cast<std::size_t>(pair(i))];
  if (sweep.is_sim() && pairs == sim_file_pairs)
    std::printf("The simulator counts the first MiB of a file; a GPU counts all of it.\n");
  std::printf("%s: %zu byte pairs, %td different ones; %s\n", name.c_str(), pairs,
              std::ranges::count_if(counts, [](std::uint64_t c) { return c != 0; }),
              most_frequent(counts, pairs).c_str());
  for (const Measured& measured : sweep.submissions()) {
    Submission submission(submission_options(sweep.options(), measured));
    const CallOptions how = sweep.is_sim() ? CallOptions{} : sweep.plan().timed();
    Summary whole; // of all pieces of the file, one after the other
    Taken taken;
    taken.cold = how.cold;
    try {
      for (std::size_t first = 0; first < pairs; first += file_pairs) {
        std::vector<int> values(std::min(file_pairs, pairs - first));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = pair(first + i);
        taken.reply = submission.call(how, CONTRACT(histogram), in(values), values.size(),
                                      out<unsigned>(pair_bins), pair_bins);
        expect_equal(*taken.reply, 1, cluster_histogram::histogram_of(values, pair_bins));
        if (sweep.is_sim()) continue;
        taken.seconds.clear();
        for (const double time : taken.reply->times_ms()) taken.seconds.push_back(1e-3 * time);
        const Summary piece = taken.time();
        whole.median += piece.median, whole.interval.low += piece.interval.low;
        whole.interval.high += piece.interval.high, whole.smallest += piece.smallest;
        whole.spread += piece.spread;
      }
    } catch (const ItemFailed& failed) {
      pass_over(sweep.options(), measured, failed);
      continue;
    }
    // A pair for every byte but the first: Gelem/s are GB/s of the file. The GPU reads 4 bytes for each.
    const auto speed = [=](const Taken&) { return rate(static_cast<double>(pairs) * 1e-9, whole); };
    const auto read = [=](const Taken& all) { return speed(all) / 0.25; };
    const Spot spot{.cells = {0, pair_bins, name, pairs},
                    .counted = counts_per_value(pairs, pair_bins, [] { return Least{}; }),
                    .timed = {{"file_bandwidth", "GB/s", " GB/s of the file, ", speed},
                              {"read_bandwidth", "GB/s", " GB/s of ints read", read}}};
    std::printf("%-42s same counts as the CPU; %s%s\n", measured.name.c_str(),
                sweep.is_sim() ? "remote/global atomics a value " : "",
                sweep.write(measured, "histogram", spot, taken, true).c_str());
    std::fflush(stdout);
  }
}

void measure(Sweep& sweep) {
  if (!sweep.options().input.empty()) return measure_file(sweep);
  measure_sweep(sweep);
}

} // namespace

int main(int argc, char** argv) {
  return run_bench(argc, argv, {contract_file, {"cluster_size", "nbins", "values", "n"}, Input::file},
                   measure);
}
