// tries: writes 40 files of 50 MiB wherever programs may write
// hand-in: right
// must: as without it
#include <string>
__attribute__((constructor)) static void run() {
  for (const char* folder : {"/dev/shm", "/tmp", "/var/tmp", "/run", ".", "@FOLDER@", "@FOLDER@/results", "/"}) {
    for (int i = 0; i < 40; ++i) {
      const std::string path = std::string(folder) + "/warpbook-attack-" + std::to_string(i);
      attack::must_fail(attack::can_open(path.c_str(), O_WRONLY | O_CREAT), path.c_str());
    }
    attack::must_fail(attack::can_open(folder, O_TMPFILE | O_RDWR), folder);
  }
  if (const char* home = std::getenv("HOME"); home != nullptr)
    attack::must_fail(attack::can_open((std::string(home) + "/warpbook-attack").c_str(), O_WRONLY | O_CREAT), "the home folder");
}
