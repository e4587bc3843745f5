#include "call/memory.hpp"

#include <unistd.h>

#include <doctest/doctest.h>

using warpbook::FileDescriptor;
using warpbook::SharedMemory;

TEST_CASE("shared memory knows its own file, by any descriptor") {
  const SharedMemory one = SharedMemory::create(100), other = SharedMemory::create(100);
  const FileDescriptor same(::dup(one.file()));
  CHECK(one.is_of(one.file()));
  CHECK(one.is_of(same.get()));
  CHECK_FALSE(one.is_of(other.file()));
  CHECK_FALSE(SharedMemory().is_of(one.file()));
  CHECK_FALSE(one.is_of(-1));
}
