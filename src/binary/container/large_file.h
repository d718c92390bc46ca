/* Files with GPU code that are too large to be read whole: of programs, shared libraries and static
 * libraries only what leads to fat binaries is read. */
#ifndef WB_BINARY_CONTAINER_LARGE_FILE_H
#define WB_BINARY_CONTAINER_LARGE_FILE_H

#include "base/file.h"

/* Most bytes that are read of such a file. */
#define WB_LARGE_FILE_READ_LIMIT ((size_t)1 << 32)

/* Where a path is that of a regular file of more than `most` bytes, and of one of those kinds:
 * reads of it what wb_container_read looks at, that is heads, tables and names of sections, the
 * sections that may hold fat binaries, and of a static library also the heads of members, their
 * long names, and members that are fat binaries or cubins; all of a fat binary. Everything else is
 * zeros. *large is false, and nothing was read, for other files. Errors: WARPBOUND_INVALID_INPUT
 * where it has no such section, where these have more than WB_LARGE_FILE_READ_LIMIT bytes or reach
 * beyond its end, and where it is cut off meanwhile; WARPBOUND_INTERNAL. */
warpbound_status wb_large_file_read(const char *path, size_t most, struct wb_input *source,
                                    bool *large, warpbound_error *error);

#endif
