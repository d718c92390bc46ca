"""What the analyses return: numbers, frames, HTML, files that the checker accepts."""
import dataclasses
import json
import os
import subprocess
import unittest

import samples
import warpbound
from warpbound import Kind, Text

PROGRAM = os.path.join(os.path.dirname(os.environ["PYTHONPATH"]), "src", "warpbound")


def program(*words):
    """The JSON object that the program prints."""
    run = subprocess.run([PROGRAM, *words, "--json"], cwd=samples.ROOT, check=True, capture_output=True,
                         env={"PATH": os.environ["PATH"]})
    return json.loads(run.stdout)


class Modules(unittest.TestCase):
    def test_functions(self):
        module = samples.module()
        self.assertEqual(module.form, "sass")
        self.assertEqual(len(module), 2)
        self.assertEqual([function.name for function in module.functions], ["matrix_tiled_edges", "matrix_tiled"])
        self.assertTrue(all(function.kernel and function.sm == 87 for function in module.functions))
        self.assertEqual([kernel.function for kernel in module], module.functions)
        self.assertEqual(module.sources, ["matrix_multiply.cu"])
        self.assertIn("matrix_tiled", module._repr_html_())

    def test_texts(self):
        module = warpbound.Module(Text("5L9C2L9C", "a string"))
        self.assertEqual(module.form, "string")
        self.assertEqual(module.kernel().paths().string, "5L9C2L9C")
        with open(os.path.join(samples.EXAMPLES, "voronoi.ptx"), encoding="utf-8") as file:
            self.assertEqual(warpbound.Module(Text(file.read())).form, "ptx")

    def test_images(self):
        images = warpbound.images(samples.FATBIN)
        self.assertIn("sm_87", [image.architecture for image in images])
        tiled = [f for image in images if image.architecture == "sm_87" for f in image.functions
                 if f.name == "matrix_tiled"][0]
        self.assertEqual([(p.offset, p.size) for p in tiled.parameters], [(0, 8), (8, 8), (16, 8), (24, 4)])
        self.assertIn("matrix_tiled", warpbound.disassemble(samples.FATBIN, architecture="sm_87"))

    def test_ptx_of_an_image_does_not_say_registers(self):
        image = warpbound.images(os.path.join(samples.EXAMPLES, "voronoi.ptx"))[0]
        self.assertEqual(image.kind, "ptx")
        self.assertIsNone(image.functions[0].registers)

    def test_instrument(self):
        with open(os.path.join(samples.EXAMPLES, "voronoi.ptx"), encoding="utf-8") as file:
            text = file.read()
        self.assertGreater(len(warpbound.instrument(Text(text))), len(text))


class Launches(unittest.TestCase):
    def test_the_bracket_is_the_program_s(self):
        launch = samples.launch()
        printed = program("analyze", "examples/matrix_multiply.fatbin", "-k", "matrix_tiled", "--grid", "4,4",
                          "--block", "8,8", "--sm", "orin-agx", "--param", "param_3=32", "--simulate", "200000")
        ours = json.loads(json.dumps(launch.json))
        for result in (printed, ours):
            result.pop("analysis_seconds")
        self.assertEqual(ours, printed)
        self.assertEqual(launch.upper.cycles, printed["upper"]["cycles"])
        self.assertIs(launch.upper.kind, Kind.UPPER)
        self.assertTrue(launch.upper.proven)
        self.assertLessEqual(launch.lower.cycles, launch.upper.cycles)

    def test_dataclasses(self):
        launch = samples.launch()
        self.assertEqual((launch.grid, launch.block, launch.kernel), ((4, 4, 1), (8, 8, 1), "matrix_tiled"))
        self.assertAlmostEqual(sum(part.cycles for part in launch.breakdown), launch.upper.cycles, delta=1)
        self.assertEqual([loop.bound for loop in launch.loops], [31, 7])
        self.assertEqual(len(launch.accesses), 8)
        with self.assertRaises(dataclasses.FrozenInstanceError):
            launch.waves = 2

    def test_frames(self):
        launch = samples.launch()
        accesses = launch.accesses_frame()
        self.assertEqual(list(accesses["opcode"]), [access.opcode for access in launch.accesses])
        self.assertEqual(list(launch.loops_frame()["bound"]), [31, 7])
        self.assertAlmostEqual(float(launch.breakdown_frame()["share"].sum()), 1, places=5)
        lines = launch.lines_frame()
        self.assertEqual(lines["cycles"].max(), max(line.cycles for line in launch.lines))
        self.assertEqual(len(launch.sensitivity_frame()), len(launch.sensitivity))

    def test_an_empty_frame_has_its_columns(self):
        from warpbound import tables

        self.assertEqual(list(tables.frame([], ["a", "b"]).columns), ["a", "b"])

    def test_html_is_escaped(self):
        from warpbound import tables

        self.assertIn("&lt;script&gt;", tables.html_table(["<script>"], [["<script>"]], "<script>"))
        self.assertNotIn("<script>", tables.html_table(["<script>"], [["<script>"]], "<script>"))
        html = samples.launch()._repr_html_()
        self.assertIn("matrix_tiled on orin-agx", html)
        self.assertIn(f"{samples.launch().upper.cycles:,}", html)

    def test_the_certificate_is_accepted(self):
        launch = samples.launch()
        verdict = warpbound.verify(Text(launch.certificate(), "certificate"))
        self.assertTrue(verdict.valid)
        self.assertEqual((verdict.claim, verdict.cycles), ("launch", launch.upper.cycles))

    def test_a_certificate_that_claims_less_is_refused(self):
        launch = samples.launch()
        text = launch.certificate().replace(f'"cycles": {launch.upper.cycles}', '"cycles": 1')
        self.assertNotEqual(text, launch.certificate())
        verdict = warpbound.verify(Text(text))
        self.assertFalse(verdict.valid)
        self.assertTrue(verdict.violation)

    def test_a_changed_device_leaves_results_as_they_are(self):
        gpu = warpbound.Gpu("orin-agx")
        first = samples.kernel().analyze(**{**samples.LAUNCH, "device": gpu}, simulate=0)
        text, proof = first.text(), first.certificate()
        gpu.set("l2.delay", 2000)
        second = samples.kernel().analyze(**{**samples.LAUNCH, "device": gpu}, simulate=0)
        self.assertGreater(second.upper.cycles, first.upper.cycles)
        self.assertEqual((first.text(), first.certificate()), (text, proof))

    def test_sources_and_facts(self):
        bare = {name: value for name, value in samples.LAUNCH.items() if name != "parameters"}
        with self.assertRaises(warpbound.FactsMissing) as caught:
            samples.kernel().analyze(**bare)
        self.assertIn("bound ?", caught.exception.template)
        filled = Text(caught.exception.template.replace("bound ?", "bound 31"), "facts")
        result = samples.kernel().analyze(**bare, facts=warpbound.Facts(flow_facts=filled), simulate=0)
        self.assertEqual([loop.source for loop in result.loops], ["fact", "found"])
        with open(os.path.join(samples.EXAMPLES, "matrix_multiply.cu"), encoding="utf-8") as file:
            lines = file.read().split("\n")
        lines[13] += " // loopbound 32"
        commented = warpbound.Facts(sources={"matrix_multiply.cu": Text("\n".join(lines))})
        result = samples.kernel().analyze(**bare, facts=commented, simulate=0)
        self.assertEqual(result.loops[0].source, "comment")

    def test_options_of_the_header_by_their_names(self):
        assumed = samples.kernel().analyze(**samples.LAUNCH, simulate=0, unlimited_queues=True)
        named = samples.kernel().analyze(**samples.LAUNCH, simulate=0, more={"balanced_dispatch": True})
        self.assertGreater(len(assumed.assumptions), 0)
        self.assertNotEqual(assumed.assumptions, samples.launch().assumptions)
        memory = samples.kernel().analyze(**samples.LAUNCH, simulate=0, warm_start=True, unlimited_memory_queue=True)
        self.assertTrue(any("(Q')" in assumption for assumption in memory.assumptions))
        self.assertNotEqual(named.assumptions, samples.launch().assumptions)

    def test_a_default_bound_makes_an_estimate(self):
        bare = {name: value for name, value in samples.LAUNCH.items() if name != "parameters"}
        result = samples.kernel().analyze(**bare, facts=warpbound.Facts(default_loop_bound=31), simulate=0)
        self.assertIs(result.upper.kind, Kind.ESTIMATE)
        self.assertTrue(result.upper.estimate_reasons)

    def test_compare(self):
        larger = samples.kernel().analyze(**{**samples.LAUNCH, "parameters": {0x18: 64}}, simulate=0)
        self.assertEqual(warpbound.compare(samples.launch(), samples.launch(), fail_above=5).failures, 0)
        comparison = warpbound.compare(samples.launch(), larger, fail_above=5)
        self.assertEqual(comparison.failures, 1)
        self.assertIn("matrix_tiled", comparison.failure)
        self.assertTrue(comparison.text())
        changes = comparison.changes_frame()
        self.assertEqual(list(changes.columns), ["launch", "group", "name", "old", "new"])
        self.assertIn("own latencies and stalls", set(changes["name"]))
        html = comparison._repr_html_()
        self.assertIn(f"{samples.launch().upper.cycles:,}", html)
        self.assertIn("grew", html)
        missing = warpbound.compare(samples.launch(), Text('{"format": "warpbound-launches-1", "launches": []}'), fail_above=5)
        self.assertIn("missing", missing._repr_html_())


class Warps(unittest.TestCase):
    def test_wcet(self):
        wcet = samples.kernel().wcet(parameters={"param_3": 32})
        printed = program("wcet", "examples/matrix_multiply.fatbin", "-k", "matrix_tiled", "--arch", "sm_87",
                          "--param", "param_3=32")
        self.assertEqual(wcet.bound.cycles, printed["kernels"][0]["wcet"]["cycles"])
        self.assertEqual(wcet.json["loops"], printed["kernels"][0]["loops"])
        self.assertEqual([loop.bound for loop in wcet.loops], [31, 7])
        self.assertEqual(list(wcet.loops_frame()["bound"]), [31, 7])
        self.assertGreater(wcet.runs(0), 0)
        self.assertIn("matrix_multiply.cu:14", wcet._repr_html_())

    def test_what_is_known_where_facts_are_missing(self):
        with self.assertRaises(warpbound.FactsMissing) as caught:
            samples.kernel().wcet()
        self.assertEqual([loop.bound for loop in caught.exception.result.loops], [None, 7])
        self.assertEqual(caught.exception.line, 654)

    def test_control_flow(self):
        flow = samples.kernel().control_flow()
        self.assertEqual(flow.loops, 2)
        self.assertIn("digraph", flow.dot())
        self.assertTrue(flow.text())

    def test_traces_are_the_same_for_a_seed(self):
        first, second = (samples.kernel().run(seed=7, steps=500) for _ in range(2))
        self.assertEqual([first.step(i) for i in range(first.steps)], [second.step(i) for i in range(second.steps)])
        with self.assertRaises(IndexError):
            first.step(first.steps)

    def test_paths_are_a_makespan_question(self):
        paths = samples.kernel().paths(parameters={"param_3": 2})
        self.assertFalse(paths.estimate)
        result = warpbound.makespan(paths, warpbound.Sm.of_device("orin"), 4, method="bounds")
        self.assertLessEqual(result.lower.cycles, result.upper.cycles)
        self.assertGreaterEqual(result.upper.cycles, paths.length)

    def test_hybrid(self):
        module = warpbound.Module(os.path.join(samples.EXAMPLES, "divergence.sass"))
        times = warpbound.Times(os.path.join(samples.EXAMPLES, "divergence-times.csv"))
        self.assertGreater(len(times), 0)
        kernel = next(iter(module))
        hybrid = kernel.hybrid(times)
        self.assertIs(hybrid.bound.kind, Kind.ESTIMATE)
        self.assertTrue(hybrid.text())


class Makespans(unittest.TestCase):
    def test_the_example_of_the_paper(self):
        result = warpbound.makespan("5L9C2L9C", "L=1,C=4", 4)
        self.assertEqual((result.lower.cycles, result.upper.cycles), (45, 45))
        self.assertIs(result.upper.kind, Kind.EXACT)
        schedule = warpbound.verify(Text(result.schedule()))
        self.assertEqual((schedule.valid, schedule.claim, schedule.cycles), (True, "schedule", 45))
        self.assertIn("<svg", result.gantt())
        self.assertIn("closed-form", list(result.bounds_frame()["name"]))
        self.assertIn("at most", result._repr_html_())

    def test_certificates(self):
        result = warpbound.makespan("5L9C2L9C", "L=1,C=4", 4, method="bounds", certify=True)
        self.assertTrue(warpbound.verify(Text(result.certificate())).valid)

    def test_policies(self):
        name = warpbound.policies()[0]
        result = warpbound.makespan("5L9C2L9C", "L=1,C=4", 4, policy=name)
        self.assertEqual(result.witness, 44 if name == "greedy-then-oldest" else result.witness)
        self.assertGreater(result.witness, 0)

    def test_series(self):
        series = warpbound.makespan_series("5L9C2L9C", "L=1,C=4", 1, 4)
        self.assertEqual([row.upper.cycles for row in series.rows], [25, 31, 37, 45])
        self.assertEqual(list(series.frame()["lower"]), [25, 31, 37, 45])
        self.assertIn("45", series._repr_html_())

    def test_sms(self):
        sm = warpbound.Sm("L=1,C=4,S=1/8", issue_slots=2, partitions=3)
        self.assertEqual((sm.partitions, sm.issue_slots, sm.units("special").denominator), (3, 2, 8))
        self.assertEqual(warpbound.Sm.of_device(warpbound.Gpu("orin-agx")).partitions, 4)


class MeasuredTimes(unittest.TestCase):
    def test_a_file(self):
        samples_read = warpbound.Samples.read(os.path.join(samples.EXAMPLES, "times.csv"))
        self.assertEqual(len(samples_read.values()), 2000)
        measured = warpbound.evt(samples_read, probabilities=[1e-3, 1e-9])
        printed = program("evt", "examples/times.csv", "--probability", "1e-3,1e-9")
        self.assertEqual(measured.series[0].applicability, printed["series"][0]["verdict"])
        self.assertEqual(list(measured.levels_frame()["probability"]), [1e-3, 1e-9])
        self.assertIn("<html", measured.page())
        self.assertIn("applicable", measured._repr_html_())

    def test_values(self):
        given = warpbound.Samples([1.5, 2, 3], "us")
        self.assertEqual((given.values(), given.unit, given.names), ([1.5, 2, 3], "us", [""]))
        self.assertEqual(warpbound.evt(given).series[0].applicability, "not applicable")


class Parameters(unittest.TestCase):
    def test_names_and_loops(self):
        folder = os.path.join(samples.EXAMPLES, "tutorial")
        module = warpbound.Module(os.path.join(folder, "kernels.fatbin"))
        facts = warpbound.Facts(sources={"kernels.cu": os.path.join(folder, "kernels.cu")})
        found = {row.name: row for row in module["gemm"].parameters(facts=facts)}
        self.assertEqual(list(found), ["c", "a", "b", "n"])
        self.assertEqual([(need.option, need.line) for need in found["n"].needs], [("--param n=N", 14)])
        self.assertEqual(found["a"].needs, [])
        self.assertEqual([row.name for row in module["gemm"].parameters()], [""] * 4)


class Devices(unittest.TestCase):
    def test_bundled(self):
        self.assertIn("orin-agx", warpbound.device_names())
        gpu = warpbound.Gpu("orin-agx")
        self.assertEqual((gpu.architecture, gpu.sms), (87, 16))
        self.assertIn("<td>sm_87</td>", gpu._repr_html_())
        again = warpbound.Gpu.read(Text(json.dumps(gpu.json())))
        self.assertEqual(again.json(), gpu.json())

    def test_modes_and_values(self):
        gpu = warpbound.Gpu("orin-agx", mode="15W")
        self.assertLess(gpu.clock, warpbound.Gpu("orin-agx").clock)
        gpu.slow_memory(2.0)
        self.assertIn("orin", repr(gpu))
