/* The question that a claimed bound answers, in plain numbers: one string on the units of one
 * partition. The checkers take no struct of the model for it, so that none of its invariants is
 * taken for granted. */
#ifndef WB_CERTIFICATE_CLAIM_PROBLEM_H
#define WB_CERTIFICATE_CLAIM_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

/* Types that have units, in the order L, C, S, D, T. */
#define WB_CHECK_UNIT_TYPES 5

/* No invariant: any bytes and numbers may stand in it, and each checker refuses those that make no
 * sense. Borrows the letters. */
struct wb_check_problem {
  /* The instructions' types in program order: L, C, S, D, T, N and, where a checker knows barriers,
   * B. Not ended by a zero byte. */
  const char *letters;
  /* Instructions of the string. */
  size_t length;
  /* Most instructions of each type that start in a cycle. 0: not given, which is an error where
   * the string uses the type. N and B have no limit. */
  uint64_t capacity[WB_CHECK_UNIT_TYPES];
  /* Most instructions that start in a cycle; 0: no cap. */
  uint64_t issue_slots;
};

#endif
