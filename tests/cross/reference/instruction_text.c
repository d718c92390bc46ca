#include "instruction_text.h"

#include <string.h>

bool text_is_predicate(const char *text)
{
  text += *text == '!';
  text += *text == 'U';
  return text[0] == 'P' && (text[1] == 'T' || (text[1] >= '0' && text[1] <= '9')) &&
         text[2] == '\0';
}

void text_split(const char *opcode, const char *operands, struct instruction_text *parts)
{
  *parts = (struct instruction_text){.opcode = opcode};
  while (*operands != '\0' && parts->count < INSTRUCTION_OPERANDS) {
    const size_t whole = strcspn(operands, ",");
    char *to = parts->text[parts->count++];
    size_t length = 0;
    for (size_t i = 0; i < whole && length + 1 < INSTRUCTION_TEXT; i++) {
      if (operands[i] != ' ')
        to[length++] = operands[i];
    }
    to[length] = '\0';
    char *reuse = strstr(to, ".reuse");
    if (reuse != NULL)
      memmove(reuse, reuse + 6, strlen(reuse + 6) + 1);
    operands += whole + (operands[whole] == ',');
  }
}

const char *text_source(const struct instruction_text *parts, size_t which)
{
  return parts->outputs + which < parts->count ? parts->text[parts->outputs + which] : "";
}

bool text_is(const struct instruction_text *parts, const char *opcode)
{
  return strcmp(parts->opcode, opcode) == 0;
}

bool text_starts(const struct instruction_text *parts, const char *opcode)
{
  return strncmp(parts->opcode, opcode, strlen(opcode)) == 0;
}

bool text_has(const struct instruction_text *parts, const char *word)
{
  return strstr(parts->opcode, word) != NULL;
}
