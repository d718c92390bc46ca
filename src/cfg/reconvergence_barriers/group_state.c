#include "cfg/reconvergence_barriers/group_state.h"

#include "base/binary_search.h"
#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- lanes that were together ---- */

bool wb_together_join(struct wb_register_sets *sets, struct wb_together *into,
                      const struct wb_together *from)
{
  const struct wb_together before = *into;
  if (!from->apart)
    return false;
  if (!into->apart) {
    *into = *from;
    return true;
  }
  into->agreement = wb_register_sets_both(sets, into->agreement, from->agreement);
  into->lost = wb_register_sets_either(sets, into->lost, from->lost);
  return into->agreement != before.agreement || into->lost != before.lost;
}

void wb_together_part(struct wb_register_sets *sets, struct wb_together *together,
                      uint32_t agreement)
{
  together->agreement =
      together->apart ? wb_register_sets_both(sets, together->agreement, agreement) : agreement;
  together->apart = true;
}

void wb_together_wrote(struct wb_register_sets *sets, struct wb_together *together,
                       uint32_t written)
{
  if (together->apart)
    together->lost = wb_register_sets_either(sets, together->lost, written);
}

/* ---- values ---- */

bool wb_known_equal(const struct wb_known_value *a, const struct wb_known_value *b)
{
  return a->kind == b->kind && a->unbound_where == b->unbound_where &&
         a->predicate == b->predicate && a->addend == b->addend && a->base == b->base;
}

static struct wb_known_value binding(enum wb_known_kind kind, uint64_t scope)
{
  return (struct wb_known_value){.kind = (uint8_t)kind, .base = scope};
}

/* What bindings are together: a barrier register that is bound to a named scope in some lanes and
 * lost in others keeps the name. */
static struct wb_known_value join_bindings(const struct wb_known_value *left,
                                           const struct wb_known_value *right)
{
  const bool left_names = wb_known_names_scope(left) || left->kind == WB_KNOWN_LOST_OR_SCOPE;
  const bool right_names = wb_known_names_scope(right) || right->kind == WB_KNOWN_LOST_OR_SCOPE;
  const bool lost = wb_known_is_unclear(left) || wb_known_is_unclear(right);
  if (left->kind == WB_KNOWN_ANY || right->kind == WB_KNOWN_ANY ||
      (left_names && right_names && left->base != right->base))
    return binding(WB_KNOWN_ANY, 0);
  if (!left_names && !right_names) /* they differ: one is lost, the other unbound */
    return binding(WB_KNOWN_LOST, 0);
  return binding(lost ? WB_KNOWN_LOST_OR_SCOPE : WB_KNOWN_SCOPE_MAYBE,
                 left_names ? left->base : right->base);
}

bool wb_known_join(uint32_t location, const struct wb_known_value *a,
                   const struct wb_known_value *b, struct wb_known_value *joined)
{
  static const struct wb_known_value unbound = {.kind = WB_KNOWN_UNBOUND};
  const bool barrier = wb_is_barrier(location);
  if (a == NULL && b == NULL)
    return false; /* bound to none, or not known */
  const struct wb_known_value *left = a == NULL && barrier ? &unbound : a;
  const struct wb_known_value *right = b == NULL && barrier ? &unbound : b;
  if (left == NULL || right == NULL)
    return false;
  if (wb_known_equal(left, right)) {
    *joined = *left;
    return true;
  }
  if (!wb_known_is_binding(left) || !wb_known_is_binding(right))
    return false;
  *joined = join_bindings(left, right);
  return barrier || !wb_known_is_unclear(joined);
}

static bool is_below(const void *known, size_t index, const void *location)
{
  return ((const struct wb_known *)known)[index].location < *(const uint32_t *)location;
}

/* The index of the first location that is not below this one. */
static size_t position_of(const struct wb_group *group, uint32_t location)
{
  return wb_lower_bound(group->known, group->known_count, is_below, &location);
}

const struct wb_known_value *wb_group_value(const struct wb_group *group, uint32_t location)
{
  const size_t at = position_of(group, location);
  return at < group->known_count && group->known[at].location == location ? &group->known[at].value
                                                                          : NULL;
}

static void remove_known(struct wb_group *group, size_t at)
{
  group->known_count--;
  memmove(group->known + at, group->known + at + 1,
          (group->known_count - at) * sizeof *group->known);
}

bool wb_group_set(struct wb_group *group, uint32_t location, const struct wb_known_value *value)
{
  const size_t at = position_of(group, location);
  const bool there = at < group->known_count && group->known[at].location == location;
  if (value == NULL) {
    if (there)
      remove_known(group, at);
    return true;
  }
  const struct wb_known_value kept = *value; /* which may be one of the group's */
  if (!there) {
    if (!wb_grow(group->known, &group->known_capacity, group->known_count + 1))
      return false;
    memmove(group->known + at + 1, group->known + at,
            (group->known_count - at) * sizeof *group->known);
    group->known_count++;
  }
  group->known[at] = (struct wb_known){location, kept};
  return true;
}

/* A value with what is known of its predicate. NULL: bound to none, or NULL. */
static const struct wb_known_value *resolve(const struct wb_group *group,
                                            const struct wb_known_value *value,
                                            struct wb_known_value *resolved)
{
  if (value == NULL || value->kind != WB_KNOWN_SCOPE_UNLESS)
    return value;
  const struct wb_known_value *truth = wb_group_value(group, value->predicate);
  if (truth == NULL || truth->kind != WB_KNOWN_TRUTH)
    return value;
  if ((truth->addend != 0) == value->unbound_where)
    return NULL;
  *resolved = binding(WB_KNOWN_SCOPE, value->base);
  return resolved;
}

const struct wb_known_value *wb_group_binding(const struct wb_group *group, uint32_t location,
                                              struct wb_known_value *resolved)
{
  return resolve(group, wb_group_value(group, location), resolved);
}

/* Settles what depends on predicates that are written: what an UNLESS is in all lanes, if that is
 * known. */
static void settle_predicates(struct wb_group *group, const struct wb_register_set *written)
{
  for (size_t k = group->known_count; k-- > 0;) {
    struct wb_known *known = &group->known[k];
    struct wb_known_value resolved;
    if (known->value.kind != WB_KNOWN_SCOPE_UNLESS ||
        !wb_register_set_has(written, known->value.predicate))
      continue;
    const struct wb_known_value *value = resolve(group, &known->value, &resolved);
    if (value == NULL && wb_is_barrier(known->location))
      remove_known(group, k);
    else if (value == NULL)
      known->value = binding(WB_KNOWN_UNBOUND, 0);
    else if (value->kind == WB_KNOWN_SCOPE_UNLESS)
      known->value = binding(WB_KNOWN_SCOPE_MAYBE, value->base);
    else
      known->value = *value;
  }
}

void wb_group_forget(struct wb_group *group, const struct wb_register_set *written)
{
  size_t kept = 0;
  settle_predicates(group, written);
  for (size_t k = 0; k < group->known_count; k++) {
    const struct wb_known known = group->known[k];
    const bool is_register = known.location < WB_REGISTER_BARRIER;
    if (!is_register || !wb_register_set_has(written, known.location))
      group->known[kept++] = known;
  }
  group->known_count = kept;
}

void wb_group_add_constants(const struct wb_group *group, struct wb_register_set *agreed)
{
  for (size_t k = 0; k < group->known_count; k++) {
    const struct wb_known *known = &group->known[k];
    if (known->location < WB_REGISTER_BARRIER && known->value.kind < WB_KNOWN_TRUTH)
      wb_register_set_add(agreed, (struct wb_register_span){(uint16_t)known->location, 1});
  }
}

bool wb_group_assume_predicate(struct wb_group *group, unsigned predicate, bool value)
{
  const struct wb_known_value truth = {.kind = WB_KNOWN_TRUTH, .addend = value};
  return wb_group_set(group, predicate, &truth);
}

/* ---- scopes ---- */

size_t wb_group_scope(const struct wb_group *group, uint32_t scope)
{
  for (size_t s = 0; s < group->scope_count; s++) {
    if (group->scopes[s].scope == scope)
      return s;
  }
  return SIZE_MAX;
}

bool wb_group_is_in(const struct wb_group *group, uint32_t scope)
{
  for (size_t k = 0; k < group->known_count; k++) {
    struct wb_known_value resolved;
    const struct wb_known_value *value =
        wb_group_binding(group, group->known[k].location, &resolved);
    if (value != NULL && value->kind == WB_KNOWN_SCOPE && value->base == scope)
      return true;
  }
  return false;
}

void wb_group_close(struct wb_group *group, size_t index)
{
  group->scope_count--;
  memmove(group->scopes + index, group->scopes + index + 1,
          (group->scope_count - index) * sizeof *group->scopes);
}

/* Whether a value names a scope that it may be bound to, and it is this one. */
static bool may_be_of(const struct wb_known_value *value, uint32_t scope)
{
  return (wb_known_names_scope(value) || value->kind == WB_KNOWN_LOST_OR_SCOPE) &&
         value->base == scope;
}

void wb_group_leave(struct wb_group *group, uint32_t scope)
{
  const size_t index = wb_group_scope(group, scope);
  if (index != SIZE_MAX)
    wb_group_close(group, index);
  for (size_t k = group->known_count; k-- > 0;) {
    struct wb_known *known = &group->known[k];
    if (!may_be_of(&known->value, scope))
      continue;
    if (known->value.kind == WB_KNOWN_LOST_OR_SCOPE)
      known->value = binding(WB_KNOWN_LOST, 0);
    else if (wb_is_barrier(known->location))
      remove_known(group, k);
    else
      known->value = binding(WB_KNOWN_UNBOUND, 0);
  }
}

void wb_group_close_unbound(struct wb_group *group)
{
  for (size_t s = group->scope_count; s-- > 0;) {
    bool bound = false;
    for (size_t k = 0; !bound && k < group->known_count; k++) {
      const struct wb_known_value *value = &group->known[k].value;
      bound = wb_known_is_unclear(value) ||
              (wb_known_names_scope(value) && value->base == group->scopes[s].scope);
    }
    if (!bound)
      wb_group_close(group, s);
  }
}

bool wb_group_open(struct wb_group *group, uint32_t scope)
{
  size_t kept = 0;
  /* Bindings to an earlier execution of the scope's BSSY are not bindings to the next one. */
  for (size_t k = 0; k < group->known_count; k++) {
    struct wb_known known = group->known[k];
    const bool earlier = may_be_of(&known.value, scope);
    if (earlier && !wb_is_barrier(known.location))
      continue;
    if (earlier)
      known.value = binding(WB_KNOWN_ANY, 0);
    group->known[kept++] = known;
  }
  group->known_count = kept;
  const size_t earlier = wb_group_scope(group, scope);
  if (earlier != SIZE_MAX)
    wb_group_close(group, earlier);
  if (!wb_grow(group->scopes, &group->scope_capacity, group->scope_count + 1))
    return false;
  group->scopes[group->scope_count++] =
      (struct wb_open_scope){.scope = scope, .of_side = group->undivided};
  return true;
}

/* ---- whole states ---- */

bool wb_group_copy(struct wb_group *to, const struct wb_group *from)
{
  if (to == from)
    return true;
  if (!wb_grow(to->scopes, &to->scope_capacity, from->scope_count) ||
      !wb_grow(to->known, &to->known_capacity, from->known_count))
    return false;
  struct wb_group copy = *from;
  copy.scopes = to->scopes;
  copy.scope_capacity = to->scope_capacity;
  copy.known = to->known;
  copy.known_capacity = to->known_capacity;
  if (from->scope_count > 0)
    memcpy(copy.scopes, from->scopes, from->scope_count * sizeof *copy.scopes);
  if (from->known_count > 0)
    memcpy(copy.known, from->known, from->known_count * sizeof *copy.known);
  *to = copy;
  return true;
}

/* Keeps the scopes that both have in one order. */
static void join_scopes(struct wb_register_sets *sets, struct wb_group *into,
                        const struct wb_group *from, bool *changed)
{
  size_t kept = 0;
  size_t next = 0;
  for (size_t s = 0; s < into->scope_count; s++) {
    const size_t other = wb_group_scope(from, into->scopes[s].scope);
    if (other == SIZE_MAX || other < next) {
      *changed = true;
      continue;
    }
    next = other + 1;
    struct wb_open_scope scope = into->scopes[s];
    if (wb_together_join(sets, &scope.together, &from->scopes[other].together))
      *changed = true;
    *changed = *changed || (scope.of_side && !from->scopes[other].of_side);
    scope.of_side = scope.of_side && from->scopes[other].of_side;
    into->scopes[kept++] = scope;
  }
  into->scope_count = kept;
}

/* The value that two groups have at a location: what both say or, where that differs, what both
 * mean with what each knows of predicates. */
static bool join_values(const struct wb_group *left, const struct wb_group *right,
                        uint32_t location, const struct wb_known_value *a,
                        const struct wb_known_value *b, struct wb_known_value *joined)
{
  struct wb_known_value storage[2];
  if (a == NULL || b == NULL || !wb_known_equal(a, b)) {
    a = resolve(left, a, &storage[0]);
    b = resolve(right, b, &storage[1]);
  }
  return wb_known_join(location, a, b, joined);
}

static bool same_known(const struct wb_group *a, const struct wb_group *b)
{
  bool same = a->known_count == b->known_count;
  for (size_t k = 0; same && k < a->known_count; k++)
    same = a->known[k].location == b->known[k].location &&
           wb_known_equal(&a->known[k].value, &b->known[k].value);
  return same;
}

static bool join_known(struct wb_group *into, const struct wb_group *from, bool *changed)
{
  if (same_known(into, from))
    return true;
  struct wb_known *list = NULL;
  size_t count = 0;
  size_t capacity = 0;
  if (!wb_grow(list, &capacity, into->known_count + from->known_count))
    return false;
  size_t a = 0;
  size_t b = 0;
  while (a < into->known_count || b < from->known_count) {
    const uint32_t left = a < into->known_count ? into->known[a].location : UINT32_MAX;
    const uint32_t right = b < from->known_count ? from->known[b].location : UINT32_MAX;
    const uint32_t location = left < right ? left : right;
    const struct wb_known_value *old = left == location ? &into->known[a].value : NULL;
    const struct wb_known_value *other = right == location ? &from->known[b].value : NULL;
    struct wb_known_value joined;
    const bool there = join_values(into, from, location, old, other, &joined);
    *changed = *changed || there != (old != NULL) || (there && !wb_known_equal(old, &joined));
    if (there)
      list[count++] = (struct wb_known){location, joined};
    a += left == location;
    b += right == location;
  }
  free(into->known);
  into->known = list;
  into->known_count = count;
  into->known_capacity = capacity;
  return true;
}

uint32_t wb_origin_parting(const struct wb_register_sets *sets, uint32_t origin, uint32_t from)
{
  if (origin < WB_ORIGIN_FIRST)
    return UINT32_MAX;
  const uint32_t number = (origin - WB_ORIGIN_FIRST) / 2;
  if ((origin - WB_ORIGIN_FIRST) % 2 == 0)
    return from <= number ? number : UINT32_MAX;
  while (from < WB_REGISTER_COUNT && !wb_register_set_has(&sets->sets[number], from))
    from++;
  return from < WB_REGISTER_COUNT ? from : UINT32_MAX;
}

uint32_t wb_origin_either(struct wb_register_sets *sets, uint32_t a, uint32_t b)
{
  const uint32_t origins[2] = {a, b};
  struct wb_register_set set = {{0}};
  if (a == b)
    return a;
  for (size_t o = 0; o < 2; o++) {
    uint32_t parting = wb_origin_parting(sets, origins[o], 0);
    if (parting >= WB_REGISTER_COUNT) /* none is known, or a set has no room for it */
      return WB_ORIGIN_ANY;
    for (; parting != UINT32_MAX; parting = wb_origin_parting(sets, origins[o], parting + 1))
      wb_register_set_add(&set, (struct wb_register_span){(uint16_t)parting, 1});
  }
  return WB_ORIGIN_FIRST + 2 * wb_register_sets_number(sets, &set) + 1;
}

static void join_origin(struct wb_register_sets *sets, struct wb_group *into,
                        const struct wb_group *from, bool *changed)
{
  const uint32_t origin = into->origin;
  const uint32_t sides = into->sides;
  const uint32_t avoided = into->avoided;
  const bool bypassed = into->bypassed;
  if (into->origin == WB_ORIGIN_WHOLE || from->origin == WB_ORIGIN_WHOLE) {
    const struct wb_group *apart = into->origin == WB_ORIGIN_WHOLE ? from : into;
    into->bypassed = apart->bypassed || into->origin != from->origin;
    into->origin = apart->origin;
  } else {
    into->bypassed = into->bypassed || from->bypassed;
    into->origin = wb_origin_either(sets, into->origin, from->origin);
  }
  if (into->origin < WB_ORIGIN_FIRST)
    into->bypassed = false;
  const bool grown = wb_together_join(sets, &into->warp, &from->warp);
  into->sides = wb_register_sets_either(sets, into->sides, from->sides);
  into->avoided = wb_register_sets_either(sets, into->avoided, from->avoided);
  *changed = *changed || grown || into->origin != origin || into->bypassed != bypassed ||
             (from->ended && !into->ended) || into->sides != sides || into->avoided != avoided ||
             (into->undivided && !from->undivided);
  into->ended = into->ended || from->ended;
  into->undivided = into->undivided && from->undivided;
}

bool wb_group_join(struct wb_register_sets *sets, struct wb_group *into,
                   const struct wb_group *from, bool *changed)
{
  if (!from->reached)
    return true;
  if (!into->reached) {
    *changed = true;
    return wb_group_copy(into, from);
  }
  join_scopes(sets, into, from, changed);
  join_origin(sets, into, from, changed);
  *changed = *changed || (from->mixed && !into->mixed);
  into->mixed = into->mixed || from->mixed;
  return join_known(into, from, changed);
}

void wb_group_clear(struct wb_group *group)
{
  free(group->scopes);
  free(group->known);
  *group = (struct wb_group){0};
}

static void print_together(const struct wb_together *together, struct wb_text *text)
{
  if (together->apart)
    wb_text_format(text, " apart since %" PRIu32 " without %" PRIu32, together->agreement,
                   together->lost);
}

void wb_group_print(const struct wb_group *group, struct wb_text *text)
{
  wb_text_format(text, "[origin %" PRIu32 "%s%s%s", group->origin,
                 group->bypassed ? " or whole" : "", group->undivided ? ", undivided" : "",
                 group->mixed ? ", mixed" : "");
  print_together(&group->warp, text);
  wb_text_string(text, ", scopes");
  for (size_t s = 0; s < group->scope_count; s++) {
    wb_text_format(text, " %" PRIu32, group->scopes[s].scope);
    print_together(&group->scopes[s].together, text);
  }
  wb_text_string(text, ", known");
  for (size_t k = 0; k < group->known_count; k++) {
    const struct wb_known *known = &group->known[k];
    char name[8] = "word";
    if (known->location < WB_REGISTER_COUNT)
      wb_register_name(known->location, name);
    wb_text_format(text, " %s:%u(%" PRIu64 "+%" PRIu32 ",%u)", name, (unsigned)known->value.kind,
                   known->value.base, known->value.addend, (unsigned)known->value.predicate);
  }
  wb_text_string(text, "]");
}

static bool is_together(const struct wb_register_sets *sets, const struct wb_together *together)
{
  return together->agreement < sets->count && together->lost < sets->count &&
         (together->apart ||
          (together->agreement == WB_REGISTERS_NONE && together->lost == WB_REGISTERS_NONE));
}

const char *wb_group_check(const struct wb_register_sets *sets, const struct wb_group *group)
{
  if (!group->reached && (group->scope_count > 0 || group->known_count > 0))
    return "something is known of a group that no execution has";
  if (!is_together(sets, &group->warp) ||
      (group->reached && group->warp.apart != (group->origin != WB_ORIGIN_WHOLE)))
    return "it is not clear whether a group has all lanes of the warp";
  if (group->sides >= sets->count || group->avoided >= sets->count ||
      (group->reached && group->origin == WB_ORIGIN_WHOLE &&
       (group->sides != WB_REGISTERS_NONE || group->avoided != WB_REGISTERS_NONE)))
    return "a group of all lanes of the warp has come from a parting";
  for (size_t s = 0; s < group->scope_count; s++) {
    if (!is_together(sets, &group->scopes[s].together))
      return "it is not clear whether a group has all lanes of a scope";
    if (wb_group_scope(group, group->scopes[s].scope) != s)
      return "a scope is open twice";
  }
  for (size_t k = 0; k < group->known_count; k++) {
    const struct wb_known *known = &group->known[k];
    if (k > 0 && known->location <= known[-1].location)
      return "what is known does not ascend";
    if (known->value.kind > WB_KNOWN_ANY)
      return "what is known is of no kind";
    if (wb_is_barrier(known->location) && known->value.kind <= WB_KNOWN_UNBOUND)
      return "a barrier register holds a number";
  }
  return NULL;
}
