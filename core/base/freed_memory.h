// What becomes of memory that is freed.
#pragma once

namespace sparsight {

/// From now on this process keeps what it frees and uses it again, instead of giving it back to the system,
/// which would have to clear every page before its next use: half of the time of packing a format with much
/// padding. For a process that allocates hundreds of megabytes for one schedule after the other; to be called
/// once, at its start. Does nothing where the C library is not glibc.
void keep_freed_memory();

} // namespace sparsight
