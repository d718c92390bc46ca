#include "ipet/price_search.h"

#include "base/checked.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How often cycles are looked for before a scale is given up. */
#define ROUNDS 1000
/* Raises of one limit for each of which the next one is twice as large. */
#define PATIENCE 3
#define MOST_DOUBLINGS 40

#define NONE SIZE_MAX

static void sort_terms(struct wb_price_search *s)
{
  const struct wb_flow_system *system = s->system;
  /* Counted two places further on, so that filling moves each first to its place. */
  size_t *fill = s->first + 1;
  for (size_t t = 0; t < system->term_count; t++)
    fill[system->terms[t].edge + 1]++;
  for (size_t e = 1; e <= system->edge_count; e++)
    fill[e] += fill[e - 1];
  for (uint32_t l = 0; l < system->limit_count; l++) {
    for (size_t t = 0; t < system->limits[l].term_count; t++) {
      const struct wb_flow_term *term = &system->terms[system->limits[l].first_term + t];
      s->term[fill[term->edge]++] = (struct wb_price_term){l, term->factor};
    }
  }
}

bool wb_price_search_make(struct wb_price_search *s, const struct wb_flow_system *system,
                          const double *proposed, bool free)
{
  *s = (struct wb_price_search){
      .system = system,
      .proposed = proposed,
      .free = free,
      .price = wb_allocate(system->limit_count, sizeof *s->price),
      .first = wb_allocate(system->edge_count + 2, sizeof *s->first),
      .term = wb_allocate(system->term_count, sizeof *s->term),
      .net = wb_allocate(system->limit_count, sizeof *s->net),
      .raised = wb_allocate(system->limit_count, sizeof *s->raised),
  };
  if (!wb_potentials_make(&s->ways, system) || s->price == NULL || s->first == NULL ||
      s->term == NULL || s->net == NULL || s->raised == NULL)
    return false;
  sort_terms(s);
  return true;
}

void wb_price_search_free(struct wb_price_search *s)
{
  wb_potentials_free(&s->ways);
  free(s->price);
  free(s->first);
  free(s->term);
  free(s->net);
  free(s->raised);
  *s = (struct wb_price_search){0};
}

static double proposal(const struct wb_price_search *s, size_t limit)
{
  return s->proposed != NULL ? fmax(s->proposed[limit], 0) : 0;
}

/* Makes the price of a limit greater, and what its edges gain less. False where a number does not
 * fit. */
static bool add_to_price(struct wb_price_search *s, size_t limit, int64_t more)
{
  const struct wb_flow_limit *it = &s->system->limits[limit];
  if (!wb_add_signed(s->price[limit], more, &s->price[limit]))
    return false;
  for (size_t t = 0; t < it->term_count; t++) {
    const struct wb_flow_term *term = &s->system->terms[it->first_term + t];
    int64_t *gain = &s->ways.gain[term->edge];
    int64_t paid;
    if (!wb_multiply_signed(more, term->factor, &paid) || !wb_subtract_signed(*gain, paid, gain))
      return false;
  }
  return true;
}

/* What each edge gains: the scaled cycles of its end less the prices paid. */
static bool price_edges(struct wb_price_search *s, int64_t scale, double part,
                        enum wb_price_rounding rounding)
{
  const struct wb_flow_system *system = s->system;
  memset(s->price, 0, system->limit_count * sizeof *s->price);
  for (size_t e = 0; e < system->edge_count; e++) {
    if (!wb_multiply_signed(s->free ? 0 : scale, system->cycles[system->to[e]], &s->ways.gain[e]))
      return false;
  }
  for (size_t l = 0; l < system->limit_count; l++) {
    const double exact = proposal(s, l) * (double)scale * (1 + part);
    if (!(exact < 0x1p62))
      return false;
    const double rounded = rounding == WB_PRICE_ABOVE ? ceil(exact - 1e-6) : floor(exact + 0.5);
    if (!add_to_price(s, l, (int64_t)rounded))
      return false;
  }
  return true;
}

bool wb_price_search_round(struct wb_price_search *s, int64_t scale, double part,
                           enum wb_price_rounding rounding)
{
  return price_edges(s, scale, part, rounding) &&
         wb_potentials_find(&s->ways) == WB_POTENTIALS_FOUND;
}

/* ---- raising ---- */

/* What a cycle gains, and the factors of limits along it, into net. */
static bool sum_cycle(struct wb_price_search *s, size_t from, size_t to, int64_t *gain)
{
  *gain = 0;
  for (size_t i = from; i < to; i++) {
    const uint32_t edge = s->ways.cycles[i];
    if (!wb_add_signed(*gain, s->ways.gain[edge], gain))
      return false;
    for (size_t t = s->first[edge]; t < s->first[edge + 1]; t++) {
      int64_t *net = &s->net[s->term[t].limit];
      if (!wb_add_signed(*net, s->term[t].factor, net))
        return false;
    }
  }
  return true;
}

/* The limit that the cycle is to pay more for; NONE where it brings none nearer. Clears net. */
static size_t choose_limit(struct wb_price_search *s, size_t from, size_t to, int64_t *factor)
{
  size_t best = NONE;
  double most = -1;
  for (size_t i = from; i < to; i++) {
    const uint32_t edge = s->ways.cycles[i];
    for (size_t t = s->first[edge]; t < s->first[edge + 1]; t++) {
      const size_t limit = s->term[t].limit;
      const int64_t net = s->net[limit];
      const double paid = (double)net * proposal(s, limit);
      s->net[limit] = 0;
      if (net <= 0 || paid < most || (paid <= most && limit > best))
        continue;
      best = limit;
      most = paid;
      *factor = net;
    }
  }
  return best;
}

/* The cycle gains nothing afterwards. */
static bool close_cycle(struct wb_price_search *s, size_t from, size_t to)
{
  int64_t gain;
  int64_t factor = 1;
  const bool fits = sum_cycle(s, from, to, &gain);
  const size_t limit = choose_limit(s, from, to, &factor);
  if (!fits)
    return false;
  if (gain <= 0) /* another cycle has seen to it */
    return true;
  if (limit == NONE) {
    s->unlimited = true;
    return false;
  }
  const int64_t missing = gain / factor + (gain % factor > 0);
  const uint32_t doublings = s->raised[limit]++ / PATIENCE;
  int64_t more;
  return doublings <= MOST_DOUBLINGS &&
         wb_multiply_signed(missing, INT64_C(1) << doublings, &more) &&
         add_to_price(s, limit, more);
}

bool wb_price_search_raise(struct wb_price_search *s, int64_t scale)
{
  if (!price_edges(s, scale, 0, WB_PRICE_ABOVE))
    return false;
  memset(s->raised, 0, s->system->limit_count * sizeof *s->raised);
  for (unsigned round = 0; round < ROUNDS; round++) {
    const enum wb_potentials_outcome outcome = wb_potentials_find(&s->ways);
    if (outcome != WB_POTENTIALS_GAINING)
      return outcome == WB_POTENTIALS_FOUND;
    for (size_t c = 0; c < s->ways.cycle_count; c++) {
      if (!close_cycle(s, c > 0 ? s->ways.cycle_end[c - 1] : 0, s->ways.cycle_end[c]))
        return false;
    }
  }
  return false;
}
