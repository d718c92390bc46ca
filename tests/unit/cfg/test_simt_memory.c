/* The abstract interpretation when memory runs out: every allocation is made to fail in turn. */
#include "failing_analysis.h"
#include "groups/simt_text.h"
#include "unit.h"

static void fail_each(const struct wb_simt_options *options)
{
  FREED_BY(wb_code_free) struct wb_code code;
  /* A bit of everything that is stored. */
  simt_text_make(
      simt_lines("TID R0; SETP P0 R0; SSY join; PBK end; BRX R0 a b = b; a: CAL f; @P0 BRK; LDG R2 "
                 "R1; b: @P0 BRA a; SSY b; @P0 BRK; end: JCAL vprintf; SYNC = a; join: @P0 EXIT; "
                 "EXIT; f: @P0 RET; @!P0 CAL f; MYSTERY; RET"),
      &code);
  failing_analysis(&code, options, 2);
}

TEST(failing_allocations_are_reported)
{
  fail_each(&(struct wb_simt_options){0});
  fail_each(&(struct wb_simt_options){.acyclic_stack = true, .no_groups = true});
}
