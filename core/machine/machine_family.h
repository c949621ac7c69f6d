// A family of imagined machines for meta-learning: drawn widely, with the correlations that real ones have.
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
/// their typical values, and not farther off than the doubt of their parameter; half of the machines keep
/// tiles of C in registers. What is drawn stands in the facts of the description where there is one.
[[nodiscard]] MachineDescription sampled_machine(std::uint64_t seed, std::uint64_t index);

/// Which machine of which family a name is that of; nothing for any other name.
struct FamilyPlace {
    std::uint64_t seed = 0;
    std::uint64_t index = 0;

    bool operator==(const FamilyPlace&) const = default;
};
[[nodiscard]] std::optional<FamilyPlace> parse_sampled_name(std::string_view name);

/// Those from 0 to `count` - 1.
[[nodiscard]] std::vector<MachineDescription> sample_machines(std::uint64_t seed, std::size_t count);

enum class FamilyPart : std::uint8_t { Train, Validation, Test };

/// "train", "validation", "test".
[[nodiscard]] std::string_view name(FamilyPart part);

/// On average: each machine's part is drawn by itself.
struct FamilyShares {
    double train = 0.8;
    double validation = 0.1; ///< the rest is for the test
};

/// Where a machine of a family belongs: decided by its seed and index alone, so that a larger sample moves
/// none.
[[nodiscard]] FamilyPart family_part(std::uint64_t seed, std::uint64_t index,
                                     const FamilyShares& shares = {});

// The part of a parameter's range in which machines really lie: what sliders and maps run over.

struct ParameterRange {
    double lowest = 0; ///< above 0: sliders and maps are logarithmic
    double highest = 1;
    bool operator==(const ParameterRange&) const = default;
};

/// As wide as the family of machine_family.h is drawn, where it draws the parameter; otherwise about the
/// typical value as far as the parameter accepts it. Widened so that it holds `value`, where that is above 0.
[[nodiscard]] ParameterRange usual_range(MachineParameter parameter, double value = 0);

/// `steps` values over a range, each the same factor above the one before, both ends among them; rounded to
/// what the parameter counts in, so that there may be fewer. Lanes are powers of two.
[[nodiscard]] std::vector<double> steps_over(MachineParameter parameter, const ParameterRange& range,
                                             int steps);

} // namespace sparsight
