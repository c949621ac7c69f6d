// The numbers by which the mechanistic simulator knows a machine: facts of its hardware, and what loops cost
// on it. A machine description names those of them that are known; this resolves all, says which had to be
// assumed, and is what sliders, the family sampler and the calibration share.
//
// The choice of the hardware's numbers follows Kerncraft's machine model (Hammer et al., 2017) and what
// autoschedulers get by with; the costs of loops by level format are those that TACO's code generation gives
// rise to (Kjolstad et al., OOPSLA 2017).
#pragma once

#include "machine/machine_description.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// What `parameter_info()` says of one of them.
enum class ParameterGroup : std::uint8_t {
    Hardware, ///< on a data sheet
    Memory,   ///< caches, bandwidths and latencies
    Threads,  ///< what it costs to share work out
    Code,     ///< cycles of the generated loops
};

/// C compilers unroll a loop of so few iterations as a whole before they vectorise (gcc's
/// max-completely-peel-times): TACO's code is then scalar. Our own lowering emits vectors itself.
inline constexpr double unrolled_by_gcc = 16;

struct ParameterInfo {
    MachineParameter parameter{};
    ParameterGroup group{};
    std::string_view key;  ///< in files: "l2_bytes"
    std::string_view unit; ///< "GB/s", or empty
    double typical = 1;    ///< where nothing is known; of a server of about 2020
    double lowest = 0;     ///< of what is accepted, and of a slider
    double highest = 1;
    /// How far off the value that follows from the facts may well be, as a factor: the prior of the
    /// calibration. 1 for what is known exactly and never fitted.
    double doubt = 1;
    bool whole = false; ///< counts cores, lanes …
};

[[nodiscard]] std::span<const ParameterInfo> all_parameters();
inline constexpr int fitted_parameter_count = 27;
/// The parameters that a calibration fits: those with a doubt above 1.
[[nodiscard]] std::span<const MachineParameter> fitted_parameters();
[[nodiscard]] const ParameterInfo& parameter_info(MachineParameter parameter);
/// By its key.
[[nodiscard]] std::optional<MachineParameter> parse_machine_parameter(std::string_view key);
/// All of them in order, for errors.
[[nodiscard]] std::vector<std::string_view> parameter_keys();
/// Whether only whole numbers are accepted. Sizes of caches are none: a calibration may find any.
[[nodiscard]] bool is_count(const ParameterInfo& info);
/// What is accepted, for errors and hints: "from 0.5 to 1000 GB/s".
[[nodiscard]] std::string range_text(const ParameterInfo& info);
/// For people: "512 KiB" for bytes, else four digits without the unit.
[[nodiscard]] std::string value_text(const ParameterInfo& info, double value);

/// One value for each parameter, in the units of its info.
template <typename Scalar>
struct BasicMachineParameters {
    std::array<Scalar, machine_parameter_count> values{};

    [[nodiscard]] const Scalar& operator[](MachineParameter parameter) const {
        return values[static_cast<std::size_t>(parameter)];
    }
    [[nodiscard]] Scalar& operator[](MachineParameter parameter) {
        return values[static_cast<std::size_t>(parameter)];
    }
    bool operator==(const BasicMachineParameters&) const = default;
};
using MachineParameters = BasicMachineParameters<double>;

struct ResolvedParameters {
    MachineParameters values;
    std::vector<MachineParameter> assumed; ///< those of which the description says nothing
};

/// Facts first, then what others imply (all threads' bandwidth is that of all sockets …), then typical
/// values; the description's coefficients override all of it.
[[nodiscard]] ResolvedParameters resolve_parameters(const MachineDescription& machine);

// A machine as it ran what was measured on it.

/// resolve_parameters() with the threads that kernels ran on, no more than the machine has: a recorded
/// schedule may name more. Of a machine whose threads and cores nobody knows it has as many of both.
[[nodiscard]] MachineParameters parameters_for_threads(const MachineDescription& machine, int threads);

// Where the value comes from that a simulation takes for a parameter of a machine.

enum class ParameterOrigin : std::uint8_t {
    Stated,   ///< by the operating system, a data sheet, or whoever chose the number
    Measured, ///< by the probe of this computer
    Fitted,   ///< by a calibration, which moved it away from what was taken before
    Typical,  ///< nothing says it of this machine
};

/// "stated", "measured", "fitted", "typical".
[[nodiscard]] std::string_view name(ParameterOrigin origin);

/// A calibrated value that is still what it would be without the calibration is of that origin.
[[nodiscard]] ParameterOrigin origin_of(const MachineDescription& machine, MachineParameter parameter);

/// What is left of the doubt about a value that a calibration found, 0 to 1 (CalibrationRecord); absent where
/// none looked at it.
[[nodiscard]] std::optional<double> doubt_left(const MachineDescription& machine, MachineParameter parameter);

/// Whether a calibration found any of its coefficients. Those of a simulated machine were chosen or drawn.
[[nodiscard]] bool is_calibrated(const MachineDescription& machine);

/// The machine as its facts alone tell, without what a calibration found out; a simulated machine keeps its
/// coefficients, which were chosen.
[[nodiscard]] MachineDescription without_calibration(MachineDescription machine);

} // namespace sparsight
