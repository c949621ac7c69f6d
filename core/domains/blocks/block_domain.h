// Basic blocks of x86-64 as a domain: what the engine asks of it. Its times are recorded, or analysed by a
// cost model.
#pragma once

#include "base/quantity.h"
#include "study/domain.h"
#include "study/workload.h"

#include <memory>
#include <string_view>

namespace sparsight {

inline constexpr std::string_view blocks_domain = "blocks";

/// Of imported times.
inline constexpr std::string_view block_protocol = "recorded";
inline constexpr double block_iterations = 100; ///< of a stored time

/// Times of blocks are cycles per 100 iterations (Chen et al.: BHive, IISWC 2019). A workspace stores
/// milliseconds: those of a processor of 1 GHz, so that a cycle is a nanosecond whatever the machine.
inline constexpr double milliseconds_a_cycle = 1e-6;
[[nodiscard]] constexpr Milliseconds time_of_cycles(double cycles) {
    return Milliseconds{cycles * milliseconds_a_cycle};
}
[[nodiscard]] constexpr double cycles_of(Milliseconds time) {
    return time.count() / milliseconds_a_cycle;
}

/// The fact of a block whose group has blocks in a held-out set, too: no model learns from it.
inline constexpr std::string_view stored_apart = "in_held_out_group";

/// Workloads are blocks by name; the payload is their machine code. There is one setting, whose text is
/// empty, and one configuration, the code as it is.
[[nodiscard]] std::unique_ptr<const Domain> make_blocks_domain();

/// The only configuration, as a workspace stores it.
[[nodiscard]] WrittenConfiguration code_as_it_is();

} // namespace sparsight
