#!/usr/bin/python3
"""Writes the C source of the module warpbound._native: cffi's view of include/warpbound.h.

usage: make_native.py HEADER OUTPUT.c [--declarations]

What Python sees is derived from the header alone: its declarations without comments, attributes and
directives; each macro that is a number keeps its name, and the C compiler gives its value and the layout of
every struct. --declarations prints that text and writes nothing.
"""
import re
import sys

# Limits of a call that Python can end: a flag that needs no lock of the interpreter, since the library asks
# from any thread, and a handle of the Python object that receives progress.
CALLS = r"""
#include <stdatomic.h>
#include <stdlib.h>
#include <warpbound.h>

struct warpbound_python_call {
  atomic_bool stopped;
  void *receiver;
};

static struct warpbound_python_call *warpbound_python_call_create(void *receiver)
{
  struct warpbound_python_call *call = calloc(1, sizeof *call);
  if (call != NULL)
    call->receiver = receiver;
  return call;
}

static void warpbound_python_call_free(struct warpbound_python_call *call)
{
  free(call);
}

static void warpbound_python_call_stop(struct warpbound_python_call *call)
{
  atomic_store(&call->stopped, true);
}

static void *warpbound_python_call_receiver(void *context)
{
  return ((struct warpbound_python_call *)context)->receiver;
}

static bool warpbound_python_call_stopped(void *context)
{
  return atomic_load(&((struct warpbound_python_call *)context)->stopped);
}
"""
CALL_DECLARATIONS = """
struct warpbound_python_call;
struct warpbound_python_call *warpbound_python_call_create(void *receiver);
void warpbound_python_call_free(struct warpbound_python_call *call);
void warpbound_python_call_stop(struct warpbound_python_call *call);
void *warpbound_python_call_receiver(void *context);
bool warpbound_python_call_stopped(void *context);
extern "Python" void warpbound_python_progress(void *context, const char *phase, double fraction);
"""


def declarations_of(header):
    """The declarations of the header's text, as cffi reads them."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    text = re.sub(r"(?m)//.*$", "", text)
    text = text.replace("\\\n", " ")
    macros = re.findall(r"(?m)^#define (WARPBOUND_\w+)[ \t]+(\S.*)$", text)
    numbers = dict((name, value.strip()) for name, value in macros if name != "WARPBOUND_API")
    text = re.sub(r'(?m)^#if.*\n(?:extern "C" \{|\})\n#endif.*$', "", text)
    text = re.sub(r"(?m)^#.*$", "", text)
    text = re.sub(r"\bWARPBOUND_API\b", "", text)
    # The size of an array has to be a number here; of other macros the compiler knows the value.
    lines = [f"#define {name} {value if value.isdigit() else '...'}" for name, value in numbers.items()]
    return "\n".join(lines) + "\n" + re.sub(r"\n\s*\n+", "\n", text).strip() + "\n"


def main(words):
    if len(words) not in (2, 3) or words[2:] not in ([], ["--declarations"]):
        sys.exit(__doc__)
    with open(words[0], encoding="utf-8") as file:
        declarations = declarations_of(file.read())
    if words[2:]:
        print(declarations, end="")
        return
    import cffi  # not needed to print the declarations

    builder = cffi.FFI()
    builder.cdef(declarations + CALL_DECLARATIONS)
    builder.set_source("warpbound._native", CALLS)
    builder.emit_c_code(words[1])


if __name__ == "__main__":
    main(sys.argv[1:])
