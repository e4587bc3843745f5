#include "simulation.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <set>

using namespace simt;

namespace {} // namespace

TEST_CASE("a guarded copy gives the right result without complaints under every schedule") {
  FreshDevice fresh;
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  Buffer<float> in(values);
  for (Schedule schedule : all_schedules) {
    Buffer<float> out(1000, false);
    Report report = SIMT_RUN_WITH(with_schedule(schedule), "run_copy", in.get(), out.get(), 1000);
    CHECK(report.diagnostics.empty());
    CHECK(out.values() == values);
  }
}

TEST_CASE("an access past a buffer's end is reported with buffer, distance and line") {
  FreshDevice fresh;
  Buffer<float> in(64), out(96);
  describe_allocation(in.get(), 0, 256, true, "in", 4);
  Report report = SIMT_RUN("run_copy_unguarded", in.get(), out.get(), 3);
  Finding d = the_only(report, "out-of-bounds");
  CHECK(d.count == 32);
  CHECK(mentions(message_of(d), "reads 4 bytes"));
  CHECK(mentions(message_of(d), "just past the end of in, which has 64 elements"));
  CHECK(mentions(message_of(d), "in[64]"));
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("memory.cu", "unguarded")});
  CHECK(d.participants[0].thread == ThreadId{{2, 0, 0}, {0, 0, 0}, 0, 0});
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("only the described part of an allocation belongs to the buffer") {
  FreshDevice fresh;
  Buffer<float> in(64), out(64);
  describe_allocation(out.get(), 64, 128, true, "out", 4);
  Report report = SIMT_RUN("run_copy_unguarded", in.get(), out.get(), 2);
  Finding d = the_only(report, "out-of-bounds");
  CHECK(d.count == 32);
  CHECK(mentions(message_of(d), "64 bytes before the start of out"));
}

TEST_CASE("freed memory is not to be used") {
  FreshDevice fresh;
  Buffer<float> out(32);
  float* freed = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&freed), 128);
  cudaFree(freed);
  Finding d = the_only(SIMT_RUN("run_copy", freed, out.get(), 32), "use-after-free");
  CHECK(mentions(message_of(d), "has been freed"));
}

TEST_CASE("reading device memory that was not written is reported, also where the host wrote poison") {
  FreshDevice fresh;
  Buffer<float> untouched(32, false), poisoned(32), out(32);
  describe_allocation(poisoned.get(), 0, 128, false, "scratch", 4);
  Finding d = the_only(SIMT_RUN("run_copy", untouched.get(), out.get(), 32), "uninitialised-read");
  CHECK(d.count == 32);
  Finding p = the_only(SIMT_RUN("run_copy", poisoned.get(), out.get(), 8), "uninitialised-read");
  CHECK(p.variable == "scratch");
  CHECK(index_text(p) == "[0]");
  CHECK(SIMT_RUN("run_copy", out.get(), poisoned.get(), 32).diagnostics.empty());
  CHECK(SIMT_RUN("run_copy", poisoned.get(), out.get(), 32).diagnostics.empty());
}

TEST_CASE("reading an unwritten element of a shared array is reported with its indices in every block") {
  FreshDevice fresh;
  Buffer<float> out(32);
  for (Schedule schedule : all_schedules) {
    Finding d = the_only(SIMT_RUN_WITH(with_schedule(schedule), "run_read_unwritten_shared", out.get()),
                         "uninitialised-read");
    CHECK(d.variable == "tile");
    CHECK(index_text(d) == "[1][5]");
    CHECK(d.count == 2);
    CHECK(lines_of(d) == std::vector<unsigned>{marked_line("memory.cu", "unwritten shared")});
  }
}

TEST_CASE("one element past a shared array is out of bounds although another array follows") {
  FreshDevice fresh;
  Buffer<float> out(32);
  Finding d = the_only(SIMT_RUN("run_shared_past_end", out.get()), "out-of-bounds");
  CHECK(mentions(message_of(d), "just past the end of the shared variable first, which has 128 bytes"));
  CHECK(d.participants[0].thread->lane == 31);
}

TEST_CASE("dynamic shared memory ends where the launch said") {
  FreshDevice fresh;
  Buffer<float> out(1);
  CHECK(SIMT_RUN("run_dynamic_shared", out.get(), 7, 32).diagnostics.empty());
  Report report = SIMT_RUN("run_dynamic_shared", out.get(), 8, 32);
  REQUIRE(report.diagnostics.size() >= 1);
  CHECK(report.diagnostics[0].id == "out-of-bounds");
  CHECK(mentions(message_of(report.diagnostics[0]), "buffer, which has 32 bytes"));
  report = SIMT_RUN("run_dynamic_shared", out.get(), 7, 30);
  REQUIRE(report.diagnostics.size() >= 1);
  CHECK(mentions(message_of(report.diagnostics[0]),
                 "it lies across the end of the shared variable buffer, which has 30 bytes"));
}

TEST_CASE("a misaligned vector access ends the kernel as on the device") {
  FreshDevice fresh;
  Buffer<float> in(32), out(1);
  Finding d = the_only(SIMT_RUN("run_misaligned", in.get(), out.get()), "misaligned-access");
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("memory.cu", "misaligned")});
  CHECK(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
}

TEST_CASE("host memory in a kernel is reported and ends the kernel") {
  FreshDevice fresh;
  Buffer<int> out(1);
  CHECK(
      mentions(message_of(the_only(SIMT_RUN("run_read_host_variable", out.get()), "host-pointer-in-kernel")),
               "global variable of the host"));
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  cudaDeviceReset();
  CHECK(mentions(message_of(the_only(SIMT_RUN("run_write_to_local", static_cast<int*>(nullptr)),
                                     "host-pointer-in-kernel")),
                 "local variable of the host"));
  cudaDeviceReset();
  std::vector<int> heap(100);
  the_only(SIMT_RUN("run_write_through", heap.data()), "host-pointer-in-kernel");
  CHECK(heap[0] == 0);
}

TEST_CASE("page-locked host memory can be used in a kernel") {
  FreshDevice fresh;
  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(reinterpret_cast<void**>(&pinned), sizeof(int)) == cudaSuccess);
  CHECK(SIMT_RUN("run_write_through", pinned).diagnostics.empty());
  CHECK(*pinned == 1);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

TEST_CASE("a null pointer is named as such") {
  FreshDevice fresh;
  Finding d = the_only(SIMT_RUN("run_write_through", static_cast<int*>(nullptr)), "out-of-bounds");
  CHECK(mentions(message_of(d), "null pointer"));
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
}

TEST_CASE("device memory used by host code is reported and the program goes on") {
  FreshDevice fresh;
  Buffer<int> in(std::vector<int>{1, 2, 3});
  describe_allocation(in.get(), 0, 12, true, "counts", 4);
  int value = 0;
  Finding d =
      the_only(SIMT_RUN("read_on_host", static_cast<const int*>(in.get()), &value), "device-pointer-on-host");
  CHECK(mentions(message_of(d), "counts[2]"));
  CHECK(!d.participants[0].thread);
}

TEST_CASE("device and constant variables are device memory") {
  FreshDevice fresh;
  Buffer<int> out(1);
  CHECK(SIMT_RUN("run_read_device_variable", out.get()).diagnostics.empty());
  CHECK(out.values()[0] == 4);
  float weights[] = {1, 2, 3};
  auto set_constants = reinterpret_cast<int (*)(const float*)>(find_function("set_constants"));
  CHECK(set_constants(weights) == cudaSuccess);
  Buffer<float> sums(32);
  Report report = SIMT_RUN("run_read_constants", sums.get());
  CHECK(report.diagnostics.empty());
  CHECK(sums.values()[5] == 4);
  // Constants come from their own cache; the table is a global load.
  CHECK(report.kernels[0].counters.global_load_requests == 1);
  CHECK(call<int>("wrong_symbol") == cudaErrorInvalidSymbol);
}

TEST_CASE("padding in a copied structure is not an uninitialised read") {
  FreshDevice fresh;
  Buffer<double> data(128, false);
  CHECK(SIMT_RUN("run_copy_padded", static_cast<void*>(data.get())).diagnostics.empty());
}

TEST_CASE("local arrays are neither checked nor counted as device memory") {
  FreshDevice fresh;
  Buffer<int> in(1), out(32);
  Report report = SIMT_RUN("run_use_local_array", static_cast<const int*>(in.get()), out.get());
  CHECK(report.diagnostics.empty());
  CHECK(report.kernels[0].counters.global_store_requests == 1);
}

TEST_CASE("endless recursion ends with a sentence about the stack") {
  FreshDevice fresh;
  Buffer<int> out(1);
  the_only(SIMT_RUN("run_recurse", out.get()), "stack-overflow");
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  cudaDeviceReset();
  Buffer<int> after(1);
  CHECK(SIMT_RUN("run_divide", after.get(), 2).diagnostics.empty());
}

TEST_CASE("a division by zero ends neither kernel nor program") {
  FreshDevice fresh;
  Buffer<int> out(1);
  Report report = SIMT_RUN("run_divide", out.get(), 0);
  REQUIRE(report.diagnostics.size() == 1);
  CHECK(mentions(message_of(report.diagnostics[0]), "by zero"));
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(out.values()[0] == -1);
}

TEST_CASE("addresses are used again when there are no others, and the memory there is new") {
  Options options;
  options.device_memory = std::size_t{100} << 30;
  configure(options);
  constexpr std::size_t bytes = std::size_t{90} << 30;
  void *small = nullptr, *first = nullptr, *again = nullptr;
  REQUIRE(cudaMalloc(&first, bytes) == cudaSuccess);
  REQUIRE(cudaMalloc(&small, 64) == cudaSuccess);
  REQUIRE(cudaMemset(first, 7, 64) == cudaSuccess);
  REQUIRE(cudaMemset(small, 7, 64) == cudaSuccess);
  REQUIRE(cudaFree(first) == cudaSuccess);
  bool is_back = false;
  for (int i = 0; i < 20; ++i) { // 1.8 TiB, of 256 GiB of addresses
    REQUIRE(cudaMalloc(&again, bytes) == cudaSuccess);
    is_back |= again == first;
    CHECK((static_cast<char*>(again) > static_cast<char*>(small) ||
           static_cast<char*>(again) + bytes <= small));
    char byte = 1;
    CHECK(cudaMemcpy(&byte, again, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(byte == 0);
    REQUIRE(cudaFree(again) == cudaSuccess);
  }
  CHECK(is_back);
  char kept[64];
  CHECK(cudaMemcpy(kept, small, 64, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(kept[63] == 7);
  CHECK(cudaFree(small) == cudaSuccess);
  cudaDeviceReset();
  configure({});
  take_report();
}

TEST_CASE("blocks of the device's heap are used again, but not the latest that were freed") {
  FreshDevice fresh;
  constexpr unsigned threads = 8192;
  Buffer<void*> places(threads, false);
  for (Schedule schedule : all_schedules) {
    CHECK(SIMT_RUN_WITH(with_schedule(schedule), "run_use_heap", places.get(), threads / 64)
              .diagnostics.empty());
    const std::vector<void*> all = places.values();
    const std::set<void*> different(all.begin(), all.end());
    CHECK_FALSE(different.contains(nullptr));
    CHECK(different.size() < threads / 4);
    CHECK(different.size() > threads / 16);
  }
  Buffer<int> out(1);
  Finding d = the_only(SIMT_RUN("run_use_deleted", out.get()), "use-after-free");
  CHECK(mentions(message_of(d), "the device heap"));
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("memory.cu", "deleted")});
}

TEST_CASE("what is not of the device's heap is not deleted in a kernel") {
  FreshDevice fresh;
  Buffer<int> global(std::vector<int>{0});
  Finding d = the_only(SIMT_RUN("run_delete_given", global.get()), "invalid-free");
  CHECK(lines_of(d) == std::vector<unsigned>{marked_line("memory.cu", "not of the heap")});
  int* pinned = nullptr;
  REQUIRE(cudaMallocHost(reinterpret_cast<void**>(&pinned), sizeof(int)) == cudaSuccess);
  *pinned = 0;
  the_only(SIMT_RUN("run_delete_given", pinned), "invalid-free");
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  int* const registered = new int(0);
  REQUIRE(cudaHostRegister(registered, sizeof *registered, 0) == cudaSuccess);
  the_only(SIMT_RUN("run_delete_given", registered), "invalid-free");
  CHECK(cudaHostUnregister(registered) == cudaSuccess);
  delete registered;
}
