/* The writer of phases files. */
#include "formats/phases/phases_file.h"

#include "formats/machine/problem_members.h"

#include <inttypes.h>

void wb_phases_file_begin(const struct wb_problem *problem, uint64_t cycles, struct wb_text *text)
{
  wb_problem_members_write(WB_PHASES_FORMAT, problem, text);
  wb_text_format(text, " \"cycles\": %" PRIu64 ",\n \"proofs\": [\n", cycles);
}

void wb_phases_file_separate(size_t index, struct wb_text *text)
{
  wb_text_string(text, index > 0 ? "," : "");
}

void wb_phases_file_end(struct wb_text *text)
{
  wb_text_string(text, "]}\n");
}
