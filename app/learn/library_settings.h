// What the libraries behind LibTorch are told by the environment, where the user has not told them.
#pragma once

namespace sparsight {

/// Whether a variable was set:
/// - OPENBLAS_CORETYPE=SKYLAKEX on processors with AVX-512: Debian's OpenBLAS does not know those that are
/// newer
///   than itself, and multiplies matrices five times slower with what it falls back on.
/// - OMP_WAIT_POLICY=passive: threads that wait for work would otherwise take the processors from those that
///   have some.
[[nodiscard]] bool improve_library_settings();

} // namespace sparsight
