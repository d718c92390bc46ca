/* Whether the shared memory of a block that is known of is all that its code needs. */
#include "analysis/launch/launch_steps.h"

#include "isa/access_kind.h"

#include <inttypes.h>

/* How an access stands to shared memory. */
enum shared_use {
  SHARED_NOT,
  SHARED_PERHAPS, /* through a generic address, or by a copy of blocks */
  SHARED_SURELY
};

static enum shared_use use_of(const struct wb_function *function, const struct wb_access *access)
{
  const struct wb_access_kind *kind = wb_access_kind_of(
      (enum wb_opcode)function->instructions[access->instruction].number);
  if (kind->action == WB_ACTION_UNLISTED)
    return SHARED_PERHAPS;
  if (kind->action == WB_ACTION_COPY)
    return SHARED_SURELY;
  if (kind->action == WB_ACTION_BULK)
    return kind->space == WB_SPACE_TEXTURE ? SHARED_NOT : SHARED_PERHAPS;
  if (kind->space == WB_SPACE_SHARED)
    return SHARED_SURELY;
  return kind->space == WB_SPACE_GENERIC ? SHARED_PERHAPS : SHARED_NOT;
}

/* Code outside of the file may access anything. */
static bool calls_outside(const struct wb_function *function)
{
  for (size_t i = 0; i < function->instruction_count; i++) {
    if (function->instructions[i].transfer == WB_TRANSFER_CALL_OUTSIDE)
      return true;
  }
  return false;
}

/* Static shared memory of a block: its bytes, and the address after its last one. From sm_90 on
 * what the system reserves comes first. */
static uint64_t static_bytes(const struct wb_launch_analysis *analysis, uint64_t *end)
{
  const uint64_t said = analysis->needs.static_shared;
  const uint64_t reserved =
      wb_device_number(analysis->device, analysis->device->residency.shared_reserved);
  const bool first = analysis->function->sm >= 90;
  *end = analysis->needs.shared_includes_reserve || !first ? said : said + reserved;
  if (!analysis->needs.shared_includes_reserve)
    return said;
  return said > reserved ? said - reserved : 0;
}

warpbound_status wb_shared_needs_check(const struct wb_launch_question *question,
                                       struct wb_launch_analysis *analysis, warpbound_error *error)
{
  uint64_t end;
  const uint64_t bytes = static_bytes(analysis, &end) + analysis->needs.dynamic_shared;
  bool perhaps = calls_outside(analysis->function);
  for (size_t a = 0; a < analysis->accesses.count; a++) {
    const struct wb_access *access = &analysis->accesses.items[a];
    const enum shared_use use = use_of(analysis->function, access);
    const bool beyond = use == SHARED_SURELY && access->shared_end > end;
    if (beyond && bytes == 0) {
      const struct wb_function *function = analysis->function;
      const struct wb_instruction *at = &function->instructions[access->instruction];
      return wb_fail_at(
          error, WARPBOUND_FACTS_MISSING, analysis->code->name, at->line, at->column,
          "%.100s: %.40s at 0x%04" PRIx32 " accesses shared memory, of which a block has "
          "0 bytes: give what the launch asks for with --dynamic-shared BYTES%s%s",
          function->name, at->opcode, at->address, question->has_dynamic_shared ? " above 0" : "",
          function->static_shared == UINT32_MAX
              ? ", or what the code has with --static-shared BYTES"
              : "");
    }
    perhaps = perhaps || beyond || use == SHARED_PERHAPS;
  }
  if (perhaps && !question->has_dynamic_shared)
    wb_list_add(&analysis->assumptions,
                "no dynamic shared memory: --dynamic-shared was not given, and accesses to shared "
                "memory are not all shown to lie in the static one");
  return WARPBOUND_OK;
}
