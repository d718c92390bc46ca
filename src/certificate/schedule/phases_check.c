#include "certificate/schedule/phases_check.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#define TYPES 5
#define SHOWN 40

static const char type_letters[] = "LCSDTNB";

/* Whether the bound is of the phase of `length` letters of the whole, from `from` on: of the string
 * of the bound and then N, as many as may be left out, and of the same warps and machine, as far as
 * the phase uses it. */
static bool is_of_phase(const struct wb_check_phases_bound *whole, size_t from, size_t length,
                        const struct wb_check_phases_bound *phase)
{
  const bool capped = whole->problem.issue_slots > 0 && whole->problem.issue_slots < whole->warps;
  if (phase->warps != whole->warps || phase->problem.issue_slots != whole->problem.issue_slots ||
      phase->problem.length == 0 || phase->problem.length > length ||
      (capped && phase->problem.length < length))
    return false;
  for (size_t i = 0; i < length; i++) {
    const char letter =
        whole->problem.letters[from + i] == 'B' ? 'N' : whole->problem.letters[from + i];
    if (letter != (i < phase->problem.length ? phase->problem.letters[i] : 'N'))
      return false;
  }
  for (size_t type = 0; type < TYPES; type++) {
    if (memchr(phase->problem.letters, type_letters[type], phase->problem.length) != NULL &&
        phase->problem.capacity[type] != whole->problem.capacity[type])
      return false;
  }
  return true;
}

/* Adds the bound of the phase of these letters. */
static warpbound_status add_phase(const struct wb_check_phases_bound *whole, size_t from,
                                  size_t length, const struct wb_check_phases_bound *phases,
                                  size_t phase_count, uint64_t *cycles, warpbound_error *error)
{
  for (size_t p = 0; p < phase_count; p++) {
    if (!is_of_phase(whole, from, length, &phases[p]))
      continue;
    const uint64_t tail = length - phases[p].problem.length;
    if (*cycles > UINT64_MAX - phases[p].cycles || *cycles + phases[p].cycles > UINT64_MAX - tail)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "the bounds of the phases add up to more than 64 bits hold");
    *cycles += phases[p].cycles + tail;
    return WARPBOUND_OK;
  }
  return wb_fail(error, WARPBOUND_CHECK_FAILED,
                 "the phase of instructions %zu to %zu (%.*s%s) has no bound for %" PRIu64
                 " warps on the "
                 "same machine",
                 from + 1, from + length, (int)(length < SHOWN ? length : SHOWN),
                 whole->problem.letters + from, length < SHOWN ? "" : "...", whole->warps);
}

warpbound_status wb_check_phases(const struct wb_check_phases_bound *whole,
                                 const struct wb_check_phases_bound *phases, size_t phase_count,
                                 uint64_t *cycles, warpbound_error *error)
{
  uint64_t sum = 0;
  size_t from = 0;
  if (whole->problem.length == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "expected at least one instruction");
  for (size_t i = 0; i < whole->problem.length; i++) {
    if (whole->problem.letters[i] == '\0' ||
        strchr(type_letters, whole->problem.letters[i]) == NULL)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "instruction %zu: expected one of L, C, S, D, T, N, B", i + 1);
  }
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && from < whole->problem.length) {
    const char *barrier = memchr(whole->problem.letters + from, 'B', whole->problem.length - from);
    const size_t end =
        barrier != NULL ? (size_t)(barrier - whole->problem.letters) + 1 : whole->problem.length;
    status = add_phase(whole, from, end - from, phases, phase_count, &sum, error);
    from = end;
  }
  if (status != WARPBOUND_OK)
    return status;
  if (sum > whole->cycles)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "the bounds of the phases add up to %" PRIu64 " cycles, more than the %" PRIu64
                   " claimed",
                   sum, whole->cycles);
  *cycles = sum;
  return WARPBOUND_OK;
}
