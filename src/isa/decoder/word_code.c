#include "isa/decoder/word_code.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void wb_word_code_free(struct wb_word_code *code)
{
  free(code->steps);
  free(code->fields);
  free(code->choices);
  free(code->options);
  free(code->characters);
  *code = (struct wb_word_code){0};
}

bool wb_word_characters_append(struct wb_word_code *code, const char *characters, size_t length,
                               uint32_t *place)
{
  size_t needed = code->character_count + length + WB_WORD_PIECE;
  if (needed > UINT32_MAX || !wb_grow(code->characters, &code->character_capacity, needed))
    return false;
  *place = (uint32_t)code->character_count;
  if (length > 0)
    memcpy(code->characters + code->character_count, characters, length);
  code->character_count += length;
  memset(code->characters + code->character_count, 0, WB_WORD_PIECE);
  return true;
}
