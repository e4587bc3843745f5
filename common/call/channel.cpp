#include "call/channel.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace warpbook {
namespace {

constexpr std::size_t packet_limit = 32 * 1024;
constexpr std::size_t message_limit = std::size_t{1} << 30;

/// Starts every packet. A spilled message has its text in the last file that came along.
struct Header {
  char magic[8];
  std::uint64_t length;
  std::uint32_t spilled;
  std::uint32_t has_file;
};
constexpr char magic[8] = {'W', 'a', 'r', 'p', 'b', 'o', 'o', 'k'};

FileDescriptor file_for_text() {
  FileDescriptor file(::memfd_create("warpbook-message", MFD_CLOEXEC));
  if (!file) throw_errno("memfd_create");
  return file;
}

void fill(int file, const std::string& text) {
  if (::ftruncate(file, 0) != 0) throw_errno("ftruncate of a long message");
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t step =
        ::pwrite(file, text.data() + written, text.size() - written, static_cast<off_t>(written));
    if (step < 0) throw_errno("write of a long message");
    written += static_cast<std::size_t>(step);
  }
}

// Read, not mapped: the other side may still change the file's size.
std::string read_back(int file, std::size_t length) {
  struct stat status = {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::size_t>(status.st_size) < length)
    throw std::runtime_error("a long message is shorter than it says");
  std::string text(length, '\0');
  std::size_t done = 0;
  while (done < length) {
    const ssize_t step = ::pread(file, text.data() + done, length - done, static_cast<off_t>(done));
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0) throw std::runtime_error("a long message is shorter than it says");
    done += static_cast<std::size_t>(step);
  }
  return text;
}

} // namespace

std::pair<Channel, Channel> Channel::make_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) throw_errno("socketpair");
  return {Channel(FileDescriptor(ends[0])), Channel(FileDescriptor(ends[1]))};
}

void Channel::send(const std::string& text, int file) {
  FileDescriptor own_file;
  int long_text = -1;
  if (text.size() > packet_limit) {
    if (!long_message_) own_file = file_for_text();
    long_text = long_message_ ? long_message_.get() : own_file.get();
    fill(long_text, text);
  }

  Header header = {};
  std::copy(std::begin(magic), std::end(magic), header.magic);
  header.length = text.size();
  header.spilled = long_text >= 0 ? 1 : 0;
  header.has_file = file >= 0 ? 1 : 0;
  iovec parts[2] = {{&header, sizeof(header)},
                    {const_cast<char*>(text.data()), long_text >= 0 ? 0 : text.size()}};
  int files[2];
  std::size_t count = 0;
  if (file >= 0) files[count++] = file;
  if (long_text >= 0) files[count++] = long_text;

  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(files))] = {};
  msghdr message = {};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  if (count > 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    cmsghdr* attachment = CMSG_FIRSTHDR(&message);
    attachment->cmsg_level = SOL_SOCKET;
    attachment->cmsg_type = SCM_RIGHTS;
    attachment->cmsg_len = CMSG_LEN(count * sizeof(int));
    std::memcpy(CMSG_DATA(attachment), files, count * sizeof(int));
  }
  while (::sendmsg(socket_.get(), &message, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) throw_errno("sendmsg");
  }
}

void Channel::prepare_long_messages() { long_message_ = file_for_text(); }

std::string Channel::packet(const std::string& text) {
  Header header = {};
  std::copy(std::begin(magic), std::end(magic), header.magic);
  header.length = text.size();
  return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + text;
}

std::optional<Message> Channel::receive() {
  std::string packet(sizeof(Header) + packet_limit, '\0');
  iovec part = {packet.data(), packet.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int)) + CMSG_SPACE(sizeof(ucred))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  ssize_t length;
  while ((length = ::recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC)) < 0) {
    if (errno == ECONNRESET) return std::nullopt;
    if (errno != EINTR) throw_errno("recvmsg");
  }
  // Take ownership of the files first, so that a bad packet leaks none.
  FileDescriptor files[2];
  std::size_t count = 0;
  pid_t sender = 0;
  for (cmsghdr* part_header = CMSG_FIRSTHDR(&message); part_header != nullptr;
       part_header = CMSG_NXTHDR(&message, part_header)) {
    if (part_header->cmsg_level != SOL_SOCKET) continue;
    if (part_header->cmsg_type == SCM_CREDENTIALS) {
      ucred credentials = {};
      std::memcpy(&credentials, CMSG_DATA(part_header), sizeof credentials);
      sender = credentials.pid;
    }
    if (part_header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t arrived = (part_header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < arrived; ++i) {
      int number;
      std::memcpy(&number, CMSG_DATA(part_header) + i * sizeof(int), sizeof(int));
      FileDescriptor file(number);
      if (count < 2) files[count++] = std::move(file);
    }
  }
  if (length == 0) return std::nullopt;
  Header header;
  if (static_cast<std::size_t>(length) < sizeof(header)) throw std::runtime_error("a packet is too short");
  std::memcpy(&header, packet.data(), sizeof(header));
  const std::size_t rest = static_cast<std::size_t>(length) - sizeof(header);
  if (!std::equal(std::begin(magic), std::end(magic), header.magic)) {
    throw std::runtime_error("a packet does not start as a message does");
  }
  if (header.spilled > 1 || header.has_file > 1 || count != header.spilled + header.has_file ||
      header.length > message_limit || (header.spilled == 0 && header.length != rest)) {
    throw std::runtime_error("a packet contradicts itself");
  }
  Message result;
  result.sender = sender;
  if (header.spilled == 1)
    result.text = read_back(files[count - 1].get(), header.length);
  else
    result.text = packet.substr(sizeof(header), rest);
  if (header.has_file == 1) result.file = std::move(files[0]);
  return result;
}

void Channel::ask_for_senders() {
  const int yes = 1;
  if (::setsockopt(socket_.get(), SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0) throw_errno("setsockopt");
}

bool Channel::has_message() const {
  char byte;
  return ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

} // namespace warpbook
