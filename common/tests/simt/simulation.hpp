// Runs functions of a test module on the simulator and hands out what it reports.
#pragma once

#include "simt/report/symbolizer.hpp"
#include "simt/report/wording.hpp"
#include "simt/runtime/machine/simt.hpp"

#include "cuda_runtime_api.h"

#include <doctest/doctest.h>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace simt {

inline constexpr Schedule all_schedules[] = {Schedule::forward, Schedule::reverse, Schedule::random};

/// The module under test, which CTest names: SIMT_TEST_MODULE of the environment.
const char* module_under_test();

/// What becomes of accesses that the simulator does not see, if CTest names it: SIMT_TEST_UNSEEN. Other tests have none, so that all
/// has to stay as it is.
std::optional<UnseenAccess> unseen_under_test();

/// A function of the module, which is loaded once.
void* find_function(const char* name);

/// What the function of the module returns.
template <class Result = void, class... Arguments>
Result call(const char* name, Arguments... arguments) {
  return reinterpret_cast<Result (*)(Arguments...)>(find_function(name))(arguments...);
}

/// The kernel that the function of the module names.
inline void* kernel(const char* name) { return const_cast<void*>(call<const void*>(name)); }

/// Calls `name(arguments...)` of the module in a clean simulator. Kernels' sticky errors end with the next
/// call.
template <class... Arguments>
Report run_function(Options options, const char* name, Arguments... arguments) {
  cudaGetLastError();
  options.unseen = unseen_under_test().value_or(options.unseen);
  configure(options);
  take_report();
  call(name, arguments...);
  return take_report();
}

#define SIMT_RUN(name, ...) ::simt::run_function(::simt::Options{}, name __VA_OPT__(, ) __VA_ARGS__)
#define SIMT_RUN_WITH(options, name, ...) ::simt::run_function(options, name __VA_OPT__(, ) __VA_ARGS__)

Options with_schedule(Schedule schedule);

/// The only diagnostic, merged by line, which must have this id; anything else fails the test.
Finding the_only(Report report, const std::string& id);

/// Source lines of a diagnostic's participants.
std::vector<unsigned> lines_of(const Finding& diagnostic);
std::vector<unsigned> sorted_lines(const Finding& diagnostic);

/// The path of a file that lies with the tests.
std::string beside_the_tests(const char* file);

/// The number of the first line of `file`, which lies with the tests, that ends in the comment `// mark`.
unsigned marked_line(const char* file, const std::string& mark);
/// The lines with these two marks, sorted.
std::vector<unsigned> marked_lines(const char* file, const std::string& first, const std::string& second);

/// Device memory for the time of a test.
template <class T>
class Buffer {
public:
  explicit Buffer(std::size_t count, bool written = true) : count_(count) {
    cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T));
    if (written) cudaMemset(data_, 0, count * sizeof(T));
  }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size(), false) {
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* get() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> result(count_);
    cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
  }

private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// Numbers from 0.
inline std::vector<int> counted(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

template <class T>
void name(const Buffer<T>& buffer, std::size_t count, const char* text, bool initialised = true) {
  describe_allocation(buffer.get(), 0, count * sizeof(T), initialised, text, sizeof(T));
}

/// A launch error stays until the device is reset.
struct FreshDevice {
  FreshDevice() { cudaDeviceReset(); }
  ~FreshDevice() { cudaDeviceReset(); }
};

/// A device without errors, options and findings of earlier runs.
struct FreshSimulator {
  FreshSimulator() { forget(); }
  ~FreshSimulator() { forget(); }
  static void forget() {
    cudaDeviceReset();
    configure(Options{});
    take_report();
  }
};

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs a function that launches one kernel, without a finding.
template <class... Arguments>
Report clean_run(Schedule schedule, const char* name, Arguments... arguments) {
  Report report = SIMT_RUN_WITH(with_schedule(schedule), name, arguments...);
  for (const Finding& diagnostic : report.diagnostics)
    FAIL_CHECK(diagnostic.id << ": " << message_of(diagnostic));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(report.kernels.size() == 1);
  return report;
}

} // namespace simt
