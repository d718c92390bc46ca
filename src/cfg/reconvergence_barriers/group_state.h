/* What is known of a group of lanes that run together, from Volta on: the scopes of convergence
 * barriers that they are in, where the bindings to them are kept, values that the code shows, and
 * when all lanes of the warp were last one group. doc/simt-volta.md says what each part means. */
#ifndef WB_CFG_RECONVERGENCE_BARRIERS_GROUP_STATE_H
#define WB_CFG_RECONVERGENCE_BARRIERS_GROUP_STATE_H

#include "cfg/agreement/lane_agreement.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_text;

/* What is known of a value. Of a barrier register: no value is known to mean that it is bound to no
 * scope; of any other location: that nothing is known. */
enum wb_known_kind {
  WB_KNOWN_NUMBER,       /* addend */
  WB_KNOWN_CONSTANT,     /* the word of a constant bank that `base` names, plus addend */
  WB_KNOWN_LAUNCH,       /* the number of the launch that `base` names, plus addend */
  WB_KNOWN_TRUTH,        /* of a predicate: addend, 0 or 1, in all lanes of the group */
  WB_KNOWN_THREAD,       /* each lane's own index in x of its block, plus addend */
  WB_KNOWN_UNBOUND,      /* bound to no scope; never of a barrier register */
  WB_KNOWN_SCOPE,        /* bound to scope `base` */
  WB_KNOWN_SCOPE_UNLESS, /* bound to it in lanes whose predicate is not `unbound_where`, else to
                          * none */
  WB_KNOWN_SCOPE_MAYBE,  /* bound to it, or to none */
  WB_KNOWN_LOST, /* bound to a scope that ends behind the BSYNC, or to none: a mask from where
                  * it is not known; of a barrier register alone */
  WB_KNOWN_LOST_OR_SCOPE, /* as LOST, or bound to scope `base`; of a barrier register alone */
  WB_KNOWN_ANY            /* bound to any scope, or to none; of a barrier register alone */
};

struct wb_known_value {
  uint8_t kind;       /* enum wb_known_kind */
  bool unbound_where; /* WB_KNOWN_SCOPE_UNLESS */
  uint16_t predicate; /* WB_KNOWN_SCOPE_UNLESS: its register; else 0 */
  uint32_t addend;    /* modulo 2^32; 0 for bindings */
  uint64_t base;      /* a scope's number, or a name; 0 for a number */
};

/* Locations: registers, and above them words of local memory (struct wb_barrier_machine). */
#define WB_LOCATION_SLOTS ((uint32_t)WB_REGISTER_COUNT)

static inline bool wb_is_barrier(uint32_t location)
{
  return location >= WB_REGISTER_BARRIER && location < WB_REGISTER_COUNT;
}

/* Whether a value is bound to a scope, or to none; whether a scope is named that it may be bound
 * to. */
static inline bool wb_known_is_binding(const struct wb_known_value *value)
{
  return value->kind >= WB_KNOWN_UNBOUND;
}
/* Of a barrier register: not all scopes are known that it may be bound to. */
static inline bool wb_known_is_unclear(const struct wb_known_value *value)
{
  return value->kind >= WB_KNOWN_LOST;
}
static inline bool wb_known_names_scope(const struct wb_known_value *value)
{
  return value->kind >= WB_KNOWN_SCOPE && value->kind <= WB_KNOWN_SCOPE_MAYBE;
}

struct wb_known {
  uint32_t location;
  struct wb_known_value value;
};

/* Lanes that were together once, and what they agreed on then: sets of registers. Both are empty
 * where the group is all of them that have not left: what it agrees on now counts. A group that may
 * be apart may also be all of them: then too what it agrees on now counts. */
struct wb_together {
  bool apart;         /* the group may not be all of them */
  uint32_t agreement; /* on which all of them agreed when they were last one group */
  uint32_t lost;      /* that the group's lanes may have written since */
};

/* A scope that all lanes of the group are in, or were until they left it by a BREAK: one and the
 * same execution of its BSSY. */
struct wb_open_scope {
  uint32_t scope;              /* its number */
  bool of_side;                /* its lanes are all lanes of the group's side, as `undivided` */
  struct wb_together together; /* the lanes of the scope */
};

/* Where the warp's lanes were last one group: now, or at the end of the block of one of some
 * partings (barrier_machine.h). */
enum {
  WB_ORIGIN_WHOLE, /* now: the group has all lanes that have not ended */
  WB_ORIGIN_ANY,   /* not known */
  WB_ORIGIN_FIRST  /* + 2 * a parting: at it; + 2 * a set + 1: at one of these partings, the bits of
                    * a set of registers */
};
static inline uint32_t wb_origin_of_parting(uint32_t parting)
{
  return WB_ORIGIN_FIRST + 2 * parting;
}
/* A way out of a parting, as a register of a set: lanes do its last instruction, or they do not. */
static inline uint64_t wb_side_of_parting(uint32_t parting, bool done)
{
  return 2 * (uint64_t)parting + done;
}
/* The origin of groups that may have either; neither is WHOLE. */
uint32_t wb_origin_either(struct wb_register_sets *sets, uint32_t a, uint32_t b);
/* The first parting from `from` on that an origin names; UINT32_MAX for none. */
uint32_t wb_origin_parting(const struct wb_register_sets *sets, uint32_t origin, uint32_t from);

/* Invariants: scopes are the outermost first, none twice; known ascends by location; no UNLESS or
 * SCOPE of a barrier register is without a scope. All bytes zero: the least state, of no group. */
struct wb_group {
  struct wb_open_scope *scopes;
  size_t scope_count;
  size_t scope_capacity;
  struct wb_known *known;
  size_t known_count;
  size_t known_capacity;
  uint32_t origin;         /* WB_ORIGIN_... */
  struct wb_together warp; /* all lanes of the warp; apart where origin is not WHOLE */
  bool bypassed;           /* origin is partings: the group may have come by them all without
                            * running one of their blocks, and is whole then */
  bool undivided;          /* the group has all lanes that have not ended of those that the
                            * latest parting sent one way, or of the warp */
  uint32_t sides;          /* the ways by which the group may have left the partings of origin: a
                            * set of wb_side_of_parting; all of them where they are not known */
  uint32_t avoided; /* the ways of branches (branch_ways.c) that some lane of the group may not
                     * have gone since the latest parting: a set; none where it is WHOLE */
  bool mixed;       /* lanes of other calling contexts may be in the group */
  bool ended;       /* when the warp's lanes were last one group, some may have ended */
  bool reached;     /* some execution has such a group */
};

/* ---- whole states ---- */

bool wb_group_copy(struct wb_group *to, const struct wb_group *from);
/* Makes *into an upper bound of both, and sets *changed where it grew. False where memory is out.
 */
bool wb_group_join(struct wb_register_sets *sets, struct wb_group *into,
                   const struct wb_group *from, bool *changed);
void wb_group_clear(struct wb_group *group);
void wb_group_print(const struct wb_group *group, struct wb_text *text);
/* The invariants: NULL, or which one is broken. */
const char *wb_group_check(const struct wb_register_sets *sets, const struct wb_group *group);

/* ---- lanes that were together ---- */

/* Joins what is known in two groups; whether `into` grew. */
bool wb_together_join(struct wb_register_sets *sets, struct wb_together *into,
                      const struct wb_together *from);
/* The group, which agrees on a set of registers now, comes apart, or comes to where it may meet the
 * others. */
void wb_together_part(struct wb_register_sets *sets, struct wb_together *together,
                      uint32_t agreement);
/* The group's lanes may have written a set of registers. */
void wb_together_wrote(struct wb_register_sets *sets, struct wb_together *together,
                       uint32_t written);

/* ---- values ---- */

/* What is known of a location, or NULL. */
const struct wb_known_value *wb_group_value(const struct wb_group *group, uint32_t location);
/* The same of a binding with what is known of predicates: an UNLESS whose predicate is known is
 * bound or not. NULL: of a barrier register, that it is bound to none. */
const struct wb_known_value *wb_group_binding(const struct wb_group *group, uint32_t location,
                                              struct wb_known_value *resolved);
/* NULL: nothing is known any more, or bound to none. False where memory is out. */
bool wb_group_set(struct wb_group *group, uint32_t location, const struct wb_known_value *value);
/* The least value that allows both at a location; false for none: *joined is then not set. */
bool wb_known_join(uint32_t location, const struct wb_known_value *a,
                   const struct wb_known_value *b, struct wb_known_value *joined);
bool wb_known_equal(const struct wb_known_value *a, const struct wb_known_value *b);
/* Nothing is known any more of the registers of a set, but of barrier registers, which no data
 * instruction writes. */
void wb_group_forget(struct wb_group *group, const struct wb_register_set *written);
/* Adds the registers whose value is one number in all lanes of the warp. */
void wb_group_add_constants(const struct wb_group *group, struct wb_register_set *agreed);
/* A predicate is known to be true or false in all lanes of the group. False where memory is out. */
bool wb_group_assume_predicate(struct wb_group *group, unsigned predicate, bool value);

/* ---- scopes ---- */

/* The index of an open scope; SIZE_MAX for none. */
size_t wb_group_scope(const struct wb_group *group, uint32_t scope);
/* Whether some location of all lanes of the group is bound to the scope: no lane has left it. */
bool wb_group_is_in(const struct wb_group *group, uint32_t scope);
/* The group makes the scope, which is the innermost one now; bindings to an earlier execution of it
 * are forgotten. False where memory is out. */
bool wb_group_open(struct wb_group *group, uint32_t scope);
void wb_group_close(struct wb_group *group, size_t index);
/* The lanes of the group are in the scope no more: what is bound to it is stale, and waits for
 * nothing. */
void wb_group_leave(struct wb_group *group, uint32_t scope);
/* Closes scopes to which no location is bound. */
void wb_group_close_unbound(struct wb_group *group);

#endif
