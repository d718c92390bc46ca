#!/usr/bin/python3
"""Checks debian/ against the build, without building a package. Prints TAP.

usage: tests/packages/check.py BUILD ROOT

Every file that is installed is taken by one package, and every pattern takes a file; version, shared object and
dependencies are those of the sources; what the CI files and the container do names what there is. What only a
build can show is in tests/packages/run.
"""
import fnmatch
import json
import os
import re
import subprocess
import sys

PACKAGES = ("warpbound", "libwarpbound0", "libwarpbound-dev", "python3-warpbound")
# Packages of scripts/install-dependencies that no build of the packages needs, and those that it has by itself.
TESTS_ALONE = {"libcmocka-dev", "glpk-utils", "coinor-cbc", "cmake", "graphviz", "python3-jsonschema",
               "python3-pandas", "python3-nbclient", "python3-ipykernel", "python3-yaml"}
# dpkg-dev is of build-essential, which each build of a package has.
ESSENTIAL = {"gcc", "g++", "libc6-dev", "ninja-build", "python3", "dpkg-dev"}
# debian/rules removes it, as debian/copyright has the licence.
REMOVED = {"usr/share/doc/warpbound/LICENSE"}


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def installed_files(build):
    """What `meson install` writes with the prefix /usr and a multi-arch folder, as debian/tmp has it."""
    plan = json.loads(subprocess.run(["meson", "introspect", build, "--install-plan"], check=True,
                                     capture_output=True, text=True).stdout)
    places = {"{bindir}": "usr/bin", "{datadir}": "usr/share", "{mandir}": "usr/share/man",
              "{includedir}": "usr/include", "{libdir}": "usr/lib/ARCH", "{libdir_shared}": "usr/lib/ARCH",
              "{libdir_static}": "usr/lib/ARCH", "{prefix}": "usr"}
    for kind in plan.values():
        for source, row in kind.items():
            target = row["destination"]
            for place, folder in places.items():
                target = target.replace(place, folder)
            if os.path.isdir(source):
                for folder, _, names in os.walk(source):
                    yield from (os.path.normpath(os.path.join(target, os.path.relpath(folder, source), name))
                                for name in names)
            else:
                yield re.sub(r"^usr/lib/ARCH/(?=python3)", "usr/lib/", target)


def patterns_of(root, package):
    return read(root, "debian", package + ".install").split()


def takes(pattern, file):
    return fnmatch.fnmatchcase(file, pattern) or fnmatch.fnmatchcase(file, pattern + "/*")


def check_files(build, root):
    files = sorted(set(installed_files(build)) - REMOVED)
    # Where the build does not install the Python package.
    files += [] if any("python3" in file for file in files) else ["usr/lib/python3/dist-packages/warpbound/__init__.py"]
    patterns = [(package, pattern) for package in PACKAGES for pattern in patterns_of(root, package)]
    for file in files:
        owners = {package for package, pattern in patterns if takes(pattern, file)}
        if len(owners) != 1:
            yield f"{file} is in {sorted(owners) or 'no package'}"
    # Links of the shared library are not in the plan.
    files += ["usr/lib/ARCH/libwarpbound.so", "usr/lib/ARCH/libwarpbound.so.0"]
    for package, pattern in patterns:
        if not any(takes(pattern, file) for file in files):
            yield f"debian/{package}.install: {pattern} takes nothing"


def check_versions(build, root):
    version = re.search(r"version: '([^']+)'", read(root, "meson.build"))[1]
    stated = re.match(r"warpbound \(([^)]+)\)", read(root, "debian", "changelog"))[1]
    if stated != version:
        yield f"debian/changelog has version {stated}, meson.build {version}"
    if not re.search(rf"^Package: libwarpbound{version.split('.')[0]}$", read(root, "debian", "control"), re.M):
        yield f"debian/control has no package libwarpbound{version.split('.')[0]}"
    for name in ("packaging/warpbound.wrap", "packaging/github/action.yml"):
        if f"v{version}" not in read(root, name):
            yield f"{name} does not name v{version}"


def check_dependencies(build, root):
    control = read(root, "debian", "control")
    needed = set(re.findall(r"^ ([a-z0-9.+-]+)", re.search(r"Build-Depends:\n((?: .*\n)+)", control)[1], re.M))
    wanted = set()
    for words in re.findall(r'^packages="([^"]+)"', read(root, "scripts", "install-dependencies"), re.M):
        wanted |= {word for word in words.split() if not word.startswith("$")}
    for package in sorted(wanted - TESTS_ALONE - ESSENTIAL - needed):
        yield f"debian/control: Build-Depends lacks {package} of scripts/install-dependencies"
    development = control.split("Package: libwarpbound-dev")[1].split("Package:")[0]
    for package in sorted(name for name in needed if name.startswith(("lib", "zlib", "coinor"))):
        if f" {package}," not in development:
            yield f"debian/control: libwarpbound-dev does not depend on {package}, which the static library needs"


def check_paths(build, root):
    for name in ("packaging/Dockerfile", "packaging/README.md", "Makefile"):
        for path in re.findall(r"(?<![\w./-])packaging/[\w./-]*\w", read(root, name)):
            if not os.path.exists(os.path.join(root, path)):
                yield f"{name}: there is no {path}"
    import yaml

    action = yaml.safe_load(read(root, "packaging/github/action.yml"))
    job = yaml.safe_load(read(root, "examples/ci/github-actions.yml"))["jobs"]["analyze"]["steps"]
    given = [step["with"] for step in job if "packaging/github" in step.get("uses", "")]
    if len(given) != 1 or not set(given[0]) <= set(action["inputs"]):
        yield "examples/ci/github-actions.yml gives the action other inputs than it has"
    template = yaml.safe_load(read(root, "packaging/gitlab/warpbound.yml"))[".warpbound"]
    example = yaml.safe_load(read(root, "examples/ci/gitlab-ci.yml"))["worst-case times"]
    if example["extends"] != ".warpbound" or not set(example["variables"]) <= set(template["variables"]):
        yield "examples/ci/gitlab-ci.yml gives the template other variables than it has"


CHECKS = [
    ("debian/*.install: every installed file is in one package", check_files),
    ("versions and shared object are the sources'", check_versions),
    ("debian/control: what a build needs is what scripts/install-dependencies installs", check_dependencies),
    ("the container and the CI files name what there is", check_paths),
]


def main(build, root):
    failed = 0
    for number, (title, check) in enumerate(CHECKS, 1):
        faults = list(check(build, root))
        for fault in faults:
            print(f"# {fault}")
        print(f"{'not ok' if faults else 'ok'} {number} - {title}")
        failed += bool(faults)
    print(f"1..{len(CHECKS)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
