// What crosses between host and device, byte by byte.
#include "simt/runtime/memory/global_memory.hpp"
#include "simulation.hpp"

#include <doctest/doctest.h>

using namespace simt;

namespace {

struct Crossed {
  std::uint64_t to_host = 0, to_device = 0;
  std::vector<Transfer> transfers;
};

/// Calls a function of transfers.cu and says what has crossed.
template <class... Arguments>
Crossed crossed_in(const char* name, Arguments... arguments) {
  take_transfers();
  CHECK(SIMT_RUN(name, arguments...).diagnostics.empty());
  Crossed result{0, 0, take_transfers()};
  result.to_host = crossed(result.transfers, Crossing::to_host);
  result.to_device = crossed(result.transfers, Crossing::to_device);
  return result;
}

/// The lines where something has crossed, in the order of the code.
std::vector<unsigned> lines_of(const std::vector<Transfer>& transfers, Crossing direction) {
  Symbolizer symbolizer;
  std::vector<unsigned> lines;
  for (const Transfer& transfer : transfers) {
    const auto line = symbolizer.locate(transfer.where);
    if (transfer.direction == direction) lines.push_back(line ? line->line : 0);
  }
  return lines;
}

} // namespace

TEST_CASE("copies between host and device are counted by direction and place, those on one side are not") {
  Buffer<int> device(counted(64));
  std::vector<int> host(64);
  const Crossed all = crossed_in("copies", device.get(), host.data());
  CHECK(all.to_host == 48);
  CHECK(all.to_device == 24);
  CHECK(lines_of(all.transfers, Crossing::to_host) ==
        std::vector{marked_line("transfers.cu", "down"), marked_line("transfers.cu", "default")});
  CHECK(lines_of(all.transfers, Crossing::to_device) == std::vector{marked_line("transfers.cu", "up")});
  CHECK(all.transfers.front().by == "cudaMemcpy");
  CHECK(all.transfers.front().count == 1);
}

TEST_CASE("copies within the device count where they move single elements, and where what they leave stays "
          "in the caller's arrays") {
  for (const bool is_lent : {true, false}) {
    CAPTURE(is_lent);
    Buffer<int> to(128), from(counted(256));
    if (is_lent) describe_allocation(to.get(), 0, 128 * sizeof(int), false, "out", sizeof(int));
    const auto within = [&](int way) {
      take_transfers();
      SIMT_RUN("copies_within", to.get(), from.get(), 128, way);
      copy_for_caller(true); // the function has returned
      copy_for_caller(false);
      const std::vector<Transfer> transfers = take_transfers();
      CHECK(crossed(transfers, Crossing::to_host) + crossed(transfers, Crossing::to_device) == 0);
      return std::pair(crossed(transfers, Crossing::within_device),
                       lines_of(transfers, Crossing::within_device));
    };
    CHECK(within(0) ==
          std::pair(std::uint64_t{64 * 4}, std::vector{marked_line("transfers.cu", "short rows")}));
    const std::pair<std::uint64_t, std::vector<unsigned>> none;
    CHECK(within(1) ==
          (is_lent ? std::pair(std::uint64_t{128 * 4}, std::vector{marked_line("transfers.cu", "at once")})
                   : none));
    CHECK(within(2) == none);
    fence_memory(false);
  }
}

TEST_CASE("copies of rows, of boxes and of symbols are counted") {
  Buffer<int> device(counted(64));
  std::vector<int> host(64);
  const Crossed shapes = crossed_in("copies_of_shapes", device.get(), host.data());
  CHECK(shapes.to_host == 36 + 16);
  CHECK(shapes.to_device == 24);
  CHECK(lines_of(shapes.transfers, Crossing::to_host) ==
        std::vector{marked_line("transfers.cu", "rows"), marked_line("transfers.cu", "box")});
  const Crossed symbols = crossed_in("copies_of_symbols", device.get(), host.data());
  CHECK(symbols.to_host == 12);
  CHECK(symbols.to_device == 20);
}

TEST_CASE("managed memory crosses where host code uses it, each byte once between two launches") {
  Buffer<int> device(counted(64));
  const Crossed scratch = crossed_in("managed_scratch", device.get());
  CHECK(scratch.transfers.empty());
  const Crossed read = crossed_in("managed_read", device.get());
  CHECK(read.to_host == 64 * sizeof(int));
  CHECK(read.to_device == sizeof(int));
  CHECK(read.transfers.front().by == "host code");
  CHECK(lines_of(read.transfers, Crossing::to_host).front() == marked_line("transfers.cu", "host sums"));
  CHECK(lines_of(read.transfers, Crossing::to_device) ==
        std::vector{marked_line("transfers.cu", "host writes")});
}

TEST_CASE("what the C library reads of managed memory counts as the whole block") {
  Buffer<int> device(counted(64));
  fence_memory(true);
  const Crossed compared = crossed_in("managed_compared", device.get());
  fence_memory(false);
  CHECK(compared.to_host == 64 * sizeof(int));
}

TEST_CASE("device variables and managed ones cross where host code reads them by name, which a GPU has for managed ones alone") {
  Buffer<int> device(counted(64));
  take_transfers();
  CHECK(the_only(SIMT_RUN("variables_read", device.get()), "device-pointer-on-host").kind == "symbol");
  CHECK(crossed(take_transfers(), Crossing::to_host) == (64 + 32) * sizeof(int));
}

TEST_CASE("the host's page-locked memory crosses where kernels use it") {
  Buffer<int> device(counted(64));
  const Crossed mapped = crossed_in("mapped_written", device.get());
  CHECK(mapped.to_host == 64 * sizeof(int));
  CHECK(mapped.to_device == 8 * sizeof(int));
  CHECK(mapped.transfers.front().by == "kernel copy");
  CHECK(lines_of(mapped.transfers, Crossing::to_host) ==
        std::vector{marked_line("transfers.cu", "kernel copies")});
  CHECK(crossed_in("registered_written", device.get()).to_host == 64 * sizeof(int));
  CHECK(crossed_in("flag_raised").to_host == sizeof(int)); // by 128 threads
}

TEST_CASE("what is staged in page-locked memory crosses once in each direction") {
  Buffer<int> device(counted(64));
  const Crossed staged = crossed_in("staged", device.get());
  CHECK(staged.to_host == 64);
  CHECK(staged.to_device == 64);
}

TEST_CASE("copies by other threads of the program are counted") {
  Buffer<int> device(counted(64));
  std::vector<int> host(64);
  CHECK(crossed_in("copied_by_a_thread", device.get(), host.data()).to_host == 28);
}

TEST_CASE("copies for whoever calls the program are not counted") {
  take_transfers();
  const bool before = copy_for_caller(true);
  Buffer<int> device(counted(64));
  device.values();
  copy_for_caller(before);
  fence_memory(false);
  CHECK(take_transfers().empty());
  device.values();
  CHECK(crossed(take_transfers(), Crossing::to_host) == 64 * sizeof(int));
}

TEST_CASE("host code cannot read what kernels have left on their threads' stacks") {
  Buffer<int*> where(1);
  int out[4] = {};
  CHECK(lines_of(the_only(SIMT_RUN("stack_read", where.get(), static_cast<int*>(out)),
                          "device-pointer-on-host")) ==
        std::vector{marked_line("transfers.cu", "stack of a thread")});
  CHECK(lines_of(the_only(SIMT_RUN("stack_copied", where.get(), static_cast<int*>(out)),
                          "device-pointer-on-host")) ==
        std::vector{marked_line("transfers.cu", "stack as a range")});
}
