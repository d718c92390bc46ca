"""Handles, interruption, progress, limits, and mistakes of a caller."""
import gc
import os
import resource
import signal
import threading
import time
import unittest

import samples
import warpbound
from warpbound import Limits, Text


class Handles(unittest.TestCase):
    def test_parents_live_as_long_as_their_children(self):
        kernel = samples.module()["matrix_tiled"]
        launch = kernel.analyze(**samples.LAUNCH, simulate=0)
        paths = kernel.paths(parameters={"param_3": 2})
        wcet = kernel.wcet(parameters={"param_3": 2})
        del kernel
        gc.collect()
        self.assertTrue(launch.text() and launch.certificate() and wcet.text())
        self.assertTrue(warpbound.makespan(paths, "L=1,C=4,S=1,D=1,T=1", 2, method="bounds").upper.cycles)

    def test_circles_are_freed(self):
        for _ in range(20):
            module = samples.module()
            kernel = module["matrix_tiled"]
            flow = kernel.control_flow()
            module.circle = [kernel, flow]
            kernel.circle = module
        del module, kernel, flow
        self.assertGreater(gc.collect(), 0)

    def test_destructors_run(self):
        before = len(freed)
        module = samples.module()
        kernel = module.kernel("matrix_tiled")
        del kernel, module
        gc.collect()
        self.assertEqual(freed[before:], ["kernel", "module"])

    def test_memory_does_not_grow(self):
        if os.environ.get("LD_PRELOAD"):
            self.skipTest("sanitizers keep what is freed")

        def use():
            wcet = samples.kernel().wcet(parameters={"param_3": 32})
            wcet.text()
            with self.assertRaises(warpbound.FactsMissing):
                samples.kernel().wcet()

        for _ in range(15):
            use()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(60):
            use()
        # A module of this file alone has some hundred KiB.
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 4096)


freed = []


def watch(name):
    """Has a destructor of the library say that it ran."""
    from warpbound import code

    real = getattr(code.lib, f"warpbound_{name}_free")

    class Watched:
        def __getattr__(self, member):
            if member == f"warpbound_{name}_free":
                return lambda handle: (freed.append(name), real(handle))
            return getattr(inner, member)

    inner = code.lib
    code.lib = Watched()


watch("module")
watch("kernel")


class Interruption(unittest.TestCase):
    def interrupt(self, work):
        """Seconds from Ctrl-C to the KeyboardInterrupt of work()."""
        sent = []

        def send():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.7, send)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            work()
        timer.join()
        self.assertTrue(sent)
        return time.monotonic() - sent[0]

    def test_a_search_ends_at_once(self):
        self.assertLess(self.interrupt(lambda: warpbound.makespan(*samples.LONG, method="anneal",
                                                                  limits=Limits(threads=1))), 5)

    def test_an_interrupted_library_goes_on_working(self):
        self.interrupt(lambda: warpbound.makespan(*samples.LONG))
        self.assertEqual(warpbound.makespan("5L9C2L9C", "L=1,C=4", 4).upper.cycles, 45)

    def test_a_handler_of_another_signal(self):
        class Stop(Exception):
            pass

        def handler(number, frame):
            raise Stop

        old = signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        begin = time.monotonic()
        try:
            with self.assertRaises(Stop):
                warpbound.makespan(*samples.LONG)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, old)
        self.assertLess(time.monotonic() - begin, 10)

    def test_other_threads_analyse_too(self):
        results = []
        threads = [threading.Thread(target=lambda: results.append(
            warpbound.makespan("5L9C2L9C", "L=1,C=4", 4).upper.cycles)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [45] * 4)


class Progress(unittest.TestCase):
    def test_it_is_told(self):
        told = []
        limits = Limits(seconds=2, progress=lambda phase, fraction: told.append((phase, fraction)))
        result = warpbound.makespan(*samples.LONG, method="exact", limits=limits)
        self.assertTrue(told)
        self.assertTrue(all(isinstance(phase, str) and 0 <= fraction <= 1 for phase, fraction in told))
        self.assertTrue(result.limit)
        self.assertLess(result.lower.cycles, result.upper.cycles)

    def test_what_it_raises_ends_the_analysis(self):
        def refuse(phase, fraction):
            raise LookupError("enough")

        begin = time.monotonic()
        with self.assertRaisesRegex(LookupError, "enough"):
            warpbound.makespan(*samples.LONG, limits=Limits(progress=refuse))
        self.assertLess(time.monotonic() - begin, 20)

    def test_a_time_limit_leaves_a_bracket(self):
        result = warpbound.makespan(*samples.LONG, method="exact", limits=Limits(seconds=0.5, threads=1))
        self.assertTrue(result.limit)
        self.assertLessEqual(result.lower.cycles, result.upper.cycles)


class Mistakes(unittest.TestCase):
    def refused(self, kind, words, call, *arguments, **named):
        with self.assertRaisesRegex(kind, words) as caught:
            call(*arguments, **named)
        return caught.exception

    def test_places(self):
        error = self.refused(warpbound.InputError, r"^x\.ptx:1:1: expected", warpbound.Module,
                             Text("nothing of ours", "x.ptx"))
        self.assertEqual((error.file, error.line, error.column), ("x.ptx", 1, 1))
        error = self.refused(warpbound.InputError, "facts", samples.kernel().wcet,
                             facts=warpbound.Facts(flow_facts=Text("kernel matrix_tiled\nloop what", "facts")))
        self.assertEqual((error.file, error.line), ("facts", 2))
        self.assertIsInstance(error, ValueError)
        self.assertIsInstance(error, warpbound.Error)

    def test_files_that_are_not_there(self):
        self.refused(FileNotFoundError, "nowhere", warpbound.Module, "/nowhere/kernel.cubin")
        self.refused(FileNotFoundError, "nowhere", samples.kernel().wcet,
                     facts=warpbound.Facts(flow_facts="/nowhere/facts"))

    def test_names(self):
        self.refused(warpbound.UsageError, "matrix_tiled", samples.module().kernel, "matrix")
        self.refused(warpbound.UsageError, "zero character", samples.module().kernel, "matrix_tiled\0x")
        self.refused(warpbound.UsageError, "orin", warpbound.Gpu, "orim")
        self.refused(warpbound.UsageError, "expected one of shown, same, end", samples.kernel().analyze,
                     **samples.LAUNCH, assume_barriers="all")
        self.refused(warpbound.UsageError, "expected one of auto", warpbound.makespan, "LC", "L=1,C=1", 1,
                     method="magic")

    def test_numbers(self):
        launch = dict(samples.LAUNCH)
        for change, words in [({"grid": (0, 1)}, "grid"), ({"block": (1, 1, 1, 1)}, "block"),
                              ({"grid": 2**32}, "grid"), ({"registers": 2**40}, "registers"),
                              ({"simulate": -1}, "simulate"), ({"parameters": {"param_3": 2**64}}, "eight bytes"),
                              ({"parameters": {2: 1}}, "multiple of 4"), ({"parameters": {-4: 1}}, "offset"),
                              ({"carveout": "huge"}, "carveout"), ({"more": {"magic": 1}}, "magic"),
                              ({"more": {"seed": -1}}, "seed"), ({"block": (1024, 1024)}, "")]:
            with self.subTest(change=change):
                self.refused((warpbound.UsageError, warpbound.InputError), words, samples.kernel().analyze,
                             **{**launch, **change})
        self.refused(warpbound.UsageError, "", warpbound.makespan, "LC", "L=1,C=1", -1)
        self.refused(warpbound.UsageError, "", warpbound.makespan, "LC", "L=1,C=1", 70000)
        self.refused(warpbound.UsageError, "", warpbound.Samples, [])
        self.refused(warpbound.UsageError, "", warpbound.Samples, [float("nan")])
        self.refused(warpbound.UsageError, "", warpbound.makespan, "LC", "L=1,C=1", 1, limits=Limits(threads=65))

    def test_kinds_of_inputs(self):
        ptx = warpbound.Module(os.path.join(samples.EXAMPLES, "voronoi.ptx"))
        self.refused(warpbound.UsageError, "", ptx.kernel().wcet)
        self.refused(warpbound.UsageError, "", ptx.kernel().analyze, **samples.LAUNCH)
        self.refused(TypeError, "", warpbound.Module, 7)
        self.refused(TypeError, "", samples.kernel().analyze, grid=1, block=1)

    def test_damaged_files(self):
        with open(samples.FATBIN, "rb") as file:
            content = file.read()
        for cut in (1, 17, 100, len(content) // 2, len(content) - 7):
            with self.subTest(cut=cut):
                self.refused(warpbound.Error, "", lambda: [
                    kernel.control_flow() for kernel in warpbound.Module(Text(content[:cut], "cut"),
                                                                         architecture="sm_90")])

    def test_a_schedule_that_is_none(self):
        self.refused(warpbound.InputError, "", warpbound.verify, Text("{}"))
        self.refused(warpbound.InputError, "", warpbound.compare, Text("{}"), Text("[]"))
