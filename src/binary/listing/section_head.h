/* Heads of a listing and its sections, and sections of data. */
#ifndef WB_BINARY_LISTING_SECTION_HEAD_H
#define WB_BINARY_LISTING_SECTION_HEAD_H

#include "binary/listing/code_section.h"

/* .headerflags and .elftype. */
void wb_cubin_print_head(const struct wb_cubin *cubin, struct wb_text *out);

/* A section's ruler and directives. */
void wb_section_print_head(const struct wb_cubin *cubin, size_t number, struct wb_text *out);

/* The same of section .nv.info, which has the registers of all functions. */
void wb_counts_print_head(struct wb_text *out);

/* Its attribute for a function whose registers are known; *place is where in the section it stands,
 * and then where it ends. */
void wb_counts_print_registers(const struct wb_cubin_function *function, uint64_t *place,
                               struct wb_text *out);

/* Whether a section holds what a reader of listings needs: a function's attributes, constants or
 * shared memory. */
bool wb_section_is_data(const struct wb_cubin_section *section);

/* The end of the attribute at a place of a section of attributes. */
uint64_t wb_section_attribute_end(const struct wb_cubin_section *section, uint64_t at);

/* How many bytes of a section of constants a relocation covers. */
unsigned wb_section_relocated_bytes(const struct wb_cubin_section *section,
                                    const struct wb_cubin_relocation *relocation);

/* The lines that wb_section_print_data prints. */
uint64_t wb_section_data_lines(const struct wb_cubin *cubin, size_t number);

/* Its bytes. */
void wb_section_print_data(const struct wb_listed_code *code, size_t number, struct wb_text *out);

#endif
