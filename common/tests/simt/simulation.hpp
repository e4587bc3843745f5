// Runs functions of a test module on the simulator and hands out what it reports.
#pragma once

#include "simt/report/symbolizer.hpp"
#include "simt/report/wording.hpp"
#include "simt/runtime/machine/simt.hpp"

#include "cuda_runtime_api.h"

#include <string>
#include <vector>

namespace simt {

inline constexpr Schedule all_schedules[] = {Schedule::forward, Schedule::reverse, Schedule::random};

/// The module under test: SIMT_TEST_MODULE of the environment, else the one that the test was built with.
const char* module_under_test(const char* built_with);
#define MODULE ::simt::module_under_test(SIMT_DEFAULT_MODULE)

/// A function of a module, which is loaded once.
void* find_function(const char* module, const char* name);

/// Calls `name(arguments...)` of the module in a clean simulator. Kernels' sticky errors end with the next
/// call.
template <class... Arguments>
Report run_function(const char* module, const Options& options, const char* name, Arguments... arguments) {
  cudaGetLastError();
  configure(options);
  take_report();
  reinterpret_cast<void (*)(Arguments...)>(find_function(module, name))(arguments...);
  return take_report();
}

#define SIMT_RUN(name, ...) ::simt::run_function(MODULE, ::simt::Options{}, name __VA_OPT__(, ) __VA_ARGS__)
#define SIMT_RUN_WITH(options, name, ...)                                                                    \
  ::simt::run_function(MODULE, options, name __VA_OPT__(, ) __VA_ARGS__)

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

} // namespace simt
