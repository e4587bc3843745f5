// What a run leaves behind is gone after cudaDeviceReset() and take_report(): the next one is as in a new process.
#include "simulation.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

using namespace simt;

namespace {

/// All that a run tells: the answers of the device, findings and counters.
std::string probe() {
  configure(with_schedule(Schedule::random));
  int answers[8] = {};
  call("run_probe", answers);
  const std::string report = nlohmann::json(take_report()).dump(1);
  cudaDeviceReset();
  return nlohmann::json(answers).dump() + report;
}

/// The same, told by a process that has run nothing before.
std::string probe_in_new_process() {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t process = fork();
  if (process == 0) {
    const std::string text = probe();
    _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char piece[4096];
  for (ssize_t length; (length = read(ends[0], piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(length));
  close(ends[0]);
  int status = 1;
  waitpid(process, &status, 0);
  REQUIRE(status == 0);
  return text;
}

} // namespace

TEST_CASE("a run after one that failed is like one in a new process") {
  const std::string wanted = probe_in_new_process();
  CHECK(wanted.find("shared-race") != std::string::npos);
  CHECK(wanted.starts_with("[0,0,1077952576,1,64,2048,1,1]")); // sums, heap, children, limits, and a refusal
  for (const char* failing : {"fail_stray", "fail_barrier", "fail_endless", "fail_pending", "fail_children",
                              "fail_partly", "fail_refused", "fail_settings"}) {
    INFO(failing);
    configure(with_schedule(Schedule::reverse));
    int* numbers = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&numbers), 4096);
    cudaMemset(numbers, 0, 4096);
    call(failing, numbers);
    cudaDeviceReset();
    CHECK_FALSE(take_report().diagnostics.empty());
    CHECK(probe() == wanted);
  }
}

TEST_CASE("a reset leaves no stream or event that could be used") {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  cudaDeviceReset();
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventQuery(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(nullptr) != cudaErrorInvalidDevice);
  cudaDeviceReset();
}
