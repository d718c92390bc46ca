"""Runs the unittest files of this folder, named or all, and prints TAP: a line for each test."""
import os
import sys
import traceback
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))


class Tap(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.number = 0

    def _line(self, word, test, rest=""):
        self.number += 1
        print(f"{word} {self.number} - {test.id()}{rest}", flush=True)

    def _explain(self, failure):
        for line in "".join(traceback.format_exception(*failure)).splitlines():
            print(f"# {line}")

    def addSuccess(self, test):
        self._line("ok", test)

    def addSkip(self, test, reason):
        self._line("ok", test, f" # SKIP {reason}")

    def addFailure(self, test, failure):
        super().addFailure(test, failure)
        self._explain(failure)
        self._line("not ok", test)

    def addError(self, test, failure):
        super().addError(test, failure)
        self._explain(failure)
        self._line("not ok", test)

    def addSubTest(self, test, subtest, failure):
        super().addSubTest(test, subtest, failure)
        if failure is not None:
            self._explain(failure)
            self._line("not ok", subtest)


def main(names):
    sys.path.insert(0, FOLDER)
    loader = unittest.TestLoader()
    if names:
        suite = unittest.TestSuite(loader.loadTestsFromName(name) for name in names)
    else:
        suite = loader.discover(FOLDER, pattern="test_*.py")
    result = Tap()
    suite.run(result)
    print(f"1..{result.number}")
    return 0 if result.number and result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
