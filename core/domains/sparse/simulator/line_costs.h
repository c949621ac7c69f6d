// What each line of a schedule's loop nest costs on a machine, by the simulator: its time is divided among
// the lines, and they add up to it.
//
// The rule is that of profilers which charge a line with what its own instructions cause (S. L. Graham et
// al., gprof, 1982: "self" time), with the simulator's terms in the place of samples:
//   instructions   stand at the line that executes them: starts and exits of a loop at its head, reading crd
//   at
//                  that line, multiply-adds at the update, writing a tile back at the store
//   transfers      stand at the line that touches the operand: pos at the head of the loop, crd where it is
//                  read, the values and the dense operands at the update, C where it is written or cleared.
//                  The bytes are those of the layer conditions (memory_scopes.h); A's are divided among its
//                  arrays by their sizes
//   latency        like transfers, by the waits for distant pieces
//   threads        imbalance, regions and chunks stand at the directive of the parallel loop, which causes
//   them
// Terms overlap in the simulated time (mechanistic_formula.h), and each keeps its share of the whole: so does
// each line.
#pragma once

#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/simulator/simulator.h"
#include "machine/machine_parameters.h"

#include <cstdint>
#include <vector>

namespace sparsight {

struct LineInstructions {
    MachineParameter cycles{}; ///< of one
    double count = 0;
};

struct CostedLine {
    NestLine line{};
    SimulatedTime time{}; ///< of this line; 0 where it costs nothing
    /// Executions of the line, of a loop its iterations. 0: none are counted.
    double runs = 0;
    std::vector<LineInstructions> instructions{}; ///< none of count 0
    double cycles = 0;                            ///< of all of them, over all threads
    double l2_bytes = 0;                          ///< that come from the L2, over all threads
    double l3_bytes = 0;
    double memory_bytes = 0;
};

struct LineCosts {
    LoopNest nest;
    std::vector<CostedLine> lines;
    SimulatedTime total;
};

/// The profile must be that of the schedule on a pattern with these extents. Some microseconds.
[[nodiscard]] LineCosts line_costs(const SuperSchedule& schedule, const Extents& extents,
                                   const ScheduleProfile& profile, const MachineParameters& machine);

} // namespace sparsight
