#include "binary/listing/code_words.h"

#include "binary/listing/code_operands.h"

#include <string.h>

/* The stall count and a bit above it: none of both fills up behind the code; the bit alone, in
 * words of 64 bits, issues the next instruction together with this one. */
static enum wb_issue issue_of(const struct wb_listed_code *code,
                              const struct wb_listed_section *section, size_t w,
                              const uint64_t word[2])
{
  unsigned bits = (unsigned)(word[1] >> (code->word_size == 16 ? 41 : 0)) & 0x1f;
  if (code->word_size == 8 && w % WB_CONTROL_PERIOD == 0)
    return WB_ISSUE_CONTROL;
  size_t last =
      w - (w % WB_CONTROL_PERIOD == 1 ? 2 : 1); /* behind a control word the one before it */
  if (code->word_size == 8 && w > 1 && section->words[last].issue == WB_ISSUE_WITH_NEXT)
    return WB_ISSUE_WITH_LAST;
  if (code->word_size == 8 && bits == 0x10)
    return WB_ISSUE_WITH_NEXT;
  return bits == 0 ? WB_ISSUE_UNSPECIFIED : WB_ISSUE_PLAIN;
}

static void append_target(struct wb_listed_code *code, struct wb_listed_section *section,
                          struct wb_listed_word *listed, const struct wb_decoded_word *decoded)
{
  struct wb_text *texts = &code->texts;
  size_t before = texts->length;
  wb_text_string(texts, "`(");
  if (wb_listed_append_name(code, section, decoded->target, texts)) {
    wb_text_string(texts, ")");
    if (decoded->target % code->word_size == 0 && decoded->target < section->section->size)
      listed->target = (uint32_t)(decoded->target / code->word_size) + 1;
    return;
  }
  texts->length = before;
  wb_text_append(texts, decoded->text + decoded->target_place, decoded->target_length);
}

static void append_text(struct wb_listed_code *code, struct wb_listed_section *section,
                        struct wb_listed_word *listed, const struct wb_decoded_word *decoded)
{
  struct wb_text *texts = &code->texts;
  if (!decoded->has_target) {
    wb_text_append(texts, decoded->text, decoded->length);
    return;
  }
  size_t behind = decoded->target_place + decoded->target_length;
  wb_text_append(texts, decoded->text, decoded->target_place);
  append_target(code, section, listed, decoded);
  wb_text_append(texts, decoded->text + behind, decoded->length - behind);
}

/* relocation: the one that fills an operand of the word, or NULL. */
static void decode(struct wb_listed_code *code, struct wb_listed_section *section, size_t w,
                   const struct wb_cubin_relocation *relocation)
{
  struct wb_listed_word *listed = &section->words[w];
  uint64_t word[2];
  wb_listed_bits(code, section, w, word);
  listed->issue = (uint16_t)issue_of(code, section, w, word);
  listed->text = code->texts.length;
  if (listed->issue == WB_ISSUE_CONTROL)
    return;
  struct wb_decoded_word decoded;
  wb_word_decode(code->decoder, word, w * code->word_size, &decoded);
  if (relocation != NULL)
    wb_listed_append_relocated(code, relocation, word, &decoded);
  else
    append_text(code, section, listed, &decoded);
  if (decoded.blank_behind)
    wb_text_string(&code->texts, " ");
  listed->length = (uint32_t)(code->texts.length - listed->text);
  /* A uniform guard is not set apart. */
  bool uniform = memchr(decoded.text, 'U', decoded.guard_length) != NULL;
  listed->guard_length = (uint16_t)(uniform ? 0 : decoded.guard_length);
}

void wb_listed_decode(struct wb_listed_code *code)
{
  for (size_t c = 0; c < code->section_count; c++) {
    struct wb_listed_section *section = &code->sections[c];
    const struct wb_cubin_slice *slice = &section->section->relocations;
    const struct wb_cubin_relocation *next = code->cubin->relocations + slice->first;
    const struct wb_cubin_relocation *end = next + slice->count;
    for (size_t w = 0; w < section->word_count && code->texts.length <= code->limit; w++) {
      uint64_t behind = (uint64_t)(w + 1) * code->word_size;
      const struct wb_cubin_relocation *relocation = NULL;
      for (; next < end && next->offset < behind; next++)
        relocation = wb_listed_fills_operand(code, next) ? next : relocation;
      decode(code, section, w, relocation);
    }
  }
}
