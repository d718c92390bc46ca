/* The writer of flow fact files. */
#include "formats/flow_facts/flow_facts_file.h"

#include <inttypes.h>
#include <string.h>

/* In quotes where the word would end early otherwise. */
static void write_word(const char *word, struct wb_text *text)
{
  bool quoted = strpbrk(word, " \t\r#") != NULL || word[0] == '\0';
  wb_text_format(text, quoted ? "\"%s\"" : "%s", word);
}

void wb_flow_facts_write_place(const struct wb_place *place, struct wb_text *text)
{
  struct wb_text word = {0};
  wb_text_string(&word, "");
  if (place->has_address)
    wb_text_format(&word, "0x%04" PRIx32 "%s", place->address, place->file != NULL ? "@" : "");
  if (place->file != NULL)
    wb_text_format(&word, "%s:%" PRIu32, place->file, place->source_line);
  if (place->label != NULL)
    wb_text_string(&word, place->label);
  if (word.failed)
    text->failed = true;
  else
    write_word(word.data, text);
  wb_text_free(&word);
}

void wb_flow_facts_write_kernel(const char *kernel, uint64_t checksum, struct wb_text *text)
{
  wb_text_format(text, "\n%s ", wb_choice_name(wb_flow_facts_words, WB_FLOW_FACTS_KERNEL));
  write_word(kernel, text);
  wb_text_format(text, "\n%s 0x%016" PRIx64 "\n",
                 wb_choice_name(wb_flow_facts_words, WB_FLOW_FACTS_CHECKSUM), checksum);
}

void wb_flow_facts_write_fact(const struct wb_flow_fact *fact, const struct wb_place *places,
                              struct wb_text *text)
{
  bool counted = fact->kind == WB_FACT_LOOP || fact->kind == WB_FACT_RUNS;
  bool never = fact->kind == WB_FACT_RUNS && fact->number == 0 && fact->place_count == 1;
  wb_text_format(text, "%s ", wb_choice_name(wb_flow_facts_words, (int)fact->kind));
  wb_flow_facts_write_place(&places[0], text);
  if (never)
    wb_text_string(text, " never");
  else if (counted)
    wb_text_format(text, " %s %" PRIu64, fact->kind == WB_FACT_LOOP ? "bound" : "at most",
                   fact->number);
  for (size_t p = 1; p < fact->place_count; p++) {
    wb_text_string(text, counted ? " per entry of " : " ");
    wb_flow_facts_write_place(&places[p], text);
  }
  if (!never)
    wb_text_format(text, " per %s", fact->per_warp ? "warp" : "thread");
  wb_text_string(text, "\n");
}

void wb_flow_facts_write_open_loop(const struct wb_place *place, struct wb_text *text)
{
  wb_text_format(text, "%s ", wb_choice_name(wb_flow_facts_words, WB_FACT_LOOP));
  wb_flow_facts_write_place(place, text);
  wb_text_string(text, " bound ?\n");
}
