"""Installing what is missing: with apt as root, without permission, without network, on other systems."""
import unittest
from unittest import mock

from fakes import Scratch, captured

from command import install, machine_setup, probe, requirements
from command.problem import Problem

MISSING = [probe.Finding(requirements.COMPILER, problem="not found"),
           probe.Finding(requirements.LIBFFI, problem="no <ffi.h>")]


class Installing(Scratch):
    def setUp(self):
        super().setUp()
        self.calls = self.folder / "calls"
        self.use_fake_path(CALLS=str(self.calls))
        # `env NAME=VALUE ... program` is how apt-get is called.
        self.tool("env", 'while [ "${1#*=}" != "$1" ]; do export "$1"; shift; done\nexec "$@"')

    def apt(self, install_script: str, update_script: str = "echo 'Hit:1 http://deb.debian.org bookworm'",
            simulate: str = "exit 0") -> None:
        self.tool("apt-get", f'''echo "$*" >> "$CALLS"
case "$*" in
*" -s "*) {simulate} ;;
*update*) {update_script} ;;
*) {install_script} ;;
esac''')

    def called(self) -> list[str]:
        return self.calls.read_text().splitlines() if self.calls.exists() else []

    def as_user(self, uid: int):
        return mock.patch("os.geteuid", return_value=uid)

    def failure(self, uid: int = 0) -> str:
        with self.as_user(uid), captured(), self.assertRaises(Problem) as caught:
            install.install(MISSING)
        self.assertEqual(caught.exception.status, 2)
        return "\n".join([caught.exception.sentence, *caught.exception.details])

    def test_root_installs_exactly_the_missing_packages(self):
        self.apt("echo '0 upgraded, 2 newly installed, 0 to remove'; echo 'Setting up g++'")
        with self.as_user(0), captured() as (out, err):
            install.install(MISSING)
        self.assertTrue(self.called()[-1].endswith("install -y --no-install-recommends g++ libffi-dev"), self.called())
        self.assertIn("Installing g++ libffi-dev", err.getvalue())
        self.assertEqual(out.getvalue(), "")

    def test_the_lists_are_fetched_only_if_packages_are_unknown(self):
        self.apt("true")
        with self.as_user(0), captured():
            install.install(MISSING)
        self.assertFalse(any("update" in call for call in self.called()))
        self.calls.unlink()
        self.apt("true", simulate="echo 'E: Unable to locate package libffi-dev'; exit 100")
        with self.as_user(0), captured():
            install.install(MISSING)
        self.assertTrue(any(call.endswith("update") for call in self.called()))

    def test_stale_lists_are_fetched_again_once(self):
        self.apt("echo 'E: Failed to fetch  404  Not Found'; exit 100")
        said = self.failure()
        self.assertEqual(sum(call.endswith("update") for call in self.called()), 1)
        self.assertIn("404", said)
        self.assertIn("apt-get update && apt-get install -y --no-install-recommends g++ libffi-dev", said)

    def test_no_network_is_a_sentence(self):
        self.apt("exit 100", update_script="echo \"W: Failed to fetch http://deb.debian.org/x  Temporary failure "
                                           "resolving 'deb.debian.org'\"", simulate="exit 100")
        said = self.failure()
        self.assertIn("cannot reach its package servers", said)
        self.assertIn("resolving 'deb.debian.org'", said)

    def test_another_apt_at_work_is_a_sentence(self):
        self.apt("echo 'E: Could not get lock /var/lib/dpkg/lock-frontend.'; exit 100")
        self.assertIn("Another program is installing packages", self.failure())

    def test_a_user_without_sudo_gets_the_line_and_nothing_runs(self):
        self.apt("true")
        said = self.failure(uid=1000)
        self.assertIn("sudo apt-get update && sudo apt-get install -y --no-install-recommends g++ libffi-dev", said)
        self.assertEqual(self.called(), [])

    def test_sudo_that_asks_for_a_password_is_not_used(self):
        self.apt("true")
        self.tool("sudo", "exit 1")
        self.assertIn("An administrator installs it with this line", self.failure(uid=1000))
        self.assertEqual(self.called(), [])

    def test_sudo_without_a_password_is_used(self):
        self.apt("true")
        self.tool("true", "exit 0")
        self.tool("sudo", 'echo "sudo $*" >> "$CALLS"; shift; exec "$@"')
        with self.as_user(1000), captured():
            install.install(MISSING)
        self.assertTrue(any(call.startswith("sudo -n env DEBIAN_FRONTEND=noninteractive") for call in self.called()))

    def test_a_distribution_with_an_old_cmake_is_told_before_anything_is_installed(self):
        self.apt("true")
        self.tool("apt-cache", "printf 'cmake:\\n  Installed: (none)\\n  Candidate: 3.22.1-1ubuntu1.22.04.2\\n'")
        with self.as_user(0), captured(), self.assertRaises(Problem) as caught:
            install.install([probe.Finding(requirements.CMAKE, problem="not found")])
        self.assertIn("offers CMake 3.22.1, and Warpbook needs 3.25", caught.exception.sentence)
        self.assertFalse(any(call.endswith("cmake") and " -s " not in call for call in self.called()))

    def test_other_package_managers_get_their_own_line(self):
        for manager, line in (("dnf", "dnf install -y gcc-c++ libffi-devel"),
                              ("pacman", "pacman -S --needed gcc libffi"),
                              ("zypper", "zypper install -y gcc-c++ libffi-devel")):
            tool = self.tool(manager, "exit 1")
            self.assertIn("sudo " + line, self.failure(uid=1000))
            tool.unlink()

    def test_without_a_known_package_manager_the_list_is_printed(self):
        said = self.failure()
        self.assertIn("g++, libffi-dev", said)
        self.assertIn("Boost.Context", said)

    def offers(self, wanted: list, venv: bool = True) -> str:
        """What a user without further rights reads."""
        missing = [probe.Finding(requirement, problem="not found") for requirement in wanted]
        found = mock.patch("importlib.util.find_spec", return_value=object() if venv else None)
        with self.as_user(1000), found:
            return "\n".join(install.instructions(missing, "apt-get", "my build"))

    def test_a_user_without_sudo_is_offered_what_pypi_has_and_a_container(self):
        # matplotlib is there, but not in the virtual environment that gets rich.
        said = self.offers([requirements.COMPILER, requirements.CMAKE, requirements.NINJA, requirements.RICH])
        self.assertIn("PyPI has CMake, Ninja, rich; not C++ compiler.", said)
        self.assertIn("python3 -m venv 'my build/venv' && 'my build/venv'/bin/pip install 'cmake>=3.25' ninja matplotlib rich", said)
        self.assertIn("docker run", said)
        self.assertIn("sudo apt-get install -y --no-install-recommends g++ cmake ninja-build python3-rich", said)

    def test_pypi_is_not_spoken_of_where_it_has_nothing(self):
        said = self.offers([requirements.COMPILER])
        self.assertNotIn("PyPI", said)
        self.assertIn("docker run", said)

    def test_a_python_without_venv_is_told_what_it_lacks(self):
        said = self.offers([requirements.CMAKE], venv=False)
        self.assertIn("python3-venv", said)
        self.assertNotIn("pip install", said)

    def test_root_is_offered_no_way_around(self):
        with self.as_user(0):
            said = "\n".join(install.instructions(MISSING, "apt-get"))
        self.assertNotIn("container", said)

    def test_programs_of_the_virtual_environment_are_found_and_come_first(self):
        folder = self.folder / "build/venv/bin"
        folder.mkdir(parents=True)
        for _ in range(2):  # a second time changes nothing
            machine_setup.use_virtual_environment(self.folder)
        self.assertEqual(install.os.environ["PATH"], f"{folder}:{self.bin}")

    def test_every_requirement_has_a_name_on_every_system(self):
        for requirement in requirements.ALL:
            self.assertEqual(set(requirement.packages), set(requirements.INSTALL), requirement.name)

    def test_progress_is_a_few_lines(self):
        said = []
        on_line = install._progress(said.append)
        on_line("0 upgraded, 40 newly installed, 0 to remove and 0 not upgraded.")
        on_line("Need to get 90 MB of archives.")
        for verb in ("Unpacking", "Setting up"):
            for number in range(40):
                on_line(f"{verb} package-{number} (1.0) ...")
        self.assertEqual(said, ["  40 packages. Need to get 90 MB of archives.", "  25% installed", "  50% installed",
                                "  75% installed", "  100% installed"])

    def test_what_is_still_missing_after_the_installation_is_said(self):
        machine = probe.Machine(MISSING)
        with mock.patch("command.probe.survey", return_value=machine), mock.patch("command.install.install"), \
                mock.patch("command.machine_setup.refuse_other_systems"), self.assertRaises(Problem) as caught:
            machine_setup.ensure(self.folder)
        self.assertIn("still cannot use", caught.exception.sentence)
        self.assertFalse((self.folder / "build" / "setup.json").exists())


if __name__ == "__main__":
    unittest.main()
