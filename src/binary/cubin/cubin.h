/* A cubin, an ELF file of GPU machine code: its sections, symbols, relocations and functions, with
 * what its metadata says of each function. */
#ifndef WB_BINARY_CUBIN_CUBIN_H
#define WB_BINARY_CUBIN_CUBIN_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number that the file does not give. */
#define WB_CUBIN_ABSENT UINT32_MAX

/* An index of a section, symbol or function that is none. */
#define WB_CUBIN_NONE SIZE_MAX

/* How the file's head is laid out; the ABI version decides. */
enum wb_cubin_layout {
  WB_CUBIN_OLD, /* CUDA to 12: ABI version 7, the toolkit in e_version */
  WB_CUBIN_NEW  /* CUDA 13: ABI version 8, the architecture in bits 8 to 15 of e_flags */
};

/* items first .. first + count - 1 of an array of struct wb_cubin. */
struct wb_cubin_slice {
  size_t first;
  size_t count;
};

/* A section by its number in the file (0 is the empty one). What is cut off by the end of the file
 * is an error of reading, so that bytes[0..size-1] may be read. */
struct wb_cubin_section {
  const char *name;
  uint32_t type;              /* SHT_... of <elf.h> */
  uint64_t flags;             /* SHF_... */
  uint64_t place;             /* of its bytes in the file */
  const unsigned char *bytes; /* NULL where it has none in the file (SHT_NOBITS) */
  uint64_t size;              /* that of SHT_NOBITS too */
  uint64_t alignment;
  uint64_t entry_size;
  uint32_t link;
  uint32_t info;
  struct wb_cubin_slice relocations; /* those that change this section, by their offset */
  struct wb_cubin_slice attached;    /* of attached[]: what belongs to this section of code */
  size_t function; /* index of the function that this section of code is there for, and which its
                      metadata describes; WB_CUBIN_NONE for none */
};

struct wb_cubin_symbol {
  const char *name;
  uint32_t section; /* a section's number, or SHN_UNDEF, SHN_ABS, SHN_COMMON */
  bool defined;     /* section is the number of a section of this file */
  uint64_t value;
  uint64_t size;
  unsigned char type;    /* STT_... */
  unsigned char binding; /* STB_... */
  unsigned char other;   /* st_other; bit 0x10: a kernel */
};

/* One relocation, of a section of kind REL (the addend lies in the code) or RELA. */
struct wb_cubin_relocation {
  uint64_t offset; /* in the section that it changes, and within it */
  uint32_t type;
  uint32_t symbol; /* a symbol's number */
  int64_t addend;  /* 0 where has_addend is not set */
  bool has_addend;
  size_t section; /* the number of the section that holds the relocation */
};

/* A parameter of a kernel. */
struct wb_cubin_parameter {
  uint32_t ordinal;
  uint32_t offset; /* from the first parameter, in bytes */
  uint32_t size;   /* in bytes */
};

/* An indirect branch and the places that it may go to: offsets[] of the slice. */
struct wb_cubin_branch {
  uint64_t at;
  struct wb_cubin_slice targets;
};

/* What the metadata says of a function; WB_CUBIN_ABSENT: nothing. Sizes are in bytes, offsets count
 * from the section's beginning. */
struct wb_cubin_facts {
  uint32_t registers;                 /* of a thread */
  uint32_t barriers;                  /* of a block */
  uint32_t frame;                     /* stack frame of a thread */
  uint32_t min_stack;                 /* stack of a thread with what it calls */
  uint32_t max_stack;                 /* the same where recursion is bounded */
  uint32_t reconvergence_size;        /* CRS_STACK_SIZE: the reconvergence stack of a warp */
  uint32_t parameter_bank;            /* constant bank of the parameters, always 0 so far */
  uint32_t parameter_base;            /* offset of the first one in that bank */
  uint32_t parameter_size;            /* of all of them */
  uint32_t max_registers;             /* the compiler's limit; 255 for none */
  uint32_t max_threads[3];            /* __launch_bounds__, .maxntid: x, y, z */
  uint32_t required_threads[3];       /* .reqntid: x, y, z */
  uint32_t cluster[3];                /* __cluster_dims__, .reqnctapercluster: blocks, x, y, z */
  uint32_t most_cluster;              /* .maxclusterrank: most blocks of a cluster */
  bool clustered;                     /* .explicitcluster: launched in clusters */
  uint32_t shared;                    /* static shared memory of a block */
  uint32_t constants;                 /* bank 0: the launch's own words and the parameters */
  uint32_t api_version;               /* CUDA_API_VERSION, 129 for 12.9 */
  struct wb_cubin_slice parameters;   /* of parameters[], by ordinal */
  struct wb_cubin_slice exits;        /* of offsets[]: EXIT instructions */
  struct wb_cubin_slice block_reads;  /* of offsets[]: reads of the block's index (S2R CTAID) */
  struct wb_cubin_slice warp_wide;    /* of offsets[]: instructions for the whole warp */
  struct wb_cubin_slice cooperative;  /* of offsets[]: instructions of cooperative groups */
  struct wb_cubin_slice system_calls; /* of offsets[]: calls of vprintf, malloc ... */
  struct wb_cubin_slice branches;     /* of branches[]: indirect branches */
};

/* A symbol of kind STT_FUNC in a section of code. */
struct wb_cubin_function {
  const char *name;
  size_t symbol;   /* its number */
  size_t section;  /* its number */
  uint64_t offset; /* in the section */
  uint64_t size;
  bool kernel; /* STO_CUDA_ENTRY: the host may launch it */
  bool inner; /* a subroutine inside the section of another function, without metadata of its own */
  struct wb_cubin_facts facts;
};

/* A cubin that was read. Lists belong to it, but names and the bytes of sections are the caller's,
 * which must outlive it. Free with wb_cubin_free. */
struct wb_cubin {
  enum wb_cubin_layout layout;
  uint32_t architecture;      /* 90 for sm_90 */
  char suffix;                /* 'a' for sm_90a, 'f' for sm_100f; 0 for none */
  char architecture_name[16]; /* "sm_90a" */
  uint32_t
      virtual_architecture; /* 90 for compute_90; WB_CUBIN_ABSENT where the file does not say */
  uint32_t toolkit;         /* 129 for 12.9; WB_CUBIN_ABSENT where the file does not say */
  uint32_t flags;           /* e_flags */
  unsigned char abi;        /* EI_ABIVERSION */
  bool relocatable;         /* ET_REL: not linked */
  struct wb_cubin_section *sections;
  size_t section_count;
  struct wb_cubin_symbol *symbols;
  size_t symbol_count;
  struct wb_cubin_relocation *relocations;
  size_t relocation_count;
  uint32_t *attached; /* numbers of sections, ascending within a slice */
  size_t attached_count;
  struct wb_cubin_function *functions; /* by section, then offset */
  size_t function_count;
  struct wb_cubin_parameter *parameters;
  size_t parameter_count;
  struct wb_cubin_branch *branches;
  size_t branch_count;
  uint64_t *offsets;
  size_t offset_count;
};

/* Whether the bytes begin as a cubin does: an ELF file whose machine is EM_CUDA. */
bool wb_cubin_detect(const unsigned char *bytes, size_t length);

/* Reads a cubin, linked or relocatable. name: the file's, for messages, with the place of the cubin
 * in it where that is not the whole. Errors: WARPBOUND_INVALID_INPUT, whose message gives section
 * or offset, and WARPBOUND_INTERNAL; nothing is to be freed then. Time and memory are linear in
 * length, times its logarithm for sorting. */
warpbound_status wb_cubin_read(const char *name, const unsigned char *bytes, size_t length,
                               struct wb_cubin *cubin, warpbound_error *error);
void wb_cubin_free(struct wb_cubin *cubin);

/* Whether the section holds machine code. */
bool wb_cubin_is_code(const struct wb_cubin_section *section);

/* The number of the first section of the name, or WB_CUBIN_NONE. */
size_t wb_cubin_section_named(const struct wb_cubin *cubin, const char *name);

/* The number of the section that belongs to a section of code (by its sh_info) and whose name
 * begins with `prefix`, ".nv.constant2." say; WB_CUBIN_NONE where there is none. */
size_t wb_cubin_section_of(const struct wb_cubin *cubin, size_t code, const char *prefix);

/* The index in functions[] of the function with the name, kernels before others, or
 * WB_CUBIN_NONE. */
size_t wb_cubin_function_named(const struct wb_cubin *cubin, const char *name);

#endif
