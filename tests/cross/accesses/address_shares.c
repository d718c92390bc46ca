#include "address_shares.h"

#include <stdio.h>

static void add(struct address_share *share, bool reached)
{
  share->checked++;
  share->reached += reached;
}

void add_to_shares(struct address_shares *shares, const struct address_setting *setting,
                   const struct computation *it, bool reached)
{
  bool has[STEP_KINDS] = {false};
  add(&shares->all, reached);
  add(&shares->by_form[setting->form], reached);
  add(&shares->by_known[setting->known], reached);
  add(&shares->by_aligned[setting->aligned], reached);
  add(&shares->by_whole[setting->whole], reached);
  add(&shares->by_count[it->count], reached);
  add(&shares->by_space[it->space], reached);
  add(&shares->by_guard[it->guard], reached);
  add(&shares->by_bytes[it->bytes], reached);
  for (size_t s = 0; s < it->count; s++)
    has[it->steps[s].kind] = true;
  for (unsigned kind = 0; kind < STEP_KINDS; kind++)
    if (has[kind])
      add(&shares->by_step[kind], reached);
}

static void print(const char *name, const struct address_share *share)
{
  if (share->checked > 0)
    printf("# %-20s %7zu, reached %7zu: %5.1f %%\n", name, share->checked, share->reached,
           100 * (double)share->reached / (double)share->checked);
}

void print_shares(const struct address_shares *shares)
{
  static const char *const steps[STEP_KINDS] = {
      "column",  "rows",        "thread",   "clamped rows",   "sum",     "product",
      "minimum", "maximum",     "quotient", "remainder",      "tiles",   "swizzle",
      "mask",    "shift right", "choice",   "bytes permuted", "reversed"};
  static const char *const spaces[SPACES] = {"global", "shared", "local", "atomic"};
  static const char *const guards[GUARDS] = {"no guard", "thread below", "mask of thread",
                                             "index below"};
  char name[32];
  for (unsigned f = 0; f < ADDRESS_FORMS; f++) {
    snprintf(name, sizeof name, "sm_%u", address_forms[f].sm);
    print(name, &shares->by_form[f]);
  }
  print("parameters known", &shares->by_known[1]);
  print("parameters unknown", &shares->by_known[0]);
  print("pointers aligned", &shares->by_aligned[1]);
  print("pointers any", &shares->by_aligned[0]);
  print("warps whole", &shares->by_whole[1]);
  print("warps partial", &shares->by_whole[0]);
  for (size_t s = 1; s <= MOST_STEPS; s++) {
    snprintf(name, sizeof name, "steps: %zu", s);
    print(name, &shares->by_count[s]);
  }
  for (unsigned kind = 0; kind < STEP_KINDS; kind++)
    print(steps[kind], &shares->by_step[kind]);
  for (unsigned space = 0; space < SPACES; space++)
    print(spaces[space], &shares->by_space[space]);
  for (unsigned guard = 0; guard < GUARDS; guard++)
    print(guards[guard], &shares->by_guard[guard]);
  for (unsigned bytes = 1; bytes <= 16; bytes *= 2) {
    snprintf(name, sizeof name, "bytes: %u", bytes);
    print(name, &shares->by_bytes[bytes]);
  }
  print("all", &shares->all);
}

bool share_is_at_least(const struct address_share *share, unsigned percent)
{
  return share->reached * 100 >= share->checked * percent;
}
