/* The programs themselves: their items, their text, their shrinking. simt_statements.c makes
 * them. */
#include "random_simt_program.h"

#include "base/memory.h"
#include "frontend/sass/sass_front_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every fourth word, from the first on, is a control word. */
static uint64_t address_of(uint64_t item)
{
  return 8 * (item + item / 3 + 1);
}

static uint64_t target_address(const struct random_program *program, uint32_t label)
{
  return address_of(program->labels[label]);
}

static void print_target(const struct random_program *program, enum simt_form form, uint32_t label,
                         struct wb_text *text)
{
  if (form == SIMT_NVDISASM)
    wb_text_format(text, "`(.L_x_%u)", program->labels[label]);
  else
    wb_text_format(text, "0x%llx", (unsigned long long)target_address(program, label));
}

static void print_operation(const struct random_program *program, enum simt_form form,
                            const struct program_item *item, struct wb_text *text)
{
  for (const char *at = simt_operation_row((enum simt_operation)item->operation)->text; *at != '\0';
       at++) {
    if (*at == '$')
      wb_text_format(text, "%u", simt_general(item->operands[*++at - '0']));
    else if (*at == '#')
      wb_text_format(text, "%u", simt_pair(item->operands[*++at - '0']));
    else if (*at == '%')
      wb_text_format(text, "%u", simt_predicate(item->operands[*++at - '0']));
    else if (*at == '&')
      print_target(program, form, item->first_label, text);
    else if (*at == '~')
      wb_text_string(text, form == SIMT_NVDISASM ? "`(outside)" : "0x0");
    else
      wb_text_append(text, at, 1);
  }
}

static void print_encoding(enum simt_form form, uint64_t number, struct wb_text *text)
{
  struct wb_random bits = {number};
  if (form == SIMT_CUOBJDUMP_ENCODED)
    wb_text_format(text, "  /* 0x%016llx */", (unsigned long long)wb_random_next(&bits));
}

static void print_item(const struct random_program *program, enum simt_form form, size_t index,
                       struct wb_text *text)
{
  const struct program_item *item = &program->items[index];
  if (form == SIMT_CUOBJDUMP_ENCODED && index % 3 == 0) {
    wb_text_fill(text, ' ', 40);
    print_encoding(form, index, text);
    wb_text_string(text, "\n");
  }
  char guard[8] = "";
  if (item->guard != PROGRAM_NO_GUARD)
    snprintf(guard, sizeof guard, "@%sP%u", item->negated ? "!" : "", simt_predicate(item->guard));
  wb_text_format(text, "        /*%04llx*/  %16s  ", (unsigned long long)address_of(index), guard);
  print_operation(program, form, item, text);
  if (form == SIMT_NVDISASM && item->operation == SIMT_BRANCH_INDEXED) {
    for (uint32_t l = 0; l < item->label_count; l++)
      wb_text_format(text, "%s.L_x_%u", l == 0 ? " (*\"BRANCH_TARGETS " : ",",
                     program->labels[item->first_label + l]);
    wb_text_string(text, "\"*)");
  }
  wb_text_string(text, form == SIMT_NVDISASM ? ";" : " ;");
  print_encoding(form, UINT64_MAX - index, text);
  wb_text_string(text, "\n");
}

static void print_nvdisasm(const struct random_program *program, struct wb_text *text)
{
  bool *labelled = wb_allocate(program->count, sizeof *labelled);
  if (labelled == NULL)
    abort();
  for (size_t l = 0; l < program->label_count; l++) {
    if (program->labels[l] < program->count)
      labelled[program->labels[l]] = true;
  }
  wb_text_string(text, "\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS "
                       "EF_CUDA_SM52 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM52)\"\n"
                       "\t.elftype\t@\"ET_EXEC\"\n\n"
                       "//--------------------- .text.kernel --------------------------\n"
                       "\t.section\t.text.kernel,\"ax\",@progbits\n"
                       "\t.sectioninfo\t@\"SHI_REGISTERS=8\"\n"
                       "\t.align\t32\n"
                       "        .global         kernel\n"
                       "        .type           kernel,@function\n"
                       "        .size           kernel,(.L_end - kernel)\n"
                       "        .other          kernel,@\"STO_CUDA_ENTRY STV_DEFAULT\"\n"
                       "kernel:\n"
                       ".text.kernel:\n");
  for (size_t i = 0; i < program->count; i++) {
    if (labelled[i])
      wb_text_format(text, ".L_x_%zu:\n", i);
    print_item(program, SIMT_NVDISASM, i, text);
  }
  wb_text_string(text, ".L_end:\n");
  free(labelled);
}

void simt_program_print(const struct random_program *program, enum simt_form form,
                        struct wb_text *text)
{
  if (form == SIMT_NVDISASM) {
    print_nvdisasm(program, text);
    return;
  }
  wb_text_string(text, "\n\tcode for sm_52\n\t\tFunction : kernel\n"
                       "\t.headerflags    @\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n");
  for (size_t i = 0; i < program->count; i++)
    print_item(program, form, i, text);
  wb_text_string(text, "\t\t..........\n\n");
}

/* The targets of every indexed branch, as a user would give them. The caller frees *addresses
 * and the result. */
static struct wb_sass_targets *targets_of(const struct random_program *program, size_t *count,
                                          uint64_t **addresses)
{
  struct wb_sass_targets *targets = wb_allocate(program->count, sizeof *targets);
  *addresses = wb_allocate(program->label_count, sizeof **addresses);
  *count = 0;
  if (targets == NULL || *addresses == NULL)
    abort();
  for (size_t l = 0; l < program->label_count; l++)
    (*addresses)[l] = target_address(program, (uint32_t)l);
  for (size_t i = 0; i < program->count; i++) {
    const struct program_item *item = &program->items[i];
    if (item->operation == SIMT_BRANCH_INDEXED)
      targets[(*count)++] = (struct wb_sass_targets){.address = address_of(i),
                                                     .targets = *addresses + item->first_label,
                                                     .target_count = item->label_count};
  }
  return targets;
}

warpbound_status simt_program_parse(const struct random_program *program, enum simt_form form,
                                    struct wb_code *code, warpbound_error *error)
{
  struct wb_sass_options options = {0};
  uint64_t *addresses = NULL;
  struct wb_sass_targets *targets = NULL;
  if (form != SIMT_NVDISASM)
    targets = targets_of(program, &options.target_count, &addresses);
  options.targets = targets;
  struct wb_text text = {0};
  simt_program_print(program, form, &text);
  if (text.failed)
    abort();
  const warpbound_status status =
      wb_sass_parse("random.sass", text.data, text.length, &options, code, error);
  wb_text_free(&text);
  free(targets);
  free(addresses);
  return status;
}
