// What host code and other streams do with memory that unfinished work uses: it is found, unless something orders it.
#include "simulation.hpp"

#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

using namespace simt;

namespace {

Report run_alone(const char* name, int way = 0) {
  const FreshSimulator fresh;
  return SIMT_RUN(name, way);
}

/// Of a run that finds one thing: the finding, after a check of the lines of what has been issued or used.
Finding found_in(const char* name, const std::vector<std::string>& marks) {
  CAPTURE(name);
  const Finding finding = the_only(run_alone(name), "unfinished-work");
  std::vector<unsigned> lines;
  for (const std::string& mark : marks) lines.push_back(marked_line("unfinished.cu", mark));
  CHECK(lines_of(finding) == lines);
  return finding;
}

void check_clean(const char* name, int ways = 1) {
  for (int way = 0; way < ways; ++way) {
    CAPTURE(name);
    CAPTURE(way);
    for (const Finding& finding : run_alone(name, way).diagnostics) FAIL_CHECK(message_of(finding));
  }
}

} // namespace

TEST_CASE("host code must not use what a kernel writes, nor write what it reads, before it has ended") {
  const Finding read = found_in("managed_read_early", {"host", "launch", "adds"});
  CHECK(message_of(read) == "Host code reads 4 bytes of values[3] that the kernel add_one may still write: "
                            "the host goes on as soon as it "
                            "has issued that, and has not waited for its end.");
  CHECK(mentions(cure_of(read), "cudaDeviceSynchronize()"));
  CHECK(action_of(read, 0) == "reads 4 bytes of it");
  CHECK(action_of(read, 1) == "launches add_one");
  CHECK(action_of(read, 2) == "writes 4 bytes of it");
  CHECK(read.participants[2].thread.has_value());
  const Finding written = found_in("managed_written_early", {"host writes", "launch to read", "adds up"});
  CHECK(mentions(message_of(written),
                 "Host code writes 4 bytes of values[4] that the kernel add_up may still read"));
  CHECK(mentions(message_of(found_in("mapped_read_early", {"host clears", "launch mapped", "adds"})),
                 "values[0]"));
  CHECK(mentions(message_of(found_in("variable_read_early", {"host counts", "launch to count", "counts"})),
                 "count"));
}

TEST_CASE("whatever waits for the kernel lets the host read its results") { check_clean("read_in_time", 10); }

TEST_CASE("bytes that are not shared, and those that are volatile or atomic, are no conflict") {
  check_clean("kept_apart", 4);
}

TEST_CASE("a page-locked buffer belongs to its copy until someone has waited for that") {
  const Finding used = found_in("buffer_used_early", {"next value", "copies buffer"});
  CHECK(mentions(message_of(used),
                 "Host code writes 4 bytes of values[7] that an earlier copy or memset may still read"));
  CHECK(action_of(used, 1) == "starts the copy that reads it");
  CHECK(mentions(message_of(found_in("result_read_early", {"reads result", "copies back"})),
                 "may still write"));
  const Finding two = found_in("buffer_given_to_two", {"second copy", "first copy"});
  CHECK(mentions(message_of(two), "in another stream may still read: nothing orders the two."));
  check_clean("buffer_used_in_time");
}

TEST_CASE("work of two streams that nothing orders must not share what one of them writes") {
  const Finding overtaken = found_in("overtaken", {"overtakes", "non-blocking"});
  CHECK(message_of(overtaken) ==
        "A copy or memset uses values[0] that the kernel add_one in another stream may still "
        "write: nothing orders the two.");
  CHECK(mentions(cure_of(overtaken), "cudaStreamWaitEvent"));
  CHECK(action_of(overtaken, 0) == "starts the copy that reads it");
  CHECK(action_of(overtaken, 1) == "launches add_one");
  CHECK(action_of(found_in("set_too_late", {"does not wait", "sets"}), 1) ==
        "starts the copy or memset that writes it");
  found_in("copied_in_another_stream", {"used", "copied"});
  found_in("two_kernels", {"other kernel", "one kernel"});
}

TEST_CASE("the default stream, events and the host order the work of streams") {
  check_clean("streams_in_order", 6);
  check_clean("pipeline");
}

TEST_CASE("events and streams are not ready when they are asked at once, and then are") {
  const FreshDevice fresh;
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr, end = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaSuccess); // nothing was issued
  CHECK(cudaEventRecord(start, stream) == cudaSuccess);
  CHECK(cudaEventRecord(end, stream) == cudaSuccess);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorNotReady);
  CHECK(cudaGetLastError() == cudaSuccess); // as on an H200
  CHECK(milliseconds == -1);
  CHECK(cudaEventQuery(start) == cudaErrorNotReady);
  CHECK(cudaEventQuery(start) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorNotReady);
  CHECK(cudaStreamQuery(nullptr) == cudaErrorNotReady); // it waits for the other one
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess);
  CHECK(milliseconds >= 0);
  CHECK(cudaEventRecord(end, stream) == cudaSuccess);
  CHECK(cudaEventSynchronize(end) == cudaSuccess);
  CHECK(cudaEventQuery(end) == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
}
