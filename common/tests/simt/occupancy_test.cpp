// Launch errors, attributes and occupancy. Every number was read on an H200 with CUDA 13.0.
#include "simulation.hpp"

#include <doctest/doctest.h>

using namespace simt;

namespace {

const void* kernel_named(char name) { return call<const void*>("kernel_named", name); }

int launch(char name, dim3 grid, dim3 cluster, int threads = 32, int other_attribute = 0) {
  cudaGetLastError();
  return call<int>("launch_with", name, grid, threads, cluster, other_attribute);
}

void allow_non_portable(char name, int allowed) {
  CHECK(cudaFuncSetAttribute(kernel_named(name), cudaFuncAttributeNonPortableClusterSizeAllowed, allowed) ==
        cudaSuccess);
}

int occupancy(char name, int threads, std::size_t shared) {
  int blocks = -1;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_named(name), threads, shared) !=
      cudaSuccess)
    return -1;
  return blocks;
}

struct Clusters {
  int error, active, largest;
};

Clusters clusters(char name, unsigned grid, unsigned threads, unsigned size, std::size_t shared) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {size, 1, 1};
  cudaLaunchConfig_t config{grid, threads, shared, nullptr, &attribute, 1};
  Clusters result{0, -1, -1};
  result.error = cudaOccupancyMaxActiveClusters(&result.active, kernel_named(name), &config);
  config.numAttrs = 0;
  cudaOccupancyMaxPotentialClusterSize(&result.largest, kernel_named(name), &config);
  return result;
}

} // namespace

TEST_CASE("clusters that the device refuses give its error, and a sentence") {
  FreshSimulator fresh;
  CHECK(launch('p', 8, {2, 1, 1}) == cudaSuccess);
  CHECK(launch('p', 6, {3, 1, 1}) == cudaSuccess);
  CHECK(launch('p', 8, {8, 1, 1}) == cudaSuccess);
  CHECK(launch('p', {4, 4, 2}, {2, 2, 2}) == cudaSuccess);
  take_report();
  CHECK(launch('p', 7, {2, 1, 1}) == cudaErrorInvalidClusterSize);
  CHECK(cudaGetLastError() == cudaErrorInvalidClusterSize);
  Finding d = the_only(take_report(), "invalid-launch");
  CHECK(mentions(message_of(d), "the grid (7,1,1) cannot be divided into clusters of (2,1,1)"));
  CHECK(mentions(cure_of(d), "round the grid up to a multiple of the cluster size"));
  CHECK(launch('p', {4, 3}, {2, 2, 1}) == cudaErrorInvalidClusterSize);
  CHECK(launch('p', 8, {2, 0, 0}) == cudaErrorInvalidClusterSize);
  cudaGetLastError();
}

TEST_CASE("more than 8 blocks in a cluster need the attribute, and 16 are the most") {
  FreshSimulator fresh;
  allow_non_portable('p', 0);
  CHECK(launch('p', 16, {16, 1, 1}) == cudaErrorInvalidClusterSize);
  Finding d = the_only(take_report(), "invalid-launch");
  CHECK(mentions(message_of(d), "a cluster of 16 blocks is more than the 8 that every device allows"));
  CHECK(mentions(cure_of(d), "cudaFuncAttributeNonPortableClusterSizeAllowed"));
  CHECK(launch('p', 9, {9, 1, 1}) == cudaErrorInvalidClusterSize);
  allow_non_portable('p', 1);
  CHECK(launch('p', 16, {16, 1, 1}) == cudaSuccess);
  CHECK(launch('p', 12, {12, 1, 1}) == cudaSuccess);
  CHECK(launch('p', 16, {16, 1, 1}, 1024) == cudaSuccess);
  CHECK(launch('p', 17 * 16, {17, 1, 1}) == cudaErrorInvalidClusterSize);
  CHECK(launch('p', 32, {32, 1, 1}) == cudaErrorInvalidClusterSize);
  cudaGetLastError();
  allow_non_portable('p', 0);
}

TEST_CASE("a kernel's own cluster size cannot be overruled") {
  FreshSimulator fresh;
  CHECK(launch('2', 8, {0, 0, 0}) == cudaSuccess);
  CHECK(launch('2', 8, {2, 1, 1}) == cudaSuccess);
  take_report();
  CHECK(launch('2', 8, {4, 1, 1}) == cudaErrorInvalidClusterSize);
  CHECK(
      mentions(message_of(the_only(take_report(), "invalid-launch")), "the kernel is declared with others"));
  CHECK(launch('2', 7, {0, 0, 0}) == cudaErrorInvalidClusterSize);
  cudaGetLastError();
  CHECK(call<int>("launch_ordinary", '2', 8) == cudaSuccess);
  CHECK(call<int>("launch_ordinary", '2', 7) == cudaErrorInvalidClusterSize);
  CHECK(call<int>("launch_ordinary", '6', 16) == cudaErrorInvalidClusterSize);
  allow_non_portable('6', 1);
  CHECK(call<int>("launch_ordinary", '6', 16) == cudaSuccess);
}

TEST_CASE("launch attributes that change nothing are accepted, others are refused with a sentence") {
  FreshSimulator fresh;
  CHECK(launch('p', 2, {0, 0, 0}, 32, cudaLaunchAttributePriority) == cudaSuccess);
  take_report();
  CHECK(launch('p', 2, {0, 0, 0}, 32, cudaLaunchAttributeProgrammaticEvent) == cudaErrorNotSupported);
  CHECK(mentions(message_of(the_only(take_report(), "invalid-launch")), "does not know launch attribute 7"));
  cudaGetLastError();
}

TEST_CASE("the device has cooperative launches and clusters") {
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0) == cudaSuccess);
  CHECK(value == 1);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0) == cudaSuccess);
  CHECK(value == 1);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK((properties.cooperativeLaunch == 1 && properties.clusterLaunch == 1));
}

TEST_CASE("as many blocks fit on a multiprocessor as threads and shared memory allow") {
  FreshSimulator fresh;
  CHECK(occupancy('p', 32, 0) == 32);
  CHECK(occupancy('p', 33, 0) == 32);
  CHECK(occupancy('p', 256, 0) == 8);
  CHECK(occupancy('p', 1024, 0) == 2);
  CHECK(occupancy('p', 1025, 0) == 0);
  CHECK(occupancy('p', 0, 0) == -1);
  CHECK(occupancy('d', 128, 10000) == 16);
  CHECK(occupancy('d', 128, 49152) == 4);
  CHECK(occupancy('d', 128, 49153) == 0);
  CHECK(cudaFuncSetAttribute(kernel_named('d'), cudaFuncAttributeMaxDynamicSharedMemorySize, 232449) ==
        cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(kernel_named('d'), cudaFuncAttributeMaxDynamicSharedMemorySize, 232448) ==
        cudaSuccess);
  CHECK(occupancy('d', 128, 100000) == 2);
  CHECK(occupancy('d', 128, 115712) == 2);
  CHECK(occupancy('d', 128, 115713) == 1);
  CHECK(occupancy('d', 128, 232448) == 1);
  CHECK(occupancy('d', 128, 232449) == 0);
  CHECK(occupancy('b', 512, 0) == 4);
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel_named('p'), 256, 0,
                                                               cudaOccupancyDefault) == cudaSuccess);
  CHECK(blocks == 8);
  cudaGetLastError();
}

TEST_CASE("static shared memory counts once the kernel has run") {
  FreshSimulator fresh;
  CHECK(call<int>("launch_ordinary", 's', 1) == cudaSuccess);
  CHECK(occupancy('s', 256, 0) == 6);
  CHECK(occupancy('s', 256, 8192) == 5);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, kernel_named('s')) == cudaSuccess);
  CHECK(attributes.sharedSizeBytes == 32768);
}

TEST_CASE("the block size that keeps the most threads resident") {
  int blocks = 0, threads = 0;
  auto ask = [&](char name, int limit) {
    CHECK(call<int>("potential_block_size", name, limit, &blocks, &threads) == cudaSuccess);
  };
  ask('p', 0);
  CHECK((blocks == 264 && threads == 1024));
  ask('b', 0);
  CHECK((blocks == 1056 && threads == 256));
  ask('s', 0);
  CHECK((blocks == 264 && threads == 1024));
  ask('p', 200);
  CHECK((blocks == 2112 && threads == 128));
}

TEST_CASE("as many clusters are resident as the processor clusters of the device can hold") {
  FreshSimulator fresh;
  cudaFuncSetAttribute(kernel_named('d'), cudaFuncAttributeMaxDynamicSharedMemorySize, 232448);
  allow_non_portable('d', 0);
  CHECK(clusters('p', 12288, 256, 2, 0).active == 528);
  CHECK(clusters('p', 12288, 1024, 2, 0).active == 132);
  CHECK(clusters('d', 12288, 256, 1, 100000).active == 264);
  CHECK(clusters('d', 12288, 256, 1, 232448).active == 132);
  CHECK(clusters('d', 12288, 256, 2, 100000).active == 132);
  CHECK(clusters('d', 12288, 256, 2, 232448).active == 66);
  CHECK(clusters('d', 12288, 256, 4, 232448).active == 30);
  CHECK(clusters('d', 12288, 256, 8, 100000).active == 30);
  CHECK(clusters('d', 12288, 256, 8, 232448).active == 15);
  CHECK(clusters('d', 12288, 256, 8, 232448).largest == 8);
  CHECK(clusters('d', 12288, 256, 16, 100000).error == cudaErrorInvalidClusterSize);
  allow_non_portable('d', 1);
  CHECK(clusters('d', 12288, 256, 16, 100000).active == 14);
  CHECK(clusters('d', 12288, 256, 16, 232448).active == 7);
  CHECK(clusters('d', 12288, 256, 16, 232448).largest == 16);
  CHECK(clusters('p', 2, 256, 2, 0).active == 528);
  CHECK(clusters('p', 7, 256, 2, 0).error == cudaErrorInvalidClusterSize);
  CHECK(clusters('p', 32, 256, 32, 0).error == cudaErrorInvalidClusterSize);
  CHECK(clusters('d', 4096, 256, 2, 300000).active == 0);
  CHECK(clusters('d', 4096, 256, 2, 300000).largest == 0);
  // Where the device packs clusters more tightly than whole processor clusters, the answer is a little low.
  allow_non_portable('6', 1);
  CHECK(clusters('d', 12288, 256, 3, 232448).active <= 39);
  CHECK(clusters('d', 12288, 256, 4, 100000).active <= 62);
  CHECK(clusters('6', 12288, 256, 16, 0).active <= 58);
  CHECK(clusters('6', 12288, 256, 16, 0).active >= 56);
  cudaGetLastError();
}

TEST_CASE("attributes of a kernel tell what its source and the host have set") {
  FreshSimulator fresh;
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, kernel_named('2')) == cudaSuccess);
  CHECK(attributes.clusterDimMustBeSet == 1);
  CHECK(attributes.requiredClusterWidth == 2);
  CHECK(attributes.requiredClusterHeight == 1);
  CHECK(attributes.requiredClusterDepth == 1);
  CHECK(attributes.nonPortableClusterSizeAllowed == 0);
  CHECK(attributes.maxDynamicSharedSizeBytes == 49152);
  CHECK(cudaFuncGetAttributes(&attributes, kernel_named('b')) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 256);
  CHECK(attributes.clusterDimMustBeSet == 0);
  const void* plain = kernel_named('p');
  CHECK(cudaFuncSetAttribute(plain, cudaFuncAttributeClusterDimMustBeSet, 1) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(kernel_named('2'), cudaFuncAttributeRequiredClusterWidth, 4) ==
        cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(plain, cudaFuncAttributeClusterSchedulingPolicyPreference, 1) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(plain, cudaFuncAttributePreferredSharedMemoryCarveout, 101) ==
        cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(plain, static_cast<cudaFuncAttribute>(3), 1) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterWidth, 2) == cudaSuccess);
  CHECK(cudaFuncGetAttributes(&attributes, plain) == cudaSuccess);
  CHECK(attributes.requiredClusterWidth == 2);
  CHECK(attributes.requiredClusterHeight == 0);
  CHECK(cudaFuncSetAttribute(plain, cudaFuncAttributeRequiredClusterWidth, 0) == cudaSuccess);
  cudaGetLastError();
}
