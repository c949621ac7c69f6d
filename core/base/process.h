// This process: who it is, so that it can be said later whether it still lives, what memory it occupies, and
// what the libraries behind LibTorch are told by its environment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sparsight {

struct ProcessIdentity {
    std::int64_t id = 0;
    std::string start; ///< when, in which boot of which computer, and among whose processes

    bool operator==(const ProcessIdentity&) const = default;
};

[[nodiscard]] ProcessIdentity this_process();

/// False also for one that can't be seen from here, on another computer or in another container.
[[nodiscard]] bool is_alive(const ProcessIdentity& process);

/// Bytes of memory that this process occupies now; 0 where the system does not tell.
[[nodiscard]] std::uint64_t occupied_memory();

/// The least address space that LibTorch and the libraries behind it load with, in bytes. OpenBLAS was seen
/// to try for ever, before main(), where it had 0.8 of it.
inline constexpr std::uint64_t least_address_space = std::uint64_t{1} << 30;
/// Whether this process, and every program that it starts, may have no more than that (`ulimit -v`). Safe
/// before the libraries are initialised.
[[nodiscard]] bool is_address_space_too_small();
/// The sentence to say then; it ends without a period or a newline.
inline constexpr const char* small_address_space =
    "the memory limit (ulimit -v) is below 1 GiB, and the learning library needs more to load; raise it";

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
