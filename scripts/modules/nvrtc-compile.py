#!/usr/bin/python3
"""Compile a CUDA source to PTX or to a cubin with an NVRTC library loaded at run time.

Helper of make-ptx-fixtures and make-sass-fixtures: it drives libnvrtc through ctypes, so that no CUDA
toolkit of that version need be installed.
"""
import argparse
import ctypes
import sys


def check(lib, code, what):
    if code != 0:
        lib.nvrtcGetErrorString.restype = ctypes.c_char_p
        sys.exit("%s: %s" % (what, lib.nvrtcGetErrorString(code).decode()))


def supported(lib):
    count = ctypes.c_int()
    check(lib, lib.nvrtcGetNumSupportedArchs(ctypes.byref(count)), "nvrtcGetNumSupportedArchs")
    archs = (ctypes.c_int * count.value)()
    check(lib, lib.nvrtcGetSupportedArchs(archs), "nvrtcGetSupportedArchs")
    return list(archs)


def text(lib, size_of, get, program):
    size = ctypes.c_size_t()
    check(lib, size_of(program, ctypes.byref(size)), "size of the result")
    buffer = ctypes.create_string_buffer(size.value)
    check(lib, get(program, buffer), "result")
    return buffer.raw[:size.value]


def compile_one(lib, source, name, options, cubin):
    """Return (PTX or cubin or None, log)."""
    program = ctypes.c_void_p()
    check(lib, lib.nvrtcCreateProgram(ctypes.byref(program), source, name.encode(), 0, None, None),
          "nvrtcCreateProgram")
    array = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
    code = lib.nvrtcCompileProgram(program, len(options), array)
    log = text(lib, lib.nvrtcGetProgramLogSize, lib.nvrtcGetProgramLog, program)
    compiled = None
    if code == 0 and cubin:
        compiled = text(lib, lib.nvrtcGetCUBINSize, lib.nvrtcGetCUBIN, program)
    elif code == 0:
        compiled = text(lib, lib.nvrtcGetPTXSize, lib.nvrtcGetPTX, program).rstrip(b"\0")
    lib.nvrtcDestroyProgram(ctypes.byref(program))
    return compiled, log.rstrip(b"\0").decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(
        description="Compile CUDA to PTX or a cubin with NVRTC; options after -- go to the compiler.")
    parser.add_argument("--library", required=True,
                        help="libnvrtc.so (its libnvrtc-builtins in the library path)")
    parser.add_argument("--list-architectures", action="store_true",
                        help="print the virtual architectures that the library offers and stop")
    parser.add_argument("--cubin", action="store_true",
                        help="write a cubin; -arch=sm_NN among the options says for which GPU")
    parser.add_argument("--name", help="file name to record in the output (default: the source's)")
    parser.add_argument("--output", help="file to write")
    parser.add_argument("source", nargs="?")
    parser.add_argument("options", nargs="*")
    args = parser.parse_args()

    try:
        lib = ctypes.CDLL(args.library)
    except OSError as error:
        sys.exit(str(error))
    if args.list_architectures:
        for arch in supported(lib):
            print("compute_%d" % arch)
        return
    if not args.source or not args.output:
        parser.error("a source and --output are needed")
    with open(args.source, "rb") as file:
        source = file.read()
    compiled, log = compile_one(lib, source, args.name or args.source, args.options, args.cubin)
    if log.strip():
        print(log.strip(), file=sys.stderr)
    if compiled is None:
        sys.exit(1)
    with open(args.output, "wb") as file:
        file.write(compiled)


if __name__ == "__main__":
    main()
