#include "call/memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace warpbook {

SharedMemory::SharedMemory(FileDescriptor file, std::size_t bytes, int further_flags)
    : file_(std::move(file)), size_(bytes) {
  if (bytes == 0) return;
  void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | further_flags, file_.get(), 0);
  if (mapped == MAP_FAILED) throw_errno("mmap of shared memory");
  data_ = static_cast<std::byte*>(mapped);
}

SharedMemory SharedMemory::create(std::size_t bytes) {
  FileDescriptor file(::memfd_create("warpbook-call", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) throw_errno("memfd_create");
  if (::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) throw_errno("ftruncate of shared memory");
  if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    throw_errno("sealing of shared memory");
  }
  return SharedMemory(std::move(file), bytes, 0); // several threads may fill it
}

SharedMemory SharedMemory::open(FileDescriptor file, std::size_t bytes) {
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) throw_errno("fstat of shared memory");
  if (static_cast<std::size_t>(status.st_size) != bytes) {
    throw std::runtime_error("shared memory has another size than the message says");
  }
  return SharedMemory(std::move(file), bytes, MAP_POPULATE); // one thread reads and writes all of it
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : file_(std::move(other.file_)), data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  if (this != &other) {
    if (data_ != nullptr) ::munmap(data_, size_);
    file_ = std::move(other.file_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

bool SharedMemory::is_of(int file) const {
  struct stat own = {}, other = {};
  return file_ && ::fstat(file_.get(), &own) == 0 && ::fstat(file, &other) == 0 &&
         own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

} // namespace warpbook
