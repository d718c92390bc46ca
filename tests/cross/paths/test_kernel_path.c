/* The path of a PTX kernel against all paths of small random programs: branches, switches, loops
 * tested at the head, at the end or in the middle, in several layouts, with exits of all kinds.
 * What a path may do is written down here once more, over instructions and by definition.
 *   WARPBOUND_CROSS_RUNS  programs (3000)
 *   WARPBOUND_SEED        seed of the first one */
#include "base/random.h"
#include "base/text.h"
#include "flow/paths/kernel_path.h"
#include "frontend/ptx/ptx_front_end.h"
#include "unit.h"

#define DEFAULT_RUNS 3000
#define DEFAULT_SEED 20261122
#define NODE_LIMIT 96
#define LOOP_LIMIT 8
#define STATE_LIMIT ((size_t)1 << 22)
#define NONE UINT32_MAX

/* --- random programs --- */

struct writer {
  struct wb_random random;
  struct wb_text text;
  unsigned labels;
  unsigned budget;
  unsigned loops;
};

static bool chance(struct writer *writer, unsigned of_ten)
{
  return wb_random_below(&writer->random, 10) < of_ten;
}

static void line(struct writer *writer, const char *format, unsigned label)
{
  wb_text_format(&writer->text, format, label);
  wb_text_string(&writer->text, "\n");
}

static void operations(struct writer *writer, uint64_t least)
{
  static const char *const kinds[] = {"mov.b32 %r1, 0;", "ld.global.f32 %f1, [%d1];",
                                      "ex2.approx.ftz.f32 %f1, %f1;"};
  for (uint64_t n = least + wb_random_below(&writer->random, 3); n > 0; n--)
    line(writer, kinds[wb_random_below(&writer->random, 3)], 0);
}

static void statements(struct writer *writer, unsigned depth, unsigned head, unsigned out);

static void switches(struct writer *writer, unsigned depth, unsigned head, unsigned out)
{
  unsigned label = writer->labels;
  writer->labels += 4;
  wb_text_format(&writer->text, "T%u: .branchtargets L%u, L%u, L%u, L%u;\nbrx.idx %%r1, T%u;\n",
                 label, label, label + 1, label, label + 2, label);
  for (unsigned c = 0; c < 3; c++) {
    line(writer, "L%u:", label + c);
    statements(writer, depth + 1, head, out);
    if (chance(writer, 7))
      line(writer, "bra L%u;", label + 3);
  }
  line(writer, "L%u:", label + 3);
}

static void loop(struct writer *writer, unsigned depth)
{
  unsigned head = writer->labels;
  unsigned out = head + 1;
  writer->labels += 3;
  writer->loops++;
  uint64_t form = wb_random_below(&writer->random, 4);
  if (form == 3) /* the test stands at the end of a loop that is entered there */
    line(writer, "bra L%u;", head + 2);
  line(writer, "L%u:", head);
  operations(writer, form == 0 ? 0 : 1);
  if (form == 0)
    line(writer, "@%%p bra L%u;", out);
  statements(writer, depth + 1, form == 3 ? head + 2 : head, out);
  if (form == 3)
    line(writer, "L%u:", head + 2);
  if (form == 1 || form == 3) {
    line(writer, "@%%p bra L%u;", head);
  } else {
    if (form == 2)
      line(writer, "@%%p bra L%u;", out);
    line(writer, "bra.uni L%u;", head);
  }
  line(writer, "L%u:", out);
}

static void statement(struct writer *writer, unsigned depth, unsigned head, unsigned out)
{
  uint64_t kind = wb_random_below(&writer->random, 12);
  if (writer->budget == 0 || depth > 4) {
    operations(writer, 1);
    return;
  }
  writer->budget--;
  if (kind < 3) {
    unsigned label = writer->labels;
    writer->labels += 2;
    line(writer, "@%%p bra L%u;", label);
    statements(writer, depth + 1, head, out);
    line(writer, "bra L%u;", label + 1);
    line(writer, "L%u:", label);
    if (chance(writer, 5))
      statements(writer, depth + 1, head, out);
    line(writer, "L%u:", label + 1);
  } else if (kind < 6 && writer->loops < LOOP_LIMIT)
    loop(writer, depth);
  else if (kind == 6)
    switches(writer, depth, head, out);
  else if (kind == 7 && out != NONE)
    line(writer, "@%%p bra L%u;", chance(writer, 6) ? out : head);
  else if (kind == 8)
    line(writer, chance(writer, 5) ? "@%%p ret;" : "@!%%p exit;", 0);
  else
    operations(writer, 1);
}

static void statements(struct writer *writer, unsigned depth, unsigned head, unsigned out)
{
  for (uint64_t n = 1 + wb_random_below(&writer->random, 3); n > 0; n--)
    statement(writer, depth, head, out);
}

/* --- all paths, by definition --- */

/* A way on from an instruction; `to` is the number of instructions for the end. */
struct edge {
  uint32_t to;
  bool taken;
};

struct loop_set {
  uint32_t header;
  bool holds[NODE_LIMIT + 1];
  uint32_t size;
  uint32_t test; /* the instruction that tests it at the head, or NONE */
  uint32_t iterations;
};

struct value {
  bool possible;
  uint64_t length;
  uint64_t taken;
};

struct trial {
  const struct wb_function *function;
  uint32_t count;
  struct edge edges[NODE_LIMIT][8];
  uint32_t edge_count[NODE_LIMIT + 1];
  struct loop_set loops[LOOP_LIMIT];
  uint32_t loop_count;
  bool irreducible;
  enum wb_path_order order;
  uint32_t most; /* counts are 0 .. most */
  struct value *known;
  uint8_t *seen;
};

static void add_edge(struct trial *trial, uint32_t from, uint32_t to, bool taken)
{
  assert_true(trial->edge_count[from] < 8);
  trial->edges[from][trial->edge_count[from]++] = (struct edge){to, taken};
}

/* Marks what `start` reaches without going through `without`. */
static void reach(const struct trial *trial, uint32_t start, uint32_t without, bool *reached)
{
  if (start == without || reached[start])
    return;
  reached[start] = true;
  for (uint32_t e = 0; start < trial->count && e < trial->edge_count[start]; e++)
    reach(trial, trial->edges[start][e].to, without, reached);
}

/* Drops instructions that are on no way from the entry to the end. */
static void drop_dead_ways(struct trial *trial)
{
  bool live[NODE_LIMIT + 1] = {false};
  bool from_entry[NODE_LIMIT + 1] = {false};
  reach(trial, 0, NONE, from_entry);
  for (uint32_t i = 0; i <= trial->count; i++) {
    bool reached[NODE_LIMIT + 1] = {false};
    reach(trial, i, NONE, reached);
    live[i] = from_entry[i] && reached[trial->count];
  }
  for (uint32_t i = 0; i < trial->count; i++) {
    uint32_t kept = 0;
    for (uint32_t e = 0; e < trial->edge_count[i]; e++) {
      if (live[i] && live[trial->edges[i][e].to])
        trial->edges[i][kept++] = trial->edges[i][e];
    }
    trial->edge_count[i] = kept;
  }
}

static bool dominates(const struct trial *trial, uint32_t a, uint32_t b)
{
  bool reached[NODE_LIMIT + 1] = {false};
  reach(trial, 0, a, reached);
  return !reached[b];
}

/* Adds to the loop of a header what reaches the source of a back edge without the header. */
static void grow_loop(struct trial *trial, uint32_t header, uint32_t source)
{
  uint32_t l = 0;
  while (l < trial->loop_count && trial->loops[l].header != header)
    l++;
  if (l == trial->loop_count) {
    assert_true(l < LOOP_LIMIT);
    trial->loops[trial->loop_count++] = (struct loop_set){.header = header, .test = NONE};
  }
  struct loop_set *loop = &trial->loops[l];
  for (uint32_t i = 0; i < trial->count; i++) {
    bool reached[NODE_LIMIT + 1] = {false};
    if (i != header && trial->edge_count[i] > 0)
      reach(trial, i, header, reached);
    loop->holds[i] = loop->holds[i] || i == header || reached[source];
  }
}

static void find_loops(struct trial *trial)
{
  bool from_entry[NODE_LIMIT + 1] = {false};
  reach(trial, 0, NONE, from_entry);
  for (uint32_t i = 0; i < trial->count; i++) {
    for (uint32_t e = 0; e < trial->edge_count[i]; e++) {
      uint32_t to = trial->edges[i][e].to;
      if (from_entry[i] && to < trial->count && dominates(trial, to, i))
        grow_loop(trial, to, i);
    }
  }
  for (uint32_t l = 0; l < trial->loop_count; l++) {
    struct loop_set *loop = &trial->loops[l];
    for (uint32_t i = 0; i < trial->count; i++)
      loop->size += loop->holds[i] ? 1 : 0;
  }
}

static uint32_t innermost(const struct trial *trial, uint32_t at)
{
  uint32_t found = NONE;
  for (uint32_t l = 0; l < trial->loop_count; l++) {
    if (trial->loops[l].holds[at] &&
        (found == NONE || trial->loops[l].size < trial->loops[found].size))
      found = l;
  }
  return found;
}

/* Whether a way on leads back to the header by instructions that only jump. */
static bool only_jumps(const struct trial *trial, uint32_t l, uint32_t at)
{
  uint32_t header = trial->loops[l].header;
  for (int n = 0; n < WB_PATH_JUMP_LIMIT && at != header; n++) {
    const struct wb_instruction *instruction = &trial->function->instructions[at];
    if (instruction->transfer != WB_TRANSFER_BRANCH || instruction->guarded ||
        innermost(trial, at) != l)
      return false;
    at = trial->edges[at][0].to;
  }
  return at == header;
}

static void find_test(struct trial *trial, uint32_t l)
{
  struct loop_set *loop = &trial->loops[l];
  uint32_t at = loop->header;
  while (trial->edge_count[at] == 1) {
    at = trial->edges[at][0].to;
    if (at == loop->header || innermost(trial, at) != l)
      return;
  }
  bool leaves = false;
  bool body = false;
  for (uint32_t e = 0; e < trial->edge_count[at]; e++) {
    uint32_t to = trial->edges[at][e].to;
    leaves = leaves || !loop->holds[to];
    body = body || (loop->holds[to] && !only_jumps(trial, l, to));
  }
  loop->test = leaves && body ? at : NONE;
}

/* Goes by an edge: counts[l] back edges were taken since loop l was entered. False where a path
 * may not do that. */
static bool go(const struct trial *trial, uint32_t from, uint32_t to, uint32_t *counts)
{
  for (uint32_t l = 0; l < trial->loop_count; l++) {
    const struct loop_set *loop = &trial->loops[l];
    bool inside = loop->holds[from];
    if (inside && to == loop->header) {
      counts[l]++;
      if (counts[l] > loop->iterations - (loop->test == NONE ? 1 : 0))
        return false;
    } else if (inside && !loop->holds[to]) {
      if (counts[l] != loop->iterations - (loop->test == from ? 0 : 1))
        return false;
      counts[l] = 0;
    }
  }
  return true;
}

static struct value best(struct trial *trial, uint32_t at, const uint32_t *counts)
{
  if (at == trial->count)
    return (struct value){.possible = true};
  size_t state = at;
  for (uint32_t l = 0; l < trial->loop_count; l++)
    state = state * (trial->most + 1) + counts[l];
  if (trial->seen[state])
    return trial->known[state];
  struct value found = {0};
  for (uint32_t e = 0; e < trial->edge_count[at]; e++) {
    uint32_t after[LOOP_LIMIT];
    memcpy(after, counts, sizeof after);
    uint32_t to = trial->edges[at][e].to;
    if (!go(trial, at, to, after))
      continue;
    struct value rest = best(trial, to, after);
    rest.length++;
    rest.taken += trial->edges[at][e].taken ? 1 : 0;
    struct wb_path_weight left = {rest.length, rest.taken};
    struct wb_path_weight right = {found.length, found.taken};
    if (rest.possible && (!found.possible || wb_path_preferred(trial->order, left, right)))
      found = rest;
  }
  trial->seen[state] = 1;
  trial->known[state] = found;
  return found;
}

/* --- the comparison --- */

/* What the path found does: every step is one that a path may do, up to the end. */
static struct value replay(const struct trial *trial, const struct wb_kernel_path *path)
{
  struct value done = {.possible = true};
  uint32_t counts[LOOP_LIMIT] = {0};
  uint32_t at = 0;
  for (size_t s = 0; s < path->step_count; s++) {
    assert_ptr_equal(path->steps[s], &trial->function->instructions[at]);
    bool last = s + 1 == path->step_count;
    uint32_t next =
        last ? trial->count : (uint32_t)(path->steps[s + 1] - trial->function->instructions);
    const struct edge *edge = NULL;
    for (uint32_t e = 0; e < trial->edge_count[at] && edge == NULL; e++) {
      if (trial->edges[at][e].to == next)
        edge = &trial->edges[at][e];
    }
    assert_non_null(edge);
    assert_true(go(trial, at, next, counts));
    done.taken += edge->taken ? 1 : 0;
    done.length++;
    at = next;
  }
  return done;
}

struct met {
  size_t loops;
  size_t tested;
  size_t nested;
  size_t compared;
};

static size_t state_count(const struct trial *trial)
{
  size_t states = trial->count;
  for (uint32_t l = 0; l < trial->loop_count && states < STATE_LIMIT; l++)
    states *= trial->most + 1;
  return states;
}

static void compare(struct trial *trial, const struct wb_code *code,
                    const struct wb_path_options *options)
{
  warpbound_error error = {0};
  FREED_BY(wb_kernel_path_free) struct wb_kernel_path path;
  trial->order = options->order;
  memset(trial->seen, 0, state_count(trial));
  const uint32_t counts[LOOP_LIMIT] = {0};
  struct value expected = best(trial, 0, counts);
  assert_true(expected.possible);
  warpbound_status status = wb_kernel_path_walk(code, trial->function, options, &path, &error);
  if (status != WARPBOUND_OK)
    fail_msg("line %zu: %s", error.line, error.message);
  struct value found = replay(trial, &path);
  if (found.length != expected.length || found.taken != expected.taken)
    fail_msg("found %llu instructions, %llu branches taken; there is a path of %llu and %llu",
             (unsigned long long)found.length, (unsigned long long)found.taken,
             (unsigned long long)expected.length, (unsigned long long)expected.taken);
  assert_int_equal(path.string.length, path.step_count);
}

/* One loop gets a number of its own, by a line in it. */
static void run_trial(struct trial *trial, const struct wb_code *code, struct wb_random *random,
                      struct met *met)
{
  char place[16];
  uint32_t iterations = 1 + (uint32_t)wb_random_below(random, 3);
  struct wb_loop_iterations row = {place, 1 + (uint32_t)wb_random_below(random, 3)};
  struct wb_path_options options = {.iterations = iterations, .loops = &row};
  uint32_t at = (uint32_t)wb_random_below(random, trial->count);
  uint32_t single = trial->edge_count[at] > 0 ? innermost(trial, at) : NONE;
  snprintf(place, sizeof place, "%u", trial->function->instructions[at].line);
  for (uint32_t l = 0; l < trial->loop_count; l++) {
    trial->loops[l].iterations = l == single ? row.iterations : iterations;
    find_test(trial, l);
    met->tested += trial->loops[l].test != NONE;
    for (uint32_t o = 0; o < trial->loop_count; o++)
      met->nested += o != l && trial->loops[o].holds[trial->loops[l].header];
  }
  options.loop_count = single != NONE ? 1 : 0;
  met->loops += trial->loop_count;
  trial->most = iterations > row.iterations ? iterations : row.iterations;
  size_t states = state_count(trial);
  if (states >= STATE_LIMIT)
    return;
  met->compared++;
  trial->known = calloc(states, sizeof *trial->known);
  trial->seen = calloc(states, 1);
  assert_true(trial->known != NULL && trial->seen != NULL);
  compare(trial, code, &options);
  options.order = WB_PATH_FALL_THROUGH;
  compare(trial, code, &options);
  free(trial->known);
  free(trial->seen);
}

static void run_seed(uint64_t seed, struct met *met)
{
  struct writer writer = {.random = {seed}};
  warpbound_error error = {0};
  struct wb_code code;
  wb_text_string(&writer.text,
                 ".version 6.0\n.target sm_50\n.address_size 64\n.entry k() {\n.reg .pred %p; .reg "
                 ".b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %d<9>;\n");
  writer.budget = 7;
  statements(&writer, 0, NONE, NONE);
  wb_text_string(&writer.text, "mov.b32 %r1, 0;\nret;\n}\n");
  assert_false(writer.text.failed);
  if (wb_ptx_parse("random", writer.text.data, writer.text.length, NULL, &code, &error) !=
      WARPBOUND_OK)
    fail_msg("line %zu: %s", error.line, error.message);
  struct trial trial = {.function = &code.functions[0],
                        .count = (uint32_t)code.functions[0].instruction_count};
  if (trial.count <= NODE_LIMIT) {
    const struct wb_function *function = trial.function;
    for (uint32_t i = 0; i < trial.count; i++) {
      const struct wb_instruction *at = &function->instructions[i];
      bool ends = at->transfer == WB_TRANSFER_RETURN || at->transfer == WB_TRANSFER_EXIT;
      if (at->transfer == WB_TRANSFER_NEXT || at->guarded)
        add_edge(&trial, i, i + 1, false);
      for (uint32_t t = 0; t < at->target_count; t++)
        add_edge(&trial, i, function->targets[at->first_target + t], at->guarded);
      if (ends)
        add_edge(&trial, i, trial.count, at->guarded);
    }
    drop_dead_ways(&trial);
    find_loops(&trial);
    run_trial(&trial, &code, &writer.random, met);
  }
  wb_code_free(&code);
  wb_text_free(&writer.text);
}

static uint64_t last_seed;

static int print_seed(void **state)
{
  (void)state;
  print_message("# seed of the last code: %llu\n", (unsigned long long)last_seed);
  return 0;
}

TEST_BETWEEN(NULL, print_seed, paths_are_the_longest)
{
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct met met = {0};
  for (uint64_t r = 0; r < runs; r++) {
    last_seed = seed + r;
    run_seed(seed + r, &met);
  }
  print_message("# %llu programs from seed %llu: %zu compared, %zu loops, %zu tested at the head, "
                "%zu pairs of one in another\n",
                (unsigned long long)runs, (unsigned long long)seed, met.compared, met.loops,
                met.tested, met.nested);
  if (runs >= DEFAULT_RUNS) {
    assert_true(met.compared > runs / 2);
    assert_true(met.loops > runs / 4);
    assert_true(met.tested > runs / 20);
    assert_true(met.nested > runs / 20);
  }
}
