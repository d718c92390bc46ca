/* Words of 128 bits (Volta and later): the family, its forms and the texts of all its tables. */
#include "isa/encoding/words128/words128.h"

static const struct wb_word_form forms[] = {
    {'1', 0x200, 0xe00}, /* B and C are registers */
    {'2', 0x400, 0xe00}, /* C is an immediate */
    {'3', 0x600, 0xe00}, /* C is a constant */
    {'4', 0x800, 0xe00}, /* B is an immediate */
    {'5', 0xa00, 0xe00}, /* B is a constant */
    {'6', 0xc00, 0xe00}, /* B is a uniform register */
    {'7', 0xe00, 0xe00}, /* C is a uniform register */
};

static const struct wb_word_text texts[] = {
    {"ra", "{R 24}{r 122}", NULL},
};

static const struct wb_word_table *const tables[] = {
    &wb_words128_integer,    &wb_words128_uniform, &wb_words128_float,  &wb_words128_half,
    &wb_words128_conversion, &wb_words128_tensor,  &wb_words128_memory, &wb_words128_texture,
    &wb_words128_async,      &wb_words128_control, &wb_words128_warp,
};

const struct wb_word_family wb_words128 = {
    .bits = 128,
    .opcode_at = 0,
    .opcode_width = 12,
    .guard_at = 12,
    .forms = forms,
    .form_count = sizeof forms / sizeof *forms,
    .texts = texts,
    .text_count = sizeof texts / sizeof *texts,
    .tables = tables,
    .table_count = sizeof tables / sizeof *tables,
};
