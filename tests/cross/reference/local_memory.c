#include "local_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct local_byte *byte_at(struct local_memory *memory, uint32_t address)
{
  for (size_t b = 0; b < memory->count; b++) {
    if (memory->bytes[b].address == address)
      return &memory->bytes[b];
  }
  return NULL;
}

static void store_byte(struct local_memory *memory, uint32_t address, uint8_t value)
{
  struct local_byte *byte = byte_at(memory, address);
  /* Where there is no room, an older one holds anything. */
  if (byte == NULL)
    byte = memory->count < LOCAL_BYTES ? &memory->bytes[memory->count++] : &memory->bytes[0];
  *byte = (struct local_byte){address, value};
}

/* "[R10+0x8]", "[R10+-0x8]", "[R10]", "[0x10]". */
static bool address_of(const char *text, const uint32_t *registers, uint32_t *address)
{
  unsigned number;
  int read = 0;
  *address = 0;
  if (sscanf(text, "[R%u%n", &number, &read) == 1 && read > 0) {
    *address = registers[number];
    text += read;
    if (strcmp(text, "]") == 0)
      return true;
    if (*text++ != '+')
      return false;
  } else if (*text++ != '[') {
    return false;
  }
  char *end;
  *address += (uint32_t)strtol(text, &end, 16);
  return end != text && strcmp(end, "]") == 0;
}

static unsigned bytes_of(const char *opcode)
{
  return strstr(opcode, ".64") != NULL                                      ? 8
         : strstr(opcode, ".128") != NULL                                   ? 16
         : strstr(opcode, ".U8") != NULL || strstr(opcode, ".S8") != NULL   ? 1
         : strstr(opcode, ".U16") != NULL || strstr(opcode, ".S16") != NULL ? 2
                                                                            : 4;
}

bool local_memory_execute(struct local_memory *memory, const char *opcode, const char *operands,
                          uint32_t *registers, struct wb_random *random)
{
  const bool loads = strncmp(opcode, "LDL", 3) == 0;
  const bool stores = strncmp(opcode, "STL", 3) == 0;
  const unsigned bytes = bytes_of(opcode);
  char first[32];
  char second[32];
  uint32_t address;
  unsigned number;
  if (strncmp(opcode, "ST.", 3) == 0 && memory->count > 0 && wb_random_below(random, 2) == 0)
    memory->bytes[wb_random_below(random, memory->count)].value = (uint8_t)wb_random_next(random);
  if (!loads && !stores)
    return false;
  const bool two = sscanf(operands, "%31[^,], %31s", first, second) == 2;
  if (!two || !address_of(loads ? second : first, registers, &address)) {
    memory->count = stores ? 0 : memory->count; /* anywhere */
    return false;
  }
  const char *data = loads ? first : second;
  const bool zero = strncmp(data, "RZ", 2) == 0;
  if (!zero && sscanf(data, "R%u", &number) != 1)
    return false;
  for (unsigned b = 0; b < bytes && stores; b++)
    store_byte(memory, address + b,
               (uint8_t)(zero ? 0 : registers[number + b / 4] >> (8 * (b % 4))));
  for (unsigned b = 0; b < bytes && loads && !zero && bytes >= 4; b++) {
    const struct local_byte *byte = byte_at(memory, address + b);
    const uint32_t value = byte != NULL ? byte->value : (uint32_t)wb_random_below(random, 256);
    uint32_t *to = &registers[number + b / 4];
    *to = (*to & ~(UINT32_C(0xff) << (8 * (b % 4)))) | value << (8 * (b % 4));
  }
  return loads && bytes >= 4;
}
