#pragma once
/// The wire between grader and runner: whole messages over a SOCK_SEQPACKET socket, each with at most
/// one file. Long messages spill into a file of their own, because a packet must fit the socket's buffer.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "call/file_descriptor.hpp"

namespace warpbook {

struct Message {
  std::string text;
  FileDescriptor file; ///< what travelled with it, if anything
  pid_t sender = 0;    ///< the process that sent it, after ask_for_senders()
};

class Channel {
public:
  explicit Channel(FileDescriptor socket) : socket_(std::move(socket)) {}

  /// Two connected ends; both are closed on exec.
  static std::pair<Channel, Channel> make_pair();

  /// Sends one message, and `file` with it unless that is -1. Throws std::system_error.
  void send(const std::string& text, int file = -1);

  /// Makes the file in which long messages travel, for one that cannot make files later. From here on the other side has
  /// to have read a message before the next is sent.
  void prepare_long_messages();

  /// The bytes of a short message without a file, for a signal handler that can only write().
  static std::string packet(const std::string& text);

  /// Waits for one message. Returns nothing if the other end is closed. Throws std::system_error, and
  /// std::runtime_error if what arrived is no message of ours.
  std::optional<Message> receive();

  /// From here on the kernel says of each message received which process sent it.
  void ask_for_senders();

  /// Whether a message waits; a closed channel has none.
  bool has_message() const;

  int file() const { return socket_.get(); }

private:
  FileDescriptor socket_;
  FileDescriptor long_message_;
};

} // namespace warpbook
