// simtcc: builds a CUDA source into a module that the simulator's runner loads.

#include "simt/translate/build.hpp"
#include "simt/translate/command_line.hpp"
#include "simt/translate/process.hpp"
#include "simt/translate/submission.hpp"
#include "simt/translate/witness.hpp"

#include <csignal>
#include <exception>
#include <iostream>
#include <malloc.h>
#include <sys/prctl.h>

int main(int count, char** values) {
  using namespace simt::compiler;
  if (count > 1 && values[1][0] != '-' && is_before_witness()) return run_before_witness(values + 1);
  std::signal(SIGINT, SIG_IGN); // the compiler ends, and simtcc clears up behind it
  // Texts of a megabyte come and go: their memory is used again, and not given back to the system each time.
  ::mallopt(M_MMAP_THRESHOLD, 64 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
  ::mallopt(M_TOP_PAD, 8 << 20);
  try {
    const CommandLine command = parse_command_line({values + 1, values + count});
    if (command.help) {
      std::cout << usage();
      return 0;
    }
    if (!command.submission) return build(command);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM); // a compilation that no one waits for ends, and what it has started
    return build_submission(command);
  } catch (const UsageError& error) {
    std::cerr << "simtcc: " << error.text << "; simtcc --help shows what there is\n";
  } catch (const EnvironmentError& error) {
    std::cerr << "simtcc: " << error.text << '\n';
  } catch (const std::exception& error) {
    std::cerr << "simtcc: internal error: " << error.what() << '\n';
  }
  return 2;
}
