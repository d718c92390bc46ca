#include "frontend/file_kind.h"

#include "base/little_endian.h"
#include "base/memory.h"
#include "base/text.h"
#include "frontend/sass/sass_front_end.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As many bytes of a text are looked at. */
#define LOOKED_AT ((size_t)1 << 16)

/* e_machine of an ELF file of CUDA code, at a fixed place of its head. */
#define ELF_MACHINE_AT 18
#define ELF_CUDA 190
static const char elf[] = "\x7f"
                          "ELF";

enum kind {
  KIND_UNKNOWN,
  KIND_CUBIN,
  KIND_PROGRAM,
  KIND_FATBIN,
  KIND_LIBRARY,
  KIND_GZIP,
  KIND_XZ,
  KIND_ZSTD,
  KIND_ZIP,
  KIND_PICTURE,
  KIND_PDF,
  KIND_BITCODE,
  KIND_UTF16,
  KIND_JSON,
  KIND_LISTING,
  KIND_PTX,
  KIND_WEB_PAGE,
  KIND_LARGE_FILE_POINTER,
  KIND_LLVM,
  KIND_CUDA,
  KIND_COUNT
};

/* The beginning of an input: its bytes end in a zero that length does not count. */
struct beginning {
  const char *bytes;
  size_t length;
  bool listing; /* the whole input looks like a SASS listing */
};

/* The bytes that files of a kind begin with. */
static const struct {
  const char *bytes;
  size_t length;
  enum kind kind;
} beginnings[] = {
    {"\x50\xed\x55\xba", 4, KIND_FATBIN},
    {"!<arch>\n", 8, KIND_LIBRARY},
    {"\x1f\x8b", 2, KIND_GZIP},
    {"\xfd"
     "7zXZ",
     5, KIND_XZ},
    {"\x28\xb5\x2f\xfd", 4, KIND_ZSTD},
    {"PK\x03\x04", 4, KIND_ZIP},
    {"\x89PNG", 4, KIND_PICTURE},
    {"\xff\xd8\xff", 3, KIND_PICTURE},
    {"GIF8", 4, KIND_PICTURE},
    {"%PDF", 4, KIND_PDF},
    {"BC\xc0\xde", 4, KIND_BITCODE},
    {"version https://git-lfs", 23, KIND_LARGE_FILE_POINTER},
    {"<!DOCTYPE", 9, KIND_WEB_PAGE},
    {"<!doctype", 9, KIND_WEB_PAGE},
    {"<html", 5, KIND_WEB_PAGE},
};

/* The architecture of commands where any will do. */
#define ANY_SM 87

/* Each kind in words, and the command that makes of it an input that is read: %s is the file's
 * name, %u before it the architecture's number. */
static const struct {
  const char *is;
  const char *ptx;  /* where PTX would do; NULL: nothing helps */
  const char *sass; /* where machine code is needed; NULL: nothing helps */
} advice[KIND_COUNT] = {
    [KIND_CUBIN] = {"GPU machine code (a cubin)", NULL, NULL},
    [KIND_PROGRAM] = {"an ELF binary", NULL, NULL},
    [KIND_FATBIN] = {"a fat binary", NULL, NULL},
    [KIND_LIBRARY] = {"a library of object files", NULL, NULL},
    [KIND_GZIP] = {"a compressed file", "gzip -dc %s", "gzip -dc %s"},
    [KIND_XZ] = {"a compressed file", "xz -dc %s", "xz -dc %s"},
    [KIND_ZSTD] = {"a compressed file", "zstd -dc %s", "zstd -dc %s"},
    [KIND_ZIP] = {"a zip archive", "unzip -p %s", "unzip -p %s"},
    [KIND_PICTURE] = {"a picture", NULL, NULL},
    [KIND_PDF] = {"a PDF document", NULL, NULL},
    [KIND_BITCODE] = {"LLVM bitcode", "llc -march=nvptx64 -o - %s", "llc -march=nvptx64 -o - %s"},
    [KIND_UTF16] = {"text in UTF-16", "iconv -f UTF-16 -t UTF-8 %s", "iconv -f UTF-16 -t UTF-8 %s"},
    [KIND_JSON] = {"JSON", NULL, NULL},
    [KIND_LISTING] = {"a SASS listing", NULL, NULL},
    [KIND_PTX] = {"PTX", NULL, "ptxas -arch=sm_%u -lineinfo %s -o kernel.cubin"},
    [KIND_WEB_PAGE] = {"a web page", NULL, NULL},
    [KIND_LARGE_FILE_POINTER] = {"a pointer of Git LFS", "git lfs pull", "git lfs pull"},
    [KIND_LLVM] = {"LLVM assembly", "llc -march=nvptx64 -o - %s", "llc -march=nvptx64 -o - %s"},
    [KIND_CUDA] = {"CUDA C++ source", "nvcc -cubin -arch=sm_%u -lineinfo %s -o kernel.cubin",
                   "nvcc -cubin -arch=sm_%u -lineinfo %s -o kernel.cubin"},
};

static bool has(const char *text, size_t length, const char *word)
{
  const size_t size = strlen(word);
  for (size_t i = 0; i + size <= length; i++) {
    if (text[i] == word[0] && memcmp(text + i, word, size) == 0)
      return true;
  }
  return false;
}

/* The first word after blanks and comments of C. */
static const char *first_word(const char *text)
{
  for (;;) {
    text += strspn(text, " \t\r\n");
    const char *end = NULL;
    if (strncmp(text, "//", 2) == 0)
      end = strchr(text, '\n');
    else if (strncmp(text, "/*", 2) == 0 && (end = strstr(text, "*/")) != NULL)
      end += 2;
    if (end == NULL)
      return text;
    text = end;
  }
}

static enum kind kind_of_text(const struct beginning *source)
{
  static const char *const cuda[] = {"__global__", "__device__", "#include", "cudaMalloc",
                                     "threadIdx"};
  const bool marked = strncmp(source->bytes, "\xef\xbb\xbf", 3) == 0;
  const char *first = first_word(source->bytes + (marked ? 3 : 0));
  if (source->listing)
    return KIND_LISTING;
  if (strncmp(first, ".version", 8) == 0)
    return KIND_PTX;
  if (*first == '{' && first[strspn(first + 1, " \t\r\n") + 1] == '"')
    return KIND_JSON;
  if (has(source->bytes, source->length, "target triple") || strncmp(first, "; ModuleID", 10) == 0)
    return KIND_LLVM;
  for (size_t c = 0; c < sizeof cuda / sizeof *cuda; c++) {
    if (has(source->bytes, source->length, cuda[c]))
      return KIND_CUDA;
  }
  return KIND_UNKNOWN;
}

static enum kind kind_of(const struct beginning *source)
{
  const char *bytes = source->bytes;
  const size_t length = source->length;
  /* A byte order mark and a letter of ASCII: what PowerShell writes of a listing. */
  if (length >= 4 && ((memcmp(bytes, "\xff\xfe", 2) == 0 && bytes[3] == '\0') ||
                      (memcmp(bytes, "\xfe\xff", 2) == 0 && bytes[2] == '\0')))
    return KIND_UTF16;
  if (length >= 4 && memcmp(bytes, elf, strlen(elf)) == 0)
    return length >= ELF_MACHINE_AT + 2 &&
                   wb_u16((const unsigned char *)bytes + ELF_MACHINE_AT) == ELF_CUDA
               ? KIND_CUBIN
               : KIND_PROGRAM;
  for (size_t b = 0; b < sizeof beginnings / sizeof *beginnings; b++) {
    if (length >= beginnings[b].length &&
        memcmp(bytes, beginnings[b].bytes, beginnings[b].length) == 0)
      return beginnings[b].kind;
  }
  return kind_of_text(source);
}

/* Whether a file of the kind may well be what was wanted, so that its own error says more. */
static bool may_be(enum kind kind, enum wb_file_wanted wanted)
{
  switch (wanted) {
  case WB_FILE_KERNEL:
    return kind == KIND_PTX || kind == KIND_LISTING || kind == KIND_JSON;
  case WB_FILE_LISTING:
    return kind == KIND_LISTING;
  case WB_FILE_JSON:
    return kind == KIND_JSON;
  default:
    return false;
  }
}

/* The command that reads a file of the kind as it is. */
static const char *reader(enum kind kind, enum wb_file_wanted wanted)
{
  if (kind == KIND_PTX && wanted != WB_FILE_LISTING)
    return "; 'warpbound string' and 'warpbound makespan' read it";
  const bool holds_code =
      kind == KIND_CUBIN || kind == KIND_PROGRAM || kind == KIND_FATBIN || kind == KIND_LIBRARY;
  if (holds_code)
    return wanted == WB_FILE_KERNEL || wanted == WB_FILE_LISTING
               ? ", whose head is cut off"
               : "; 'warpbound kernels' lists the kernels in it";
  if (kind == KIND_LISTING)
    return "; 'warpbound wcet', 'warpbound cfg' and 'warpbound makespan' read it";
  if (kind == KIND_JSON && wanted == WB_FILE_LISTING)
    return "; 'warpbound makespan' reads instance files, 'warpbound verify' schedules and "
           "certificates";
  return "";
}

/* "; try 'COMMAND'", with a number for the %u, if there is one, and a file's name for the %s. */
static void write_advice(const char *help, uint32_t sm, const char *file, struct wb_text *text)
{
  wb_text_string(text, "; try '");
  for (; *help != '\0'; help++) {
    if (strncmp(help, "%u", 2) == 0)
      wb_text_format(text, "%" PRIu32, sm);
    else if (strncmp(help, "%s", 2) == 0)
      wb_text_string(text, file);
    else
      wb_text_append(text, help, 1);
    help += *help == '%';
  }
  wb_text_string(text, "'");
}

static void explain(const char *name, enum kind kind, enum wb_file_wanted wanted, uint32_t sm,
                    warpbound_error *error)
{
  static const char *const expected[] = {"PTX, machine code, a SASS listing or an instance file",
                                         "machine code or a SASS listing", "a JSON file", "a text"};
  char file[80];
  struct wb_text command = {0};
  const char *help = NULL;
  if (wanted == WB_FILE_KERNEL && advice[kind].ptx != NULL)
    help = advice[kind].ptx;
  else if (wanted == WB_FILE_KERNEL || wanted == WB_FILE_LISTING)
    help = advice[kind].sass;
  snprintf(file, sizeof file, "%.79s", name[0] == '<' || name[0] == '\0' ? "FILE" : name);
  if (help != NULL)
    write_advice(help, sm, file, &command);
  wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 0, 0, "expected %s, found %s%s%s",
             expected[wanted], advice[kind].is,
             command.length > 0 && !command.failed ? command.data : "", reader(kind, wanted));
  wb_text_free(&command);
}

void wb_file_kind_explain(const char *name, const char *bytes, size_t length,
                          enum wb_file_wanted wanted, warpbound_error *error)
{
  wb_file_kind_explain_for(name, bytes, length, wanted, 0, error);
}

void wb_file_kind_explain_for(const char *name, const char *bytes, size_t length,
                              enum wb_file_wanted wanted, uint32_t sm, warpbound_error *error)
{
  const size_t looked_at = length < LOOKED_AT ? length : LOOKED_AT;
  char *copy = wb_copy_text(bytes, looked_at);
  if (copy == NULL)
    return;
  const struct beginning beginning = {copy, looked_at, wb_sass_detect(bytes, length)};
  const enum kind kind = kind_of(&beginning);
  free(copy);
  if (kind != KIND_UNKNOWN && !may_be(kind, wanted))
    explain(name, kind, wanted, sm > 0 ? sm : ANY_SM, error);
}
