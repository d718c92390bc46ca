/* Where the number of a loop without a bound is lost, and which loops only wait. */
#include "bounded_listing.h"
#include "flow/definitions/address_base.h"
#include "flow/loop_bounds/loop_losses.h"
#include "isa/opcode.h"
#include "rows.h"
#include "unit.h"

/* Listing, bounds and definitions of a row. */
struct made {
  struct wb_code code;
  struct bounded_function bounded;
  struct wb_definitions definitions;
};

static void make(unsigned sm, const char *lines, struct made *made)
{
  listing_of(sm, lines, &made->code);
  assert_true(bounded_make(&made->code, &made->code.functions[0], NULL, &made->bounded));
  assert_true(wb_definitions_make(made->bounded.graph, &made->definitions));
}

static void made_free(struct made *made)
{
  wb_definitions_free(&made->definitions);
  bounded_free(&made->bounded);
  wb_code_free(&made->code);
}

static bool loss_is(struct made *made, const char *kind, uint64_t address, const char *spins)
{
  static const char *const kinds[] = {[WB_LOSS_CONSTANT] = "constant",
                                      [WB_LOSS_SIZE] = "size",
                                      [WB_LOSS_LOAD] = "load",
                                      [WB_LOSS_ATOMIC] = "atomic",
                                      [WB_LOSS_CLOCK] = "clock",
                                      [WB_LOSS_OPCODE] = "opcode",
                                      [WB_LOSS_TEST] = NULL};
  static const struct {
    unsigned spin;
    const char *name;
  } names[] = {{WB_SPIN_CAS, "+cas"},
               {WB_SPIN_ATOMIC, "+atomic"},
               {WB_SPIN_LOAD, "+load"},
               {WB_SPIN_CLOCK, "+clock"}};
  struct wb_loop_loss loss;
  char found[40] = "";
  assert_int_equal(made->bounded.forest.loop_count, 1);
  assert_true(wb_loop_loss_find(&made->definitions, &made->bounded.forest, 0, NULL, &loss));
  unsigned unnamed = loss.spins;
  for (size_t n = 0; n < COUNT_OF(names); n++) {
    strcat(found, (loss.spins & names[n].spin) != 0 ? names[n].name : "");
    unnamed &= ~names[n].spin;
  }
  return kinds[loss.kind] != NULL && strcmp(kinds[loss.kind], kind) == 0 && unnamed == 0 &&
         strcmp(found[0] != '\0' ? found + 1 : "-", spins) == 0 &&
         made->bounded.function->instructions[loss.instruction].address == address;
}

/* Whether the address of the last load is based on the parameter at that offset. */
static bool is_based(struct made *made, uint32_t parameter)
{
  const struct wb_warp_graph *graph = made->bounded.graph;
  bool based = false;
  for (uint32_t b = 0; b < graph->block_count; b++)
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++)
      if (wb_instruction_loads(&made->bounded.function->instructions[i]))
        based = wb_address_base(&made->definitions, NULL, b, i) == parameter;
  return based;
}

/* A row of loop_losses.txt, which says what its words mean. */
static bool row_holds(char *const *words, size_t count, char *lines)
{
  FREED_BY(made_free) struct made made;
  if (count != 4)
    return false;
  make((unsigned)strtoul(words[0] + strlen("sm_"), NULL, 10), lines, &made);
  const uint64_t number = strtoull(words[2], NULL, 0);
  if (strcmp(words[1], "base") == 0)
    return is_based(&made, (uint32_t)number) == (strcmp(words[3], "based") == 0);
  return loss_is(&made, words[1], number, words[3]);
}

TEST(rows)
{
  rows_check("unit/flow/loop_losses.txt", 31, row_holds);
}

/* Beyond the budget less is claimed: no loop waits. */
TEST(budget)
{
  for (uint64_t budget = 0; budget < 40; budget++) {
    FREED_BY(made_free) struct made made;
    struct wb_loop_loss loss;
    make(75,
         "loop:; LDG.E.SYS R4, [R2]; IADD3 R2, R2, R4, RZ; ISETP.NE.AND P0, PT, R4, RZ, PT; "
         "@P0 BRA loop",
         &made);
    made.definitions.budget = budget;
    assert_true(wb_loop_loss_find(&made.definitions, &made.bounded.forest, 0, NULL, &loss));
    assert_int_equal(loss.spins, 0);
  }
}
