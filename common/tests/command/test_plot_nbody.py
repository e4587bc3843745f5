"""The pictures of lab 03: speeds, counts, energies, and the collision from the file beside the measurements."""
import re
import unittest

import drawing

COMMENTS = "# backend: sim\n# device: a simulated GPU\n"
HEADER = "submission,function,n,tile,bodies_per_thread,dt,time,metric,value,unit\n"


COUNTS = ("global_reads_of_a_body", "shared_requests_of_a_pair", "barriers_of_a_block")


def counted(metrics: tuple[str, ...] = COUNTS) -> str:
    return COMMENTS + HEADER + "".join(
        f"{name},accelerations,{n},0,0,0,0,{metric},{value},times\n"
        for name in ("solution", "step-v0_global") for n in (256, 512, 1024)
        for metric, value in zip(COUNTS, (n if name != "solution" else n / 128, 1, n / 64)) if metric in metrics)


def timed() -> str:
    rows = ["yardstick,13 instructions per directed pair,4096,0,0,0,0,interactions,2573,G/s\n",
            "yardstick,17 instructions per two directed pairs,4096,0,0,0,0,interactions,3936,G/s\n"]
    rows += [f"{name},accelerations,{n},0,0,0,0,interactions,{speed * n / 4096},G/s\n"
             for name, speed in (("step-v0_global", 1192), ("step-v1_tile", 1425)) for n in (1024, 2048, 4096)]
    rows += [f"step-tuned_v0_any,accelerations_tuned,4096,{tile},{k},0,0,interactions,{1900 + k},G/s\n"
             for tile in (64, 128) for k in (1, 2, 4, 8)]
    rows += [f"solution,{method},1024,0,0,{dt},{time},energy_error,{time * dt / 100},of |E|\n"
             for method, dt in (("leapfrog", 0.0625), ("Euler", 0.03125)) for time in (0, 1, 2)]
    return COMMENTS + HEADER + "".join(rows)


def frames() -> bytes:
    return b"# times: 0 8\n# collision: 4 bodies\nsphere,x0,y0,x1,y1\n1,-500,0,0,10\n1,-510,5,5,1\n2,500,0,0,-10\n2,505,3,4,4\n"


class Drawing(drawing.Drawing):
    lab = "03-nbody-tiling"

    def test_counts_are_drawn_against_n(self):
        done = self.draw(counted())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(), ["p-barriers.svg", "p-reads.svg", "p-requests.svg"])
        self.need("reads", "v0: global: 1,024", "solution: 8", "device: a simulated GPU")

    def test_submissions_with_the_same_counts_share_a_line_with_all_their_names(self):
        self.draw(counted())
        self.need("barriers", "solution, v0: 16")
        self.need("requests", "solution, v0: 1")

    def test_no_picture_uses_a_colour_twice(self):
        self.draw(COMMENTS + HEADER + "".join(f"step-v{k}_x,accelerations,{n},0,0,0,0,interactions,{k + n},G/s\n" for k in range(9) for n in (8, 16)))
        labels = re.findall(r"<!-- v\d: x: .*? -->\s*<g(?: style=\"fill: (#[0-9a-f]{6})\")? ", (self.out / "p-speed.svg").read_text())
        self.assertEqual(len(labels), 9)
        self.assertEqual(len(set(labels)), 9)  # black is the one without a style

    def test_the_largest_error_of_the_energy_so_far_is_drawn_and_the_collision_apart(self):
        swings = "".join(f"solution,{method},64,0,0,0.5,{time},energy_error,{error},of |E|\n" for method in ("leapfrog", "collision")
                         for time, error in ((0, 0), (1, 0.1), (2, -0.001), (3, 0.01)))
        self.draw(COMMENTS + HEADER + swings)
        self.need("energy", "a sphere of stars in equilibrium", "the collision", "leapfrog, dt = 1/2, n = 64", "so far")

    def test_the_least_is_a_line_with_its_name_where_the_table_has_it(self):
        self.draw(drawing.with_least(counted(), {"global_reads_of_a_body": 1}))
        self.need("reads", "the least: 1", "solution: 8")
        self.assertNotIn("the least", self.text("barriers"))

    def test_speeds_are_drawn_against_n_and_tile_beside_their_bound_and_energies_over_time(self):
        done = self.draw(timed())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(), ["p-energy.svg", "p-speed.svg", "p-tile.svg"])
        self.need("speed", "v0: global: 1,192", "v1: tile: 1,425", "13 instructions per directed pair: 2,573", "17 instructions per two directed pairs: 3,936")
        self.need("tile", "tile of 64", "tile of 128", "13 instructions per directed pair")
        self.assertNotIn("17 instructions", self.text("tile"))
        self.need("energy", "leapfrog, dt = 1/16, n = 1,024", "Euler, dt = 1/32, n = 1,024")

    def test_a_collision_beside_the_measurements_is_drawn(self):
        done = self.draw(counted(("barriers_of_a_block",)), beside={"collision-m.csv": frames()})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.pictures(), ["p-barriers.svg", "p-collision.svg"])
        self.need("collision", "t = 8", "4 bodies")

    def test_files_without_anything_to_draw_are_a_sentence_and_status_2(self):
        for text in (HEADER, HEADER + "solution,accelerations,8,0,0,0,0,m,1,u\n", timed().replace(",64,4,", ",x,4,")):
            done = self.draw(text)
            self.assertEqual(done.returncode, 2, text[-80:])
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        broken = frames().replace(b"-510,5", b"-510,five")
        self.assertEqual(self.draw(counted(), beside={"collision-m.csv": broken}).returncode, 2)


if __name__ == "__main__":
    unittest.main()
