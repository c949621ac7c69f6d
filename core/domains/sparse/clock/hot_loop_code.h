// The machine code of the loop in which a kernel computes, on a processor that need not be this computer's:
// bytes for whoever knows machine code. A kernel that mostly steps over empty blocks spends its time around
// it.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// One iteration, without the loops inside it, of which there is none that computes as much.
struct HotLoopCode {
    std::string loop;               ///< the schedule's name of it, "k1"; empty where the code does not tell
    int depth = 0;                  ///< loops around it
    std::vector<std::uint8_t> code; ///< with the branch back; what a linker would fill in is 0
    int multiply_adds = 0;          ///< floats that are multiplied and added
    double entries = 0; ///< stored entries of the sparse operand that it is done with; below 1: a part of one
};

/// Of the loop that multiplies and adds most in one iteration, for a processor by LLVM's name of it. Some 20
/// ms. Errors: those of CodeAnalyser::make(); the code has no loop that multiplies and adds (Input).
[[nodiscard]] Result<HotLoopCode> hot_loop_code(const SuperSchedule& schedule, const Extents& extents,
                                                std::string_view cpu);

} // namespace sparsight
