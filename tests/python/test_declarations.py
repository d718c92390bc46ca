"""The package against the header and the schemas: nothing is missing, nothing is of its own invention."""
import dataclasses
import json
import os
import re
import unittest

import samples
import warpbound
from warpbound._native import ffi, lib


def header():
    with open(os.path.join(samples.ROOT, "include", "warpbound.h"), encoding="utf-8") as file:
        return file.read()


def schema(name):
    with open(os.path.join(samples.ROOT, "doc", "schema", name + ".json"), encoding="utf-8") as file:
        return json.load(file)


class Declarations(unittest.TestCase):
    def test_every_function_of_the_header_is_there(self):
        code = re.sub(r"/\*.*?\*/", "", header(), flags=re.DOTALL)
        names = re.findall(r"WARPBOUND_API[^;(]*?\b(warpbound_\w+)\(", code)
        self.assertGreater(len(names), 200)
        self.assertEqual([name for name in names if not hasattr(lib, name)], [])

    def test_every_enumerator_has_the_compiler_s_value(self):
        self.assertEqual(lib.WARPBOUND_INTERNAL, 6)
        self.assertEqual(lib.WARPBOUND_UNKNOWN, 2**32 - 1)
        self.assertEqual(lib.WARPBOUND_UNIT_COUNT, len(ffi.typeof("warpbound_unit").elements))

    def test_kinds_are_the_library_s(self):
        values = sorted(ffi.typeof("warpbound_kind").elements)
        words = [ffi.string(lib.warpbound_kind_name(value)).decode() for value in values]
        self.assertEqual(words, [kind.value for kind in warpbound.Kind])

    def test_every_status_has_an_exception(self):
        from warpbound import calls

        for value in ffi.typeof("warpbound_status").elements:
            if value != lib.WARPBOUND_OK:
                self.assertIn(value, calls._CLASSES)

    def test_the_version_is_the_library_s(self):
        self.assertRegex(warpbound.__version__, r"^\d+\.\d+\.\d+$")

    def test_all_is_complete(self):
        for name in warpbound.__all__:
            self.assertTrue(hasattr(warpbound, name), name)
            self.assertTrue(isinstance(getattr(warpbound, name), object))


class Members(unittest.TestCase):
    """Fields of dataclasses that are read from JSON are members of its schema."""

    def check_members(self, kind, item, renamed=()):
        members = item["properties"]
        required = set(item["required"])
        for field in dataclasses.fields(kind):
            self.assertIn(field.name, members, f"{kind.__name__}.{field.name}")
            if field.default is dataclasses.MISSING:
                self.assertIn(field.name, required, f"{kind.__name__}.{field.name} may be missing")

    def test_launches(self):
        members = schema("analyze")["properties"]
        for kind, name in [(warpbound.Part, "breakdown"), (warpbound.Access, "accesses"),
                           (warpbound.LineCost, "lines"), (warpbound.Sensitivity, "sensitivity"),
                           (warpbound.Loop, "loops")]:
            with self.subTest(name):
                self.check_members(kind, members[name]["items"])
