"""The page on the package and the notebook: what they show happens."""
import doctest
import os
import re
import unittest

import samples
import warpbound

PAGE = os.path.join(samples.ROOT, "python", "README.md")
NOTEBOOK = os.path.join(samples.ROOT, "python", "tour.ipynb")


class Documents(unittest.TestCase):
    def setUp(self):
        folder = os.getcwd()
        self.addCleanup(os.chdir, folder)
        os.chdir(samples.ROOT)

    def test_the_page(self):
        failed, tried = doctest.testfile(PAGE, module_relative=False,
                                         optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        self.assertGreater(tried, 6)
        self.assertEqual(failed, 0)

    def test_the_table_names_what_there_is(self):
        with open(PAGE, encoding="utf-8") as file:
            rows = re.findall(r"(?m)^\| (`.*?) \|", file.read())
        names = set(re.findall(r"`(\w+)\(", " ".join(rows))) | {"Facts", "Samples", "Gpu", "Sm"}
        for name in names:
            self.assertTrue(hasattr(warpbound, name), name)
        for name in re.findall(r"`(?:kernel)?\.(\w+)\(", " ".join(rows)):
            self.assertTrue(hasattr(warpbound.Kernel, name), name)

    def test_the_notebook(self):
        if os.environ.get("LD_PRELOAD"):
            self.skipTest("it runs without the sanitizers")
        import nbclient
        import nbformat

        notebook = nbformat.read(NOTEBOOK, as_version=4)
        nbformat.validate(notebook)
        self.assertEqual([cell for cell in notebook.cells if cell.get("outputs")], [], "it is kept without outputs")
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                                resources={"metadata": {"path": samples.ROOT}}).execute()
        html = [output["data"]["text/html"] for cell in notebook.cells for output in cell.get("outputs", [])
                if "text/html" in output.get("data", {})]
        self.assertGreaterEqual(len(html), 9)
        self.assertIn("matrix_tiled on orin-agx", html[1])


