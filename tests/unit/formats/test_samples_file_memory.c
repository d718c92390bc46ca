/* The reader of measured times when memory runs out: every allocation is made to fail in turn, and
 * nothing is left behind. Left out: allocations of Jansson. */
#include "failing_heap.h"
#include "formats/samples/samples_file.h"
#include "unit.h"

static const char table[] = "\"Kernel Name\",\"time\",unit\n\"a \"\"b\"\"\",1,ns\nc,2,ns\nd,3,ns\n"
                            "e,4,ns\nf,5,ns\ng,6,ns\nh,7,ns\ni,8,ns\nj,9,ns\nj,1,ns\nj,1,ns\n";

struct file {
  const char *text;
  struct wb_samples_choice choice;
  warpbound_status last;
  size_t least; /* failures */
};

static warpbound_status parse(const void *context, warpbound_error *error)
{
  const struct file *file = context;
  FREED_BY(wb_samples_free) struct wb_samples samples;
  const warpbound_status status =
      wb_samples_parse("f", file->text, strlen(file->text), &file->choice, &samples, error);
  return status;
}

/* Files that are read, and files that are refused. */
TEST(reading_fails_cleanly)
{
  static const struct file files[] = {
      {table, {.group = "Kernel Name"}, WARPBOUND_OK, 21},
      {"[1, 2, 3]", {0}, WARPBOUND_OK, 4},
      {"a,b\n1,2\n", {.column = "x"}, WARPBOUND_USAGE, 4},
      {"a,b\n1,2\n", {0}, WARPBOUND_USAGE, 4},
  };
  for (size_t f = 0; f < COUNT_OF(files); f++)
    assert_true(fail_each(parse, &files[f], files[f].last) >= files[f].least);
}
