// Everything that a submission can do wrong whatever it computes, one wrong per value of `how`.
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "misbehaviour.hpp"
#include "toy.hpp"

namespace {

int* volatile nowhere = nullptr;

// The compiler must not turn the recursion into a loop.
__attribute__((noinline)) int recurse(volatile int* frame) {
  volatile int own[1024] = {*frame};
  return recurse(own) + own[0];
}

void write_to_every_file(const char* text, std::size_t length) {
  for (int file = 3; file < 64; ++file) static_cast<void>(::send(file, text, length, MSG_NOSIGNAL));
}

void daemonise() {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() == 0) {
      ::setsid();
      ::sleep(60);
    }
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

/// Tries to write, change or reach everything that is not its own; throws what it succeeded with.
void write_files() {
  std::string done;
  const auto attempt = [&done](const char* what, long result) {
    if (result >= 0) done += std::string(" ") + what;
  };
  Dl_info own = {};
  ::dladdr(reinterpret_cast<void*>(&toy_misbehave), &own);
  const std::string module = own.dli_fname;
  const std::string beside = module + ".written";
  const std::string parent = std::to_string(::getppid());
  for (const std::string& path : {std::string("/tmp/warpbook-toy-written"), std::string("written-here"),
                                  beside, std::string("/dev/shm/warpbook-toy-written")})
    attempt(path.c_str(), ::open(path.c_str(), O_WRONLY | O_CREAT, 0600));
  attempt("module", ::open(module.c_str(), O_RDWR));
  attempt("append", ::open(module.c_str(), O_WRONLY | O_APPEND));
  attempt("chmod", ::chmod(module.c_str(), 0755));
  attempt("rename", ::rename(module.c_str(), beside.c_str()));
  attempt("link", ::link(module.c_str(), beside.c_str()));
  attempt("symlink", ::symlink(module.c_str(), beside.c_str()));
  attempt("mkdir", ::mkdir(beside.c_str(), 0700));
  attempt("fifo", ::mkfifo(beside.c_str(), 0600));
  attempt("unlink", ::unlink((module + ".not-there").c_str()) == 0 || errno == ENOENT ? 0 : -1);
  attempt("memory of the grader", ::open(("/proc/" + parent + "/mem").c_str(), O_RDWR));
  attempt("reading the grader's memory", ::open(("/proc/" + parent + "/mem").c_str(), O_RDONLY));
  attempt("files of the grader", ::open(("/proc/" + parent + "/fd/0").c_str(), O_RDONLY));
  attempt("ptrace", ::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr));
  attempt("signal", ::kill(::getppid(), 0));
  if (!done.empty()) throw std::runtime_error("it could:" + done);
}

/// A driver calls functions in streams from a thread of its own, which was there before the submission.
void write_files_from_stream() {
  static std::string done;
  const auto write_and_reach = [](void*) {
    const auto attempt = [](const std::string& path, int how) {
      const int file = ::open(path.c_str(), how | O_CLOEXEC, 0600);
      if (file >= 0) done += " " + path;
    };
    Dl_info own = {};
    ::dladdr(reinterpret_cast<void*>(&toy_misbehave), &own);
    const std::string module = own.dli_fname, parent = "/proc/" + std::to_string(::getppid());
    attempt("/tmp/warpbook-toy-written", O_WRONLY | O_CREAT);
    attempt(module + ".written", O_WRONLY | O_CREAT);
    attempt(module, O_WRONLY | O_APPEND);
    attempt(parent + "/mem", O_RDWR);
    if (::kill(::getppid(), 0) == 0) done += " signal";
  };
  cudaLaunchHostFunc(nullptr, write_and_reach, nullptr);
  cudaDeviceSynchronize();
  if (!done.empty()) throw std::runtime_error("it could:" + done);
}

} // namespace

void toy_misbehave(int how, const int* input, int* output, std::size_t n) {
  const int zero = 0;
  switch (static_cast<Misbehaviour>(how)) {
  case Misbehaviour::null_pointer:
    *nowhere = 1;
    break;
  case Misbehaviour::abort:
    std::abort();
  case Misbehaviour::divide_by_zero:
    std::printf("%d\n", 100 / *const_cast<volatile const int*>(&zero));
    break;
  case Misbehaviour::endless_loop:
    while (true) asm volatile("");
  case Misbehaviour::exit_zero:
    std::exit(0);
  case Misbehaviour::throw_exception:
    throw std::runtime_error("the launch went wrong");
  case Misbehaviour::throw_number:
    throw 42;
  case Misbehaviour::stack_overflow: {
    volatile int start = how;
    std::printf("%d\n", recurse(&start));
    break;
  }
  case Misbehaviour::close_files:
    for (int file = 0; file < 1024; ++file) ::close(file);
    break;
  case Misbehaviour::leave_child:
    if (::fork() == 0) {
      ::sleep(60);
      ::_exit(0);
    }
    break;
  case Misbehaviour::return_in_child:
    ::fork();
    break;
  case Misbehaviour::leave_daemon:
    daemonise();
    break;
  case Misbehaviour::write_garbage:
    write_to_every_file("garbage", 7);
    break;
  case Misbehaviour::forge_reply: {
    const char forged[] = "Warpbook\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0{}";
    write_to_every_file(forged, sizeof(forged) - 1);
    break;
  }
  case Misbehaviour::print_success:
    std::printf("PASS  the misbehaving item (1 of 1 point)\n");
    std::fflush(stdout);
    std::exit(0);
  case Misbehaviour::print_much:
    for (int i = 0; i < 200000; ++i) std::printf("line %d of far too many\n", i);
    std::abort();
  case Misbehaviour::write_past_end:
    cudaMemset(output + n, 0, sizeof(int));
    break;
  case Misbehaviour::write_before_start:
    cudaMemset(output - 2, 0, sizeof(int));
    break;
  case Misbehaviour::modify_input:
    cudaMemset(const_cast<int*>(input) + 1, 0, sizeof(int));
    break;
  case Misbehaviour::nothing:
    break;
  case Misbehaviour::cuda_error:
    cudaMemcpy(output, input, n * sizeof(int), static_cast<cudaMemcpyKind>(77));
    break;
  case Misbehaviour::write_half:
    cudaMemset(output, 0, n / 2 * sizeof(int));
    break;
  case Misbehaviour::print_endlessly: {
    const std::vector<char> text(1 << 20, 'x');
    while (::write(STDOUT_FILENO, text.data(), text.size()) > 0) {
    }
    break;
  }
  case Misbehaviour::take_memory: {
    std::vector<std::vector<char>> everything;
    while (true) everything.emplace_back(std::size_t{1} << 20, 'x');
  }
  case Misbehaviour::fill_disk: {
    if (::memfd_create("endless", 0) >= 0) break;
    const std::vector<char> text(1 << 20, 'x');
    for (int file = 3; file < 16; ++file) { // the runner's own files are left
      while (::write(file, text.data(), text.size()) > 0) {
      }
    }
    break;
  }
  case Misbehaviour::use_thread:
    std::thread([] {}).join();
    break;

  case Misbehaviour::work: {
    const std::clock_t begin = std::clock(); // processor time of the process
    while (std::clock() - begin < 3 * CLOCKS_PER_SEC / 10) {
    }
    break;
  }
  case Misbehaviour::write_only_once: {
    static bool is_first = true;
    if (is_first) cudaMemset(output, 0, n * sizeof(int));
    is_first = false;
    break;
  }
  case Misbehaviour::write_files:
    write_files();
    break;
  case Misbehaviour::write_files_from_stream:
    write_files_from_stream();
    break;
  case Misbehaviour::stop:
    ::raise(SIGSTOP);
    break;
  }
}
