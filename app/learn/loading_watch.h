// Watches over the time before main(), in which the libraries behind LibTorch are loaded. They take most of a
// second, and may try for ever where they get no memory.
#pragma once

namespace sparsight {

/// To be called before any library is initialised, from .preinit_array. Signals that ask for a stop wait
/// until the command begins. The program ends with a message where its memory is too small to load the
/// libraries, or if they are not loaded after a minute of processor time.
void begin_loading();

/// First in main(): the libraries are loaded.
void end_loading();

} // namespace sparsight
