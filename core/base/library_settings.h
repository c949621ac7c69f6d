// What the libraries behind LibTorch are told by the environment, where the user has not told them.
#pragma once

#include <string>
#include <vector>

namespace sparsight {

/// As "VARIABLE=VALUE":
/// - OPENBLAS_CORETYPE=SKYLAKEX on processors with AVX-512: Debian's OpenBLAS does not know those that are
///   newer than itself, and multiplies matrices five times slower with what it falls back on.
/// - OMP_WAIT_POLICY=passive: threads that wait for work would otherwise take the processors from those that
///   have some.
/// The libraries read them when they are loaded, so they must stand in the environment that a program is
/// started with.
[[nodiscard]] std::vector<std::string> missing_library_settings();

/// Sets them for every program that this one starts or becomes; whether any was missing.
bool improve_library_settings();

} // namespace sparsight
