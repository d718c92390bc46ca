/* Words of 64 bits (Maxwell and Pascal): attributes, vertices, pixels. */
#include "isa/encoding/words64/words64.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

static const struct wb_word_text texts[] = {{0}};

static const struct wb_word_row rows[] = {{0}};

const struct wb_word_table wb_words64_graphics = {rows, ROW_COUNT, texts, TEXT_COUNT};
