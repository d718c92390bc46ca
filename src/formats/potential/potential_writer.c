/* The writer of potential files. */
#include "formats/potential/potential_file.h"

#include "base/memory.h"
#include "formats/machine/problem_members.h"
#include "makespan/potential/potential_proof.h"

#include <inttypes.h>
#include <stdlib.h>

static char letter(const struct wb_potential_proof *proof, unsigned pool)
{
  return wb_unit_letter(proof->pools.pool[pool].unit);
}

static void write_stays(const struct wb_potential_proof *proof, const char *name,
                        const int64_t *values, struct wb_text *text)
{
  const char *separator = "";
  wb_text_format(text, " \"%s\": [", name);
  for (unsigned p = 0; p < proof->pools.count; p++) {
    if (proof->pools.pool[p].stays == 0)
      continue;
    wb_text_format(text, "%s{\"type\": \"%c\", \"value\": %" PRId64 "}", separator,
                   letter(proof, p), values[p]);
    separator = ", ";
  }
  wb_text_string(text, "],\n");
}

static unsigned pool_of(const struct wb_potential_proof *proof, enum wb_unit unit)
{
  unsigned p = 0;
  while (proof->pools.pool[p].unit != unit)
    p++;
  return p;
}

/* The kind of exit, as an index into `exits`, by which a warp leaves run r; all exits of the own
 * warp have length 0. */
static size_t kind_of(const struct wb_potential_proof *proof, const struct wb_pool_exit *exits,
                      size_t r, bool own)
{
  const struct wb_kernel_string *string = &proof->problem->string;
  bool ends = r + 1 == string->run_count;
  unsigned from = pool_of(proof, string->runs[r].unit);
  unsigned to = ends ? WB_POOL_END : pool_of(proof, string->runs[r + 1].unit);
  uint32_t length = 0;
  if (!ends && !own)
    length = wb_pool_entry(&proof->pools.pool[to], string->runs[r + 1].length);
  size_t k = 0;
  while (exits[k].from != from || exits[k].to != to || exits[k].length != length)
    k++;
  return k;
}

/* An exit as it is written. */
struct written_exit {
  /* Letters; `to` is 0 for the end. */
  char from;
  char to;
  /* The next run's; 0 for the end and the own warp. */
  size_t length;
  /* A run that is left so. */
  size_t run;
};

static int in_order(const void *left, const void *right)
{
  const struct written_exit *a = left, *b = right;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  return (a->length > b->length) - (a->length < b->length);
}

static void write_leaves(const struct wb_potential_proof *proof, bool own, struct wb_text *text)
{
  const struct wb_kernel_string *string = &proof->problem->string;
  const struct wb_pool_exit *kinds = own ? proof->pools.own_exits : proof->pools.exits;
  const int64_t *values = own ? proof->potential.own_leave : proof->potential.leave[0];
  struct written_exit *exits = wb_allocate(string->run_count, sizeof *exits);
  for (size_t r = 0; exits != NULL && r < string->run_count; r++) {
    exits[r] = (struct written_exit){.from = wb_unit_letter(string->runs[r].unit), .run = r};
    if (r + 1 == string->run_count)
      continue;
    exits[r].to = wb_unit_letter(string->runs[r + 1].unit);
    exits[r].length = own ? 0 : string->runs[r + 1].length;
  }
  if (exits != NULL)
    qsort(exits, string->run_count, sizeof *exits, in_order);
  if (exits == NULL) {
    text->failed = true;
    return;
  }
  wb_text_format(text, " \"%s\": [", own ? "own_leave" : "leave");
  for (size_t i = 0; i < string->run_count; i++) {
    if (i > 0 && in_order(&exits[i - 1], &exits[i]) == 0)
      continue;
    char to[2] = {exits[i].to, '\0'};
    wb_text_format(text, "%s\n  {\"from\": \"%c\", \"to\": \"%s\", ", i > 0 ? "," : "",
                   exits[i].from, exits[i].to != '\0' ? to : "end");
    if (!own)
      wb_text_format(text, "\"length\": %zu, ", exits[i].length);
    wb_text_format(text, "\"value\": %" PRId64 "}",
                   values[kind_of(proof, kinds, exits[i].run, own)]);
  }
  wb_text_string(text, "],\n");
  free(exits);
}

void wb_potential_file_write(const struct wb_potential_proof *proof, struct wb_text *text)
{
  wb_problem_members_write(WB_POTENTIAL_FORMAT, proof->problem, text);
  wb_text_format(text, " \"cycles\": %" PRIu64 ",\n", proof->cycles);
  if (proof->has_line)
    wb_text_format(text, " \"from_warps\": %" PRIu32 ",\n", proof->steady_from);
  wb_text_format(text, " \"gain\": %" PRId64 ",\n", proof->gain);
  if (proof->trailing > 0)
    wb_text_format(text, " \"rear\": %" PRIu32 ",\n", proof->trailing);
  wb_text_string(text, " \"pools\": [");
  for (unsigned p = 0; p < proof->pools.count; p++) {
    const struct wb_pool *pool = &proof->pools.pool[p];
    wb_text_format(text, "%s{\"type\": \"%c\", \"warps\": %" PRIu32 ", \"work\": %" PRIu32 "}",
                   p > 0 ? ", " : "", letter(proof, p), pool->warps, pool->work);
  }
  wb_text_string(text, "],\n");
  if (proof->potential.shape.count > 1) {
    wb_text_string(text, " \"pieces\": [");
    for (unsigned j = 0; j < proof->potential.shape.count; j++) {
      wb_text_string(text, j > 0 ? "," : "");
      const struct wb_potential *potential = &proof->potential;
      wb_text_format(text, "\n  {\"type\": \"%c\", \"least\": %" PRIu32 ", \"shares\": [",
                     letter(proof, j), potential->shape.least[j]);
      for (unsigned i = 0; i < potential->shape.count; i++)
        wb_text_format(text, "%s%" PRIu32, i > 0 ? ", " : "", potential->shape.weight[j][i]);
      wb_text_string(text, "],\n   \"values\": [");
      for (size_t p = 0; p < potential->length; p++)
        wb_text_format(text, "%s%" PRId64, p > 0 ? ", " : "", potential->position[j][p]);
      wb_text_string(text, "]}");
    }
    wb_text_string(text, "],\n");
  } else {
    write_stays(proof, "stay", proof->potential.values[0].stay, text);
    write_leaves(proof, false, text);
  }
  write_stays(proof, "own_stay", proof->potential.own_stay, text);
  write_leaves(proof, true, text);
  const struct wb_pools *pools = &proof->pools;
  wb_text_string(text, " \"heights\": [");
  for (size_t i = 0; i < proof->state_count; i++) {
    uint64_t state = proof->state[i], rest = state % pools->stride[pools->count];
    wb_text_format(text, "%s\n  [\"%c\"", i > 0 ? "," : "",
                   letter(proof, (unsigned)(state / pools->stride[pools->count])));
    for (unsigned p = 0; p < pools->count; p++) {
      uint32_t n, b;
      wb_pool_content(&pools->pool[p], (uint32_t)(rest / pools->stride[p] % pools->pool[p].size),
                      &n, &b);
      wb_text_format(text, ", %" PRIu32 ", %" PRIu32, n, b);
    }
    for (unsigned j = 0; j < proof->potential.shape.count; j++)
      wb_text_format(text, ", %" PRId64, proof->potential.state_offset[j][state]);
    wb_text_string(text, "]");
  }
  wb_text_string(text, "\n ]}\n");
}
