// simtcc: builds a CUDA source into a module that the simulator's runner loads.

#include "simt/compiler/build.hpp"
#include "simt/compiler/command_line.hpp"
#include "simt/compiler/process.hpp"

#include <csignal>
#include <exception>
#include <iostream>

int main(int count, char** values) {
  using namespace simt::compiler;
  std::signal(SIGINT, SIG_IGN); // the compiler ends, and simtcc clears up behind it
  try {
    const CommandLine command = parse_command_line({values + 1, values + count});
    if (command.help) {
      std::cout << usage();
      return 0;
    }
    return build(command);
  } catch (const UsageError& error) {
    std::cerr << "simtcc: " << error.text << "; simtcc --help shows what there is\n";
  } catch (const EnvironmentError& error) {
    std::cerr << "simtcc: " << error.text << '\n';
  } catch (const std::exception& error) {
    std::cerr << "simtcc: internal error: " << error.what() << '\n';
  }
  return 2;
}
