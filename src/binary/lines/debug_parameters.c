#include "binary/lines/debug_parameters.h"

#include "base/memory.h"
#include "base/text/ascii.h"
#include "binary/lines/dwarf_reader.h"

#include <stdlib.h>
#include <string.h>

enum {
  TAG_FORMAL_PARAMETER = 0x05,
  TAG_SUBPROGRAM = 0x2e,
  ATTRIBUTE_NAME = 0x03,
  ATTRIBUTE_LINKAGE_NAME = 0x6e,
  ATTRIBUTE_MIPS_LINKAGE_NAME = 0x2007, /* before version 4 */
  UNIT_COMPILE = 1
};

/* A function has fewer parameters, for they have 4 KB or 32,764 bytes together. */
enum { MOST_PARAMETERS = 32768 };

/* Attributes that are read for each byte of both sections, at most: many entries can be of one kind
 * of many attributes that have no bytes of their own, and many units of the same kinds. */
enum { ATTRIBUTES_OF_BYTE = 16, FREE_ATTRIBUTES = 1 << 16 };

/* How the entries of one kind are written: forms from here to a pair of zeros. */
struct abbreviation {
  uint64_t tag;
  bool children;
  const unsigned char *attributes;
};

/* A reading of .debug_info, unit by unit. */
struct reading {
  const struct wb_cubin_section *abbreviations; /* .debug_abbrev */
  const struct wb_cubin_section *strings;       /* .debug_str; NULL: there is none */
  const struct wb_cubin_section *line_strings;  /* .debug_line_str; NULL */
  struct wb_debug_parameters *parameters;
  uint64_t attributes_left; /* that may still be read */
  bool no_memory;

  struct wb_dwarf_reader in; /* what is left of the unit */
  unsigned version, offset_size, address_size;
  struct abbreviation *kinds; /* by number less 1 */
  size_t kind_count, kind_capacity;

  /* The entry at hand, and the function around it. */
  size_t depth;
  const char *name, *linkage_name;
  const char *function; /* NULL: none */
  size_t function_depth;
  size_t ordinal;
};

/* ---- kinds of entries ---- */

/* One attribute more; false where they are too many for sections of that size: no more is read. */
static bool take_attribute(struct reading *reading)
{
  reading->attributes_left -= reading->attributes_left > 0;
  return reading->attributes_left > 0;
}

/* Reads the kinds of a unit, which are numbered from 1 on without gaps as compilers write them; of
 * others those before the first gap. */
static void read_kinds(struct reading *reading, uint64_t offset)
{
  const struct wb_cubin_section *section = reading->abbreviations;
  reading->kind_count = 0;
  if (offset >= section->size)
    return;
  struct wb_dwarf_reader in = {.at = section->bytes + offset,
                               .end = section->bytes + section->size};
  while (!in.failed && !reading->no_memory &&
         wb_dwarf_take_sevens(&in, false) == reading->kind_count + 1) {
    struct abbreviation kind = {.tag = wb_dwarf_take_sevens(&in, false)};
    kind.children = wb_dwarf_take_number(&in, 1) != 0;
    kind.attributes = in.at;
    for (bool more = true; more && !in.failed;) {
      in.failed |= !take_attribute(reading);
      const uint64_t attribute = wb_dwarf_take_sevens(&in, false);
      const uint64_t form = wb_dwarf_take_sevens(&in, false);
      if (form == WB_DWARF_FORM_IMPLICIT_CONST)
        (void)wb_dwarf_take_sevens(&in, true);
      more = attribute != 0 || form != 0;
    }
    reading->no_memory |=
        !wb_grow(reading->kinds, &reading->kind_capacity, reading->kind_count + 1);
    if (!in.failed && !reading->no_memory)
      reading->kinds[reading->kind_count++] = kind;
  }
}

/* ---- entries ---- */

/* Bytes of a form that always has as many; 0: its length stands before it, or it has none. */
static unsigned bytes_of_form(const struct reading *reading, uint64_t form)
{
  switch (form) {
  case WB_DWARF_FORM_DATA1:
  case WB_DWARF_FORM_FLAG:
  case WB_DWARF_FORM_REF1:
  case WB_DWARF_FORM_STRX1:
  case WB_DWARF_FORM_ADDRX1:
    return 1;
  case WB_DWARF_FORM_DATA2:
  case WB_DWARF_FORM_REF2:
  case WB_DWARF_FORM_STRX2:
  case WB_DWARF_FORM_ADDRX2:
    return 2;
  case WB_DWARF_FORM_STRX3:
  case WB_DWARF_FORM_ADDRX3:
    return 3;
  case WB_DWARF_FORM_DATA4:
  case WB_DWARF_FORM_REF4:
  case WB_DWARF_FORM_STRX4:
  case WB_DWARF_FORM_ADDRX4:
    return 4;
  case WB_DWARF_FORM_DATA8:
  case WB_DWARF_FORM_REF8:
  case WB_DWARF_FORM_REF_SIG8:
    return 8;
  case WB_DWARF_FORM_DATA16:
    return 16;
  case WB_DWARF_FORM_ADDR:
    return reading->address_size;
  case WB_DWARF_FORM_REF_ADDR:
    return reading->version == 2 ? reading->address_size : reading->offset_size;
  case WB_DWARF_FORM_SEC_OFFSET:
    return reading->offset_size;
  default:
    return 0;
  }
}

/* Takes a value; its text, where it is one that is known. */
static const char *take_value(struct reading *reading, uint64_t form)
{
  struct wb_dwarf_reader *in = &reading->in;
  const unsigned bytes = bytes_of_form(reading, form);
  if (bytes > 0) {
    (void)wb_dwarf_take_bytes(in, bytes);
    return NULL;
  }
  switch (form) {
  case WB_DWARF_FORM_STRING:
    return wb_dwarf_take_string(in);
  case WB_DWARF_FORM_STRP:
    return wb_dwarf_string_at(reading->strings, wb_dwarf_take_number(in, reading->offset_size));
  case WB_DWARF_FORM_LINE_STRP:
    return wb_dwarf_string_at(reading->line_strings,
                              wb_dwarf_take_number(in, reading->offset_size));
  case WB_DWARF_FORM_BLOCK1:
    (void)wb_dwarf_take_bytes(in, wb_dwarf_take_number(in, 1));
    return NULL;
  case WB_DWARF_FORM_BLOCK2:
    (void)wb_dwarf_take_bytes(in, wb_dwarf_take_number(in, 2));
    return NULL;
  case WB_DWARF_FORM_BLOCK4:
    (void)wb_dwarf_take_bytes(in, wb_dwarf_take_number(in, 4));
    return NULL;
  case WB_DWARF_FORM_BLOCK:
  case WB_DWARF_FORM_EXPRLOC:
    (void)wb_dwarf_take_bytes(in, wb_dwarf_take_sevens(in, false));
    return NULL;
  case WB_DWARF_FORM_SDATA:
  case WB_DWARF_FORM_UDATA:
  case WB_DWARF_FORM_REF_UDATA:
  case WB_DWARF_FORM_STRX:
  case WB_DWARF_FORM_ADDRX:
  case WB_DWARF_FORM_LOCLISTX:
  case WB_DWARF_FORM_RNGLISTX:
    (void)wb_dwarf_take_sevens(in, false);
    return NULL;
  case WB_DWARF_FORM_FLAG_PRESENT:
  case WB_DWARF_FORM_IMPLICIT_CONST:
    return NULL;
  default:
    in->failed = true; /* of unknown length */
    return NULL;
  }
}

static void take_attributes(struct reading *reading, const struct abbreviation *kind)
{
  const struct wb_cubin_section *section = reading->abbreviations;
  struct wb_dwarf_reader forms = {.at = kind->attributes, .end = section->bytes + section->size};
  reading->name = reading->linkage_name = NULL;
  while (!reading->in.failed) {
    reading->in.failed |= !take_attribute(reading);
    const uint64_t attribute = wb_dwarf_take_sevens(&forms, false);
    const uint64_t form = wb_dwarf_take_sevens(&forms, false);
    if (form == WB_DWARF_FORM_IMPLICIT_CONST)
      (void)wb_dwarf_take_sevens(&forms, true);
    if (attribute == 0 && form == 0)
      return;
    const char *text = take_value(reading, form);
    if (attribute == ATTRIBUTE_NAME)
      reading->name = text;
    if (attribute == ATTRIBUTE_LINKAGE_NAME || attribute == ATTRIBUTE_MIPS_LINKAGE_NAME)
      reading->linkage_name = text;
  }
}

static bool is_identifier(const char *text)
{
  size_t length = 0;
  while (wb_is_alphanumeric(text[length]) || text[length] == '_')
    length++;
  return length > 0 && text[length] == '\0' && !wb_is_digit(text[0]);
}

static void add_parameter(struct reading *reading)
{
  struct wb_debug_parameters *parameters = reading->parameters;
  const size_t ordinal = reading->ordinal++;
  if (reading->name == NULL || !is_identifier(reading->name) || ordinal >= MOST_PARAMETERS)
    return;
  reading->no_memory |= !wb_grow(parameters->items, &parameters->capacity, parameters->count + 1);
  if (!reading->no_memory)
    parameters->items[parameters->count++] = (struct wb_debug_parameter){
        .function = reading->function, .name = reading->name, .ordinal = (uint16_t)ordinal};
}

/* Takes an entry; false at the end of the unit. */
static bool take_entry(struct reading *reading)
{
  if (reading->in.failed || reading->no_memory || reading->in.at == reading->in.end)
    return false;
  const uint64_t number = wb_dwarf_take_sevens(&reading->in, false);
  if (number == 0) { /* the end of the entries inside another one */
    reading->depth -= reading->depth > 0;
    if (reading->depth <= reading->function_depth)
      reading->function = NULL;
    return true;
  }
  if (number > reading->kind_count)
    return false;
  const struct abbreviation *kind = &reading->kinds[number - 1];
  take_attributes(reading, kind);
  if (reading->in.failed)
    return false;
  if (kind->tag == TAG_SUBPROGRAM) {
    reading->function = reading->linkage_name != NULL ? reading->linkage_name : reading->name;
    if (!kind->children)
      reading->function = NULL;
    reading->function_depth = reading->depth;
    reading->ordinal = 0;
  } else if (kind->tag == TAG_FORMAL_PARAMETER && reading->function != NULL &&
             reading->depth == reading->function_depth + 1) {
    add_parameter(reading);
  }
  reading->depth += kind->children;
  return true;
}

/* ---- units ---- */

/* Whether the unit has entries that are understood. */
static bool read_head(struct reading *reading)
{
  struct wb_dwarf_reader *in = &reading->in;
  uint64_t type = UNIT_COMPILE;
  reading->version = (unsigned)wb_dwarf_take_number(in, 2);
  if (reading->version >= 5) {
    type = wb_dwarf_take_number(in, 1);
    reading->address_size = (unsigned)wb_dwarf_take_number(in, 1);
  }
  const uint64_t kinds = wb_dwarf_take_number(in, reading->offset_size);
  if (reading->version < 5)
    reading->address_size = (unsigned)wb_dwarf_take_number(in, 1);
  if (in->failed || reading->version < 2 || reading->version > 5 || type != UNIT_COMPILE ||
      reading->address_size > 8)
    return false;
  read_kinds(reading, kinds);
  reading->depth = reading->function_depth = 0;
  reading->function = NULL;
  return true;
}

warpbound_status wb_debug_parameters_read(const struct wb_cubin *cubin,
                                          struct wb_debug_parameters *parameters,
                                          warpbound_error *error)
{
  const struct wb_cubin_section *entries = wb_dwarf_section(cubin, ".debug_info");
  struct reading reading = {
      .abbreviations = wb_dwarf_section(cubin, ".debug_abbrev"),
      .strings = wb_dwarf_section(cubin, ".debug_str"),
      .line_strings = wb_dwarf_section(cubin, ".debug_line_str"),
      .parameters = parameters,
  };
  if (entries == NULL || reading.abbreviations == NULL)
    return WARPBOUND_OK;
  reading.attributes_left = FREE_ATTRIBUTES + ATTRIBUTES_OF_BYTE * ((uint64_t)entries->size +
                                                                    reading.abbreviations->size);
  const unsigned char *end = entries->bytes + entries->size;
  for (reading.in.end = entries->bytes; reading.in.end < end && !reading.no_memory;) {
    reading.in = (struct wb_dwarf_reader){.at = reading.in.end, .end = end};
    const uint64_t length = wb_dwarf_take_length(&reading.in, &reading.offset_size);
    if (reading.in.failed)
      break;
    reading.in.end = reading.in.at + length;
    if (read_head(&reading)) {
      while (take_entry(&reading))
        ;
    }
  }
  free(reading.kinds);
  return reading.no_memory ? wb_out_of_memory(error) : WARPBOUND_OK;
}

void wb_debug_parameters_free(struct wb_debug_parameters *parameters)
{
  free(parameters->items);
  *parameters = (struct wb_debug_parameters){0};
}
