"""The choice of backend: GPU and toolkit, or the simulator, with the reason."""
import os
import unittest
from unittest import mock

from fakes import Scratch

from command import backend
from command.problem import Problem

NVCC = "nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release {0}, V{0}.88"


class Choice(Scratch):
    def setUp(self):
        super().setUp()
        self.use_fake_path(CUDA_HOME=str(self.folder))

    def choose(self, gpu: bool, toolkit: str = ""):
        """The choice with or without a GPU, and with nvcc of a version or without any."""
        found = ("", ())
        if toolkit:
            self.answering("nvcc", NVCC.format(toolkit))
            found = backend.find_nvcc()
        with mock.patch("command.backend.has_gpu_device", return_value=gpu), \
                mock.patch("command.backend.find_nvcc", return_value=found):
            return backend.choose()

    def test_without_a_gpu_it_is_the_simulator(self):
        chosen = self.choose(False, "13.0")
        self.assertEqual((chosen.preset, chosen.backends()), ("sim", ["sim"]))
        self.assertIn("no NVIDIA GPU", chosen.reason)

    def test_a_gpu_and_a_new_toolkit_are_used_besides_the_simulator(self):
        chosen = self.choose(True, "12.4")
        self.assertEqual((chosen.preset, chosen.backends()), ("cuda", ["sim", "cuda"]))

    def test_a_gpu_without_a_toolkit_is_not_used(self):
        chosen = self.choose(True)
        self.assertEqual(chosen.preset, "sim")
        self.assertIn("no nvcc", chosen.reason)

    def test_an_old_toolkit_is_named(self):
        chosen = self.choose(True, "11.8")
        self.assertEqual(chosen.preset, "sim")
        self.assertIn("11.8.88 is too old", chosen.reason)

    def test_a_toolkit_off_the_path_is_found_by_its_home(self):
        self.answering("nvcc", NVCC.format("12.6"))
        (self.folder / "bin" / "nvcc").replace(self.write("toolkit/bin/nvcc"))
        with mock.patch.dict(os.environ, {"CUDA_HOME": str(self.folder / "toolkit")}):
            self.assertEqual(backend.find_nvcc(), (str(self.folder / "toolkit/bin/nvcc"), (12, 6, 88)))

    def test_the_users_word_for_the_simulator_counts(self):
        with mock.patch.dict(os.environ, {"WARPBOOK_BACKEND": "sim"}):
            self.assertEqual(self.choose(True, "13.0").preset, "sim")

    def test_asking_for_the_gpu_without_a_toolkit_is_refused(self):
        with mock.patch.dict(os.environ, {"WARPBOOK_BACKEND": "cuda"}), self.assertRaises(Problem):
            self.choose(True)

    def test_another_word_is_refused(self):
        with mock.patch.dict(os.environ, {"WARPBOOK_BACKEND": "opencl"}), self.assertRaises(Problem):
            self.choose(True)


if __name__ == "__main__":
    unittest.main()
