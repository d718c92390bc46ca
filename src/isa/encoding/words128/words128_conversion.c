/* Words of 128 bits (Volta and later): conversions between formats. */
#include "isa/encoding/words128/words128.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

static const struct wb_word_text texts[] = {{0}};

static const struct wb_word_row rows[] = {{0}};

const struct wb_word_table wb_words128_conversion = {rows, ROW_COUNT, texts, TEXT_COUNT};
