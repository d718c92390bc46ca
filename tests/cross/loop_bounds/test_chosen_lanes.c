/* Loops in which one lane after the other is chosen: no lane of a warp takes more back edges for an
 * entry than is said, whichever lanes ELECT and R2UR choose, whenever groups of lanes come and
 * join. WARPBOUND_CROSS_RUNS programs (4000 without it), WARPBOUND_SEED */
#include "base/random.h"
#include "bounded_listing.h"
#include "unit.h"

#include <stdio.h>

#define DEFAULT_RUNS 4000
#define MOST 16  /* instructions of a loop */
#define WIDTH 80 /* of a line */
#define LANES 32
#define WARPS 6 /* of a program */
#define MOST_EDGES 80
#define MOST_STEPS 20000
#define ALWAYS 7 /* the number of PT */

enum kind { ELECT, TAKE, TAKE_TOO, COMBINE, PLAIN, ANY_TRUTH };

struct operation {
  enum kind kind;
  unsigned guard; /* ALWAYS: none */
  bool negated;
  unsigned to;         /* a predicate */
  unsigned sources[3]; /* predicates; of TAKE the first is a register */
  bool inverted[3];
  unsigned table;
};

struct loop {
  struct operation operations[MOST];
  size_t count;
};

struct totals {
  size_t bounded[2]; /* to 31, to 62 */
  size_t none;       /* programs without a bound */
  size_t endless;    /* of those, with a lane that goes on */
  size_t met;        /* programs of which a lane takes 31 or more back edges, as many as are said */
  size_t beyond31;   /* of those with 62 */
};

/* ---- programs ---- */

static struct operation *add(struct loop *loop, enum kind kind, unsigned guard, unsigned to)
{
  struct operation *operation = &loop->operations[loop->count++];
  *operation = (struct operation){
      .kind = kind, .guard = guard, .to = to, .sources = {ALWAYS, ALWAYS, ALWAYS}};
  return operation;
}

static void combine(struct loop *loop, unsigned guard, unsigned to, unsigned a, unsigned b,
                    unsigned table)
{
  struct operation *operation = add(loop, COMBINE, guard, to);
  operation->sources[0] = a;
  operation->sources[1] = b;
  operation->table = table;
}

/* What compilers write, for lanes with P0 and a predicate P1; or what looks like that. */
static void make_plain(struct wb_random *random, struct loop *loop)
{
  if (wb_random_below(random, 8) == 0) { /* a lane that is elected twice */
    add(loop, ELECT, 0, 1);
    add(loop, ELECT, 0, 2);
    combine(loop, 1, 0, 1, 2, 0x3f);
    return;
  }
  if (wb_random_below(random, 8) == 0) { /* one that need not be left is elected */
    combine(loop, ALWAYS, 2, 0, ALWAYS, 0x80);
    combine(loop, ALWAYS, 0, 0, 3, (unsigned)wb_random_below(random, 256));
    add(loop, ELECT, 0, 1);
    combine(loop, ALWAYS, 0, 2, 0, 0x80);
    combine(loop, 1, 0, 1, ALWAYS, 0x8);
    return;
  }
  if (wb_random_below(random, 2) == 0) {
    add(loop, ELECT, 0, 1);
    add(loop, PLAIN, ALWAYS, 2);
    combine(loop, 1, 0, 1, ALWAYS, 0x8);
    combine(loop, ALWAYS, 1, ALWAYS, ALWAYS, 0x8);
    return;
  }
  if (wb_random_below(random, 8) == 0) { /* some lanes do not take the second number */
    add(loop, TAKE, 0, 1)->sources[0] = 0;
    combine(loop, ALWAYS, 2, 0, ALWAYS, 0x80);
    combine(loop, 3, 0, ALWAYS, ALWAYS, 0x8);
    add(loop, TAKE_TOO, 0, 1)->sources[0] = 1;
    combine(loop, ALWAYS, 0, 2, ALWAYS, 0x80);
    combine(loop, 0, 0, 1, ALWAYS, 0x80);
    return;
  }
  const size_t numbers = 1 + wb_random_below(random, 3);
  for (size_t n = 0; n < numbers; n++) {
    combine(loop, ALWAYS, 1, 1, 0, 0xf2);
    add(loop, n == 0 ? TAKE : TAKE_TOO, 0, 1)->sources[0] = (unsigned)n;
  }
  combine(loop, 0, 0, 1, ALWAYS, 0x80);
  combine(loop, ALWAYS, 1, ALWAYS, ALWAYS, 0x80);
}

static unsigned any_predicate(struct wb_random *random)
{
  const unsigned number = (unsigned)wb_random_below(random, 5);
  return number == 4 ? ALWAYS : number;
}

static void change(struct wb_random *random, struct loop *loop)
{
  struct operation *one = &loop->operations[wb_random_below(random, loop->count)];
  struct operation *other = &loop->operations[wb_random_below(random, loop->count)];
  const struct operation kept = *one;
  switch (wb_random_below(random, 9)) {
  case 0:
    one->guard = any_predicate(random);
    break;
  case 1:
    one->negated = !one->negated;
    break;
  case 2:
    one->to = (unsigned)wb_random_below(random, 4);
    break;
  case 3:
    one->table = (unsigned)wb_random_below(random, 256);
    break;
  case 4:
    one->sources[wb_random_below(random, 3)] = any_predicate(random);
    break;
  case 5:
    one->inverted[wb_random_below(random, 3)] ^= true;
    break;
  case 6:
    *one = *other;
    *other = kept;
    break;
  case 7:
    one->kind = (enum kind)wb_random_below(random, ANY_TRUTH + 1);
    break;
  default:
    if (loop->count < MOST) {
      loop->operations[loop->count++] = *one;
      one->kind = (enum kind)wb_random_below(random, ANY_TRUTH + 1);
      one->to = (unsigned)wb_random_below(random, 4);
      one->guard = any_predicate(random);
    }
  }
}

static void name(char text[4], unsigned predicate)
{
  snprintf(text, 4, predicate == ALWAYS ? "PT" : "P%u", predicate);
}

static void write_line(const struct operation *operation, char line[WIDTH])
{
  char guard[8] = "";
  char sources[3][4];
  if (operation->guard != ALWAYS)
    snprintf(guard, sizeof guard, "@%sP%u ", operation->negated ? "!" : "", operation->guard);
  for (size_t s = 0; s < 3; s++)
    name(sources[s], operation->sources[s]);
  switch (operation->kind) {
  case ELECT:
    snprintf(line, WIDTH, "%sELECT P%u, URZ, PT", guard, operation->to);
    break;
  case TAKE:
  case TAKE_TOO:
    snprintf(line, WIDTH, "%sR2UR%s P%u, UR4, R%u", guard, operation->kind == TAKE ? "" : ".OR",
             operation->to, operation->sources[0]);
    break;
  case COMBINE:
    snprintf(line, WIDTH, "%sPLOP3.LUT P%u, PT, %s%s, %s%s, %s%s, 0x%x, 0x0", guard, operation->to,
             operation->inverted[0] ? "!" : "", sources[0], operation->inverted[1] ? "!" : "",
             sources[1], operation->inverted[2] ? "!" : "", sources[2], operation->table);
    break;
  case PLAIN:
    snprintf(line, WIDTH, "%sMOV R9, R10", guard);
    break;
  case ANY_TRUTH:
    snprintf(line, WIDTH, "%sFSETP.GT.AND P%u, PT, R10, R11, PT", guard, operation->to);
  }
}

/* ---- a warp ---- */

struct warp {
  size_t at[LANES]; /* the instruction; the loop's count: its branch */
  size_t group[LANES];
  bool done[LANES];
  bool predicates[LANES][4];
  unsigned registers[LANES][8];
  unsigned edges[LANES];   /* back edges since the last entry */
  unsigned entries[LANES]; /* that are left */
};

static bool truth(const struct warp *warp, size_t lane, unsigned predicate)
{
  return predicate == ALWAYS || warp->predicates[lane][predicate];
}

static void enter(struct wb_random *random, struct warp *warp, size_t lane, uint64_t numbers)
{
  warp->at[lane] = 0;
  warp->edges[lane] = 0;
  for (size_t p = 0; p < 4; p++)
    warp->predicates[lane][p] =
        p == 0 ? wb_random_below(random, 8) != 0 : wb_random_below(random, 2) == 0;
  for (size_t r = 0; r < 8; r++)
    warp->registers[lane][r] = (unsigned)wb_random_below(random, numbers);
}

/* One of the lanes, which is the same one for the same lanes. */
static size_t lane_of(const bool doing[LANES], uint64_t salt)
{
  size_t list[LANES];
  size_t count = 0;
  uint64_t hash = salt;
  for (size_t l = 0; l < LANES; l++) {
    if (!doing[l])
      continue;
    list[count++] = l;
    hash = (hash ^ (l + 1)) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return list[hash % count];
}

/* The group of the lane does one instruction of the loop. */
static void do_operation(struct wb_random *random, struct warp *warp,
                         const struct operation *operation, size_t group, uint64_t salt)
{
  bool doing[LANES];
  bool some = false;
  for (size_t l = 0; l < LANES; l++) {
    const bool guard =
        truth(warp, l, operation->guard) != (operation->guard != ALWAYS && operation->negated);
    doing[l] = !warp->done[l] && warp->group[l] == group && guard;
    some = some || doing[l];
  }
  if (!some || operation->kind == PLAIN)
    return;
  const size_t chosen = lane_of(doing, operation->kind == ELECT ? wb_random_next(random) : salt);
  const unsigned number = operation->sources[0];
  for (size_t l = 0; l < LANES; l++) {
    if (!doing[l])
      continue;
    bool *to = &warp->predicates[l][operation->to];
    unsigned row = 0;
    switch (operation->kind) {
    case ELECT:
      *to = l == chosen;
      break;
    case TAKE:
      *to = warp->registers[l][number] != warp->registers[chosen][number];
      break;
    case TAKE_TOO:
      *to = *to || warp->registers[l][number] != warp->registers[chosen][number];
      break;
    case COMBINE:
      for (size_t s = 0; s < 3; s++)
        row = row * 2 + (truth(warp, l, operation->sources[s]) != operation->inverted[s]);
      *to = (operation->table >> row & 1) != 0;
      break;
    default:
      *to = wb_random_below(random, 2) == 0;
    }
  }
}

/* All of the group go back, or leave the loop; some of these enter it again. */
static void do_branch(struct wb_random *random, struct warp *warp, size_t group, uint64_t numbers)
{
  bool any = false;
  for (size_t l = 0; l < LANES; l++)
    any = any || (!warp->done[l] && warp->group[l] == group && warp->predicates[l][0]);
  const bool again = wb_random_below(random, 2) == 0;
  for (size_t l = 0; l < LANES; l++) {
    if (warp->done[l] || warp->group[l] != group)
      continue;
    warp->at[l] = 0;
    warp->edges[l]++;
    if (any)
      continue;
    warp->edges[l]--;
    if (again && warp->entries[l] > 0) {
      warp->entries[l]--;
      enter(random, warp, l, numbers);
    } else
      warp->done[l] = true;
  }
}

/* Groups that are at one place become one, sometimes. */
static void join_some(struct wb_random *random, struct warp *warp, uint64_t rarely)
{
  const size_t one = wb_random_below(random, LANES);
  for (size_t l = 0; l < LANES; l++) {
    if (!warp->done[l] && !warp->done[one] && warp->at[l] == warp->at[one] &&
        warp->group[l] != warp->group[one] && wb_random_below(random, rarely) == 0) {
      const size_t from = warp->group[l];
      for (size_t k = 0; k < LANES; k++)
        if (warp->group[k] == from)
          warp->group[k] = warp->group[one];
    }
  }
}

/* The most back edges that a lane takes for an entry; more than MOST_EDGES: the warp goes on. */
static unsigned run_warp(struct wb_random *random, const struct loop *loop)
{
  struct warp warp = {0};
  const uint64_t numbers = 1 + wb_random_below(random, wb_random_below(random, 2) == 0 ? 4 : 1000);
  const uint64_t groups = wb_random_below(random, 2) == 0 ? 1 : 1 + wb_random_below(random, LANES);
  const uint64_t rarely = 1 + wb_random_below(random, 6);
  const uint64_t salt = wb_random_next(random);
  unsigned most = 0;
  for (size_t l = 0; l < LANES; l++) {
    enter(random, &warp, l, numbers);
    warp.group[l] = wb_random_below(random, groups);
    warp.entries[l] = (unsigned)wb_random_below(random, 3);
  }
  for (size_t steps = 0; steps < MOST_STEPS && most <= MOST_EDGES; steps++) {
    const size_t lane = wb_random_below(random, LANES);
    if (warp.done[lane])
      continue;
    const size_t group = warp.group[lane];
    if (warp.at[lane] == loop->count)
      do_branch(random, &warp, group, numbers);
    else {
      do_operation(random, &warp, &loop->operations[warp.at[lane]], group, salt);
      for (size_t l = 0; l < LANES; l++)
        warp.at[l] += !warp.done[l] && warp.group[l] == group;
    }
    join_some(random, &warp, rarely);
    for (size_t l = 0; l < LANES; l++)
      most = warp.edges[l] > most ? warp.edges[l] : most;
  }
  return most;
}

/* ---- trials ---- */

static void try_loop(uint64_t seed, struct totals *totals)
{
  struct wb_random random = {seed};
  struct loop loop = {0};
  char text[MOST][WIDTH];
  const char *lines[MOST + 4] = {"loop:"};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  make_plain(&random, &loop);
  for (uint64_t c = wb_random_below(&random, 4); c > 0; c--)
    change(&random, &loop);
  for (size_t o = 0; o < loop.count; o++) {
    /* A register has another number than a predicate. */
    if (loop.operations[o].kind == TAKE || loop.operations[o].kind == TAKE_TOO)
      loop.operations[o].sources[0] %= 8;
    write_line(&loop.operations[o], text[o]);
    lines[o + 1] = text[o];
  }
  lines[loop.count + 1] = "@P0 BRA.U.ANY loop";
  lines[loop.count + 2] = "EXIT";
  listing_make_for(100, lines, &code);
  assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
  assert_true(bounded.forest.loop_count == 1);
  const struct wb_found_bound *found = &bounded.found[0];
  unsigned most = 0;
  for (size_t w = 0; w < WARPS; w++) {
    const unsigned edges = run_warp(&random, &loop);
    most = edges > most ? edges : most;
  }
  if (!found->found) {
    totals->none++;
    totals->endless += most > MOST_EDGES;
    return;
  }
  if (most > found->bound) {
    for (size_t l = 0; lines[l] != NULL; l++)
      printf("# %s\n", lines[l]);
    printf("# seed %llu: %u back edges\n", (unsigned long long)seed, most);
  }
  assert_true(most <= found->bound);
  assert_true(found->bound == 0 || found->assumption != NULL);
  totals->bounded[found->bound > 31]++;
  totals->met += found->bound == most;
  totals->beyond31 += most > 31;
}

TEST(no_lane_exceeds)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < runs; n++)
    try_loop(seed + n, &totals);
  printf("# seeds %llu to %llu: %zu loops bounded to 31, %zu to 62, of which %zu have a lane with "
         "more "
         "than 31; %zu have one with just as many as are said; %zu without a bound, of which %zu "
         "have a "
         "lane that goes on\n",
         (unsigned long long)seed, (unsigned long long)(seed + runs - 1), totals.bounded[0],
         totals.bounded[1], totals.beyond31, totals.met, totals.none, totals.endless);
  if (runs >= DEFAULT_RUNS) {
    assert_true(totals.bounded[0] * 8 > runs && totals.bounded[1] * 20 > runs);
    assert_true(totals.met > 0 && totals.endless * 4 > totals.none);
  }
}
