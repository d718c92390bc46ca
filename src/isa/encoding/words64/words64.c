/* Words of 64 bits (Maxwell and Pascal): the family, its forms and the texts of all its tables. */
#include "isa/encoding/words64/words64.h"

static const struct wb_word_form forms[] = {
    {'R', 0x5c00, 0xff00}, /* B is a register */
    {'I', 0x3800, 0xfe00}, /* B is an immediate */
    {'C', 0x4c00, 0xff00}, /* B is a constant */
};

static const struct wb_word_text texts[] = {
    {"ra", "{R 8}", NULL},
};

static const struct wb_word_table *const tables[] = {
    &wb_words64_integer, &wb_words64_float,  &wb_words64_conversion,
    &wb_words64_video,   &wb_words64_memory, &wb_words64_texture,
    &wb_words64_control, &wb_words64_warp,   &wb_words64_graphics,
};

const struct wb_word_family wb_words64 = {
    .bits = 64,
    .opcode_at = 48,
    .opcode_width = 16,
    .guard_at = 16,
    .forms = forms,
    .form_count = sizeof forms / sizeof *forms,
    .texts = texts,
    .text_count = sizeof texts / sizeof *texts,
    .tables = tables,
    .table_count = sizeof tables / sizeof *tables,
};
