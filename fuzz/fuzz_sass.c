/* Fuzz target: the SASS front end bears any bytes, says where what it refuses is, and what it
 * makes holds together. */
#include "frontend/sass/sass_front_end.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Not assert: it must hold in release builds too. */
static void require(bool holds, const char *what)
{
  if (holds)
    return;
  fprintf(stderr, "fuzz_sass: violated: %s\n", what);
  abort();
}

static void check_instruction(const struct wb_function *function,
                              const struct wb_instruction *instruction)
{
  require(instruction->unit < WB_UNIT_COUNT, "the unit is one");
  require(instruction->transfer <= WB_TRANSFER_UNSUPPORTED, "the transfer is one");
  require(instruction->token < WB_TOKEN_COUNT, "the token is one");
  require(instruction->line >= 1 && instruction->column >= 1, "instructions have a place");
  require((size_t)instruction->first_target + instruction->target_count <= function->target_count,
          "targets are in the function's list");
  require((size_t)instruction->first_annotation + instruction->annotation_count <=
              function->target_count,
          "annotations are in the function's list");
  require((size_t)instruction->first_read + instruction->read_count <= function->span_count &&
              (size_t)instruction->first_write + instruction->write_count <= function->span_count,
          "registers are in the function's list");
  require((instruction->transfer != WB_TRANSFER_BRANCH &&
           instruction->transfer != WB_TRANSFER_PUSH &&
           instruction->transfer != WB_TRANSFER_CALL) ||
              instruction->target_count == 1,
          "branches, pushes and calls have one target");
  require(instruction->transfer != WB_TRANSFER_CALL_OUTSIDE || instruction->callee != NULL,
          "calls to elsewhere name it");
  require(!instruction->unknown || instruction->assumption != NULL, "what is not known is said");
}

static void check_function(const struct wb_function *function)
{
  require(function->instruction_count > 0, "functions have instructions");
  for (size_t i = 0; i < function->instruction_count; i++) {
    check_instruction(function, &function->instructions[i]);
    require(i == 0 || function->instructions[i - 1].address < function->instructions[i].address,
            "addresses ascend");
  }
  for (size_t t = 0; t < function->target_count; t++)
    require(function->targets[t] < function->instruction_count, "targets are in the function");
  for (size_t s = 0; s < function->span_count; s++)
    require(function->spans[s].count > 0 &&
                function->spans[s].first + function->spans[s].count <= WB_REGISTER_COUNT,
            "registers are those of the machine");
  for (size_t s = 0; s < function->symbol_count; s++)
    require(function->symbols[s].index < function->instruction_count &&
                (s == 0 || function->symbols[s - 1].index <= function->symbols[s].index),
            "symbols are in the function, in order");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct wb_code code;
  warpbound_error error = {0};
  const char *text = (const char *)data;
  wb_sass_detect(text, size);
  const warpbound_status status = wb_sass_parse("fuzz", text, size, NULL, &code, &error);
  if (status != WARPBOUND_OK) {
    require(status == WARPBOUND_INVALID_INPUT, "the input is to blame");
    require(error.message[0] != '\0', "errors have a message");
    require(error.line >= 1 && error.column >= 1, "errors have a place");
    require(code.functions == NULL && code.names.blocks == NULL, "nothing is left of a failure");
    return 0;
  }
  for (size_t f = 0; f < code.function_count; f++)
    check_function(&code.functions[f]);
  wb_code_free(&code);
  return 0;
}
