// A family of simulated machines for meta-learning, drawn widely, with the correlations that real machines
// have, and the ranges in which parameters of machines usually lie.
#pragma once

#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sparsight {

/// Machine `index` of the family of a seed, whatever else is drawn: named "sampled-7-0012". From one core to
/// 128 on one to four sockets, 5 to 400 GB/s, 2 to 16 lanes, 1 to 5 GHz, a last-level cache of 0.25 to 32 MiB
/// a core, a latency of 60 to 200 ns, chunks that cost 0.05 to 2 µs. The costs of loops are log-normal about
/// their typical values, and differ from them by no more than the doubt of their parameter; half of the
/// machines keep tiles of C in registers. Drawn values are facts of the description where it has a field for
/// them.
[[nodiscard]] MachineDescription sampled_machine(std::uint64_t seed, std::uint64_t index);

/// The machines 0 to `count` - 1.
[[nodiscard]] std::vector<MachineDescription> sample_machines(std::uint64_t seed, std::size_t count);

enum class FamilyPart : std::uint8_t { Train, Validation, Test };

/// "train", "validation", "test".
[[nodiscard]] std::string_view name(FamilyPart part);

/// The shares of the parts on average: each machine's part is drawn independently.
struct FamilyShares {
    double train = 0.8;
    double validation = 0.1; ///< the rest is for the test
};

/// The part that a machine of a family belongs to: decided by its seed and index alone, so that a larger
/// sample moves no machine.
[[nodiscard]] FamilyPart family_part(std::uint64_t seed, std::uint64_t index,
                                     const FamilyShares& shares = {});

/// The part of a parameter's range in which real machines lie; sliders and maps cover it.
struct ParameterRange {
    double lowest = 0; ///< above 0: sliders and maps are logarithmic
    double highest = 1;
    bool operator==(const ParameterRange&) const = default;
};

/// The range of the family of simulated machines, where it draws the parameter; otherwise a range about the
/// typical value, as far as the parameter accepts it. Widened to include `value`, where that is above 0.
[[nodiscard]] ParameterRange usual_range(MachineParameter parameter, double value = 0);

/// `steps` values over a range, in equal factors, both ends included; rounded to the units that the parameter
/// counts in, so that there may be fewer. Lanes are powers of two.
[[nodiscard]] std::vector<double> steps_over(MachineParameter parameter, const ParameterRange& range,
                                             int steps);

} // namespace sparsight
