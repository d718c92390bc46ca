#include "measure_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void measure_usage(FILE *to)
{
  fputs("usage: measure FILE.ptx --grid X[,Y,Z] --block X[,Y,Z] [OPTIONS] [PARAMETERS]\n"
        "Runs a kernel that 'warpbound instrument' added probes to, and writes what these kept.\n"
        "\n"
        "  --kernel NAME     another kernel of the file: whole launches alone are timed\n"
        "  --runs N          launches (default 100)\n"
        "  --cache cold|warm cold: more bytes than the L2 cache has are written before each run;\n"
        "                    warm (default): a run that is not kept comes first\n"
        "  --seed N          of random buffers (default 0)\n"
        "  --warps N         warps that get rows of their own (default 64); all others share rows\n"
        "  --shared BYTES    dynamic shared memory of a block\n"
        "  --device N        the GPU (default 0)\n"
        "  --driver FILE     the driver's library (default libcuda.so.1)\n"
        "  --raw FILE        write the raw output, for 'warpbound instrument --raw'\n"
        "  --times FILE.csv  write the time of each launch, for 'warpbound evt'\n"
        "\n"
        "Parameters of the kernel, in order:\n"
        "  --buffer BYTES[:MOST]  the address of random bytes; with MOST: words of 0 to MOST\n"
        "  --zeros BYTES          the address of zeros\n"
        "  --file FILE            the address of a file's bytes\n"
        "  --int N, --long N, --float X, --double X\n"
        "\n"
        "Exit status: 0 measured; 2 usage; 3 a file or the driver refuses; 4 there is no GPU.\n",
        to);
}

static bool complain(const char *option, const char *expected, const char *found)
{
  fprintf(stderr, "measure: %s: expected %s, found '%s'\n", option, expected, found);
  return false;
}

/* A whole number of decimal digits up to `most`; *end is behind it. NULL where there is none. */
static const char *whole_number(const char *text, uint64_t most, uint64_t *number)
{
  uint64_t value = 0;
  const char *at = text;
  while (*at >= '0' && *at <= '9') {
    const uint64_t digit = (uint64_t)(*at++ - '0');
    if (digit > most || value > (most - digit) / 10)
      return NULL;
    value = value * 10 + digit;
  }
  *number = value;
  return at > text ? at : NULL;
}

static bool read_unsigned(const char *option, const char *text, unsigned least, unsigned *number)
{
  uint64_t value = 0;
  const char *end = whole_number(text, UINT32_MAX, &value);
  if (end == NULL || *end != '\0' || value < least)
    return complain(option, least > 0 ? "a number from 1 on" : "a number", text);
  *number = (unsigned)value;
  return true;
}

/* X, X,Y or X,Y,Z; what is missing is 1. */
static bool read_size(const char *option, const char *text, unsigned size[3])
{
  const char *at = text;
  size[0] = size[1] = size[2] = 1;
  for (unsigned i = 0; i < 3; i++) {
    uint64_t value = 0;
    at = whole_number(at, INT32_MAX, &value);
    if (at == NULL || value == 0)
      break;
    size[i] = (unsigned)value;
    if (*at == '\0')
      return true;
    if (*at++ != ',')
      break;
  }
  return complain(option, "X, X,Y or X,Y,Z", text);
}

/* ---- parameters of the kernel ---- */

/* BYTES or, of random bytes, BYTES:MOST. */
static bool read_bytes(const char *option, const char *text, struct parameter *parameter)
{
  uint64_t bytes = 0;
  const char *end = whole_number(text, UINT64_C(1) << 40, &bytes);
  if (end != NULL && *end == ':' && parameter->kind == PARAMETER_RANDOM)
    end = whole_number(end + 1, UINT32_MAX, &parameter->most);
  if (end == NULL || *end != '\0' || bytes == 0)
    return complain(option, "a number of bytes", text);
  parameter->bytes = (size_t)bytes;
  return true;
}

static bool read_integer(const char *option, const char *text, struct parameter *parameter)
{
  char *end;
  const bool word = parameter->kind == PARAMETER_INT;
  errno = 0;
  const long long value = strtoll(text, &end, 0);
  if (end == text || *end != '\0' || errno != 0 ||
      (word && (value < INT32_MIN || value > (long long)UINT32_MAX)))
    return complain(option, word ? "a number of 32 bits" : "a number of 64 bits", text);
  if (word)
    parameter->value.word = (int32_t)(uint32_t)value;
  else
    parameter->value.wide = value;
  return true;
}

static bool read_real(const char *option, const char *text, struct parameter *parameter)
{
  char *end;
  const double value = strtod(text, &end);
  if (end == text || *end != '\0')
    return complain(option, "a number", text);
  if (parameter->kind == PARAMETER_FLOAT)
    parameter->value.single = (float)value;
  else
    parameter->value.precise = value;
  return true;
}

static const struct {
  const char *option;
  enum parameter_kind kind;
} parameter_options[] = {
    {"--buffer", PARAMETER_RANDOM}, {"--zeros", PARAMETER_ZEROS}, {"--file", PARAMETER_FILE},
    {"--int", PARAMETER_INT},       {"--long", PARAMETER_LONG},   {"--float", PARAMETER_FLOAT},
    {"--double", PARAMETER_DOUBLE},
};

static bool read_parameter(const char *option, const char *text, struct parameter *parameter)
{
  switch (parameter->kind) {
  case PARAMETER_RANDOM:
  case PARAMETER_ZEROS:
    return read_bytes(option, text, parameter);
  case PARAMETER_FILE:
    parameter->file = text;
    return true;
  case PARAMETER_INT:
  case PARAMETER_LONG:
    return read_integer(option, text, parameter);
  default:
    return read_real(option, text, parameter);
  }
}

/* Takes an option of a parameter; *taken says whether it is one. */
static bool take_parameter(struct measure_options *options, const char *option, const char *text,
                           bool *taken)
{
  *taken = false;
  for (size_t i = 0; i < sizeof parameter_options / sizeof parameter_options[0]; i++) {
    if (strcmp(option, parameter_options[i].option) != 0)
      continue;
    *taken = true;
    if (options->parameter_count == MEASURE_MOST_PARAMETERS)
      return complain(option, "at most 256 parameters", text);
    struct parameter *parameter = &options->parameters[options->parameter_count++];
    *parameter = (struct parameter){.kind = parameter_options[i].kind};
    return read_parameter(option, text, parameter);
  }
  return true;
}

/* ---- the line ---- */

static bool read_cache(struct measure_options *options, const char *option, const char *text)
{
  options->cold = strcmp(text, "cold") == 0;
  return options->cold || strcmp(text, "warm") == 0 || complain(option, "cold or warm", text);
}

static bool read_seed(struct measure_options *options, const char *option, const char *text)
{
  const char *end = whole_number(text, UINT64_MAX, &options->seed);
  return (end != NULL && *end == '\0') || complain(option, "a number", text);
}

/* An option with its value, other than those of parameters. */
static bool take_option(struct measure_options *options, const char *option, const char *text)
{
  const struct {
    const char *option;
    const char **word;
  } words[] = {{"--kernel", &options->kernel},
               {"--driver", &options->driver},
               {"--raw", &options->raw},
               {"--times", &options->times}};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (strcmp(option, words[i].option) == 0) {
      *words[i].word = text;
      return true;
    }
  }
  if (strcmp(option, "--grid") == 0)
    return read_size(option, text, options->grid);
  if (strcmp(option, "--block") == 0)
    return read_size(option, text, options->block);
  if (strcmp(option, "--cache") == 0)
    return read_cache(options, option, text);
  if (strcmp(option, "--seed") == 0)
    return read_seed(options, option, text);
  if (strcmp(option, "--runs") == 0)
    return read_unsigned(option, text, 1, &options->runs);
  if (strcmp(option, "--warps") == 0)
    return read_unsigned(option, text, 0, &options->warps);
  if (strcmp(option, "--shared") == 0)
    return read_unsigned(option, text, 0, &options->shared);
  if (strcmp(option, "--device") == 0)
    return read_unsigned(option, text, 0, &options->device);
  fprintf(stderr, "measure: unknown option %s\n", option);
  return false;
}

static bool take_words(int count, char **words, struct measure_options *options)
{
  for (int w = 1; w < count; w++) {
    bool taken = false;
    if (strncmp(words[w], "--", 2) != 0) {
      if (options->ptx != NULL)
        return complain("arguments", "one PTX file", words[w]);
      options->ptx = words[w];
      continue;
    }
    if (w + 1 == count)
      return complain(words[w], "a value", "");
    if (!take_parameter(options, words[w], words[w + 1], &taken) ||
        (!taken && !take_option(options, words[w], words[w + 1])))
      return false;
    w++;
  }
  return true;
}

bool measure_options_read(int count, char **words, struct measure_options *options)
{
  *options = (struct measure_options){.runs = 100, .warps = 64};
  if (!take_words(count, words, options))
    return false;
  if (options->ptx == NULL || options->grid[0] == 0 || options->block[0] == 0) {
    fputs("measure: expected a PTX file, --grid and --block\n", stderr);
    return false;
  }
  return true;
}
