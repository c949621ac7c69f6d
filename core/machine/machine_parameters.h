// The numbers by which the mechanistic simulator knows a machine: facts of its hardware, and the costs of
// loops on it. A machine description has those that are known; this file resolves all of them and says where
// each value comes from. Sliders, the family sampler and the calibration share it.
//
// The choice of the hardware's numbers follows Kerncraft's machine model (Hammer et al., 2017) and what
// autoschedulers use; the costs of loops by level format are those that TACO's code generation causes
// (Kjolstad et al., OOPSLA 2017).
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

/// The group of a parameter, as in parameter_info().
enum class ParameterGroup : std::uint8_t {
    Hardware, ///< on a data sheet
    Memory,   ///< caches, bandwidths and latencies
    Threads,  ///< the cost of distributing work
    Code,     ///< cycles of the generated loops
};

/// C compilers unroll a loop of at most this many iterations completely before they vectorise (gcc's
/// max-completely-peel-times): TACO's code is then scalar. Our own lowering emits vectors itself.
inline constexpr double unrolled_by_gcc = 16;

struct ParameterInfo {
    MachineParameter parameter{};
    ParameterGroup group{};
    std::string_view key;  ///< in files: "l2_bytes"
    std::string_view unit; ///< "GB/s", or empty
    double typical = 1;    ///< used where nothing is known: that of a server of about 2020
    double lowest = 0;     ///< lowest accepted value, also of a slider
    double highest = 1;
    /// The factor by which the value that follows from the facts may be wrong: the prior of the calibration.
    /// 1 for what is known exactly and never fitted.
    double doubt = 1;
    bool whole = false; ///< counts cores, lanes …
};

[[nodiscard]] std::span<const ParameterInfo> all_parameters();
inline constexpr int fitted_parameter_count = 27;
/// The parameters that a calibration fits: those with a doubt above 1.
[[nodiscard]] std::span<const MachineParameter> fitted_parameters();
[[nodiscard]] const ParameterInfo& parameter_info(MachineParameter parameter);
/// The parameter of a key.
[[nodiscard]] std::optional<MachineParameter> parse_machine_parameter(std::string_view key);
/// All of them in order, for errors.
[[nodiscard]] std::vector<std::string_view> parameter_keys();
/// Whether only whole numbers are accepted. Sizes of caches may be fractional: a calibration may find any
/// value.
[[nodiscard]] bool is_count(const ParameterInfo& info);
/// The accepted range, for errors and hints: "from 0.5 to 1000 GB/s".
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
    std::vector<MachineParameter> assumed; ///< those that the description does not give
};

/// Resolves all parameters: facts first, then values implied by others (all threads' bandwidth is that of
/// all sockets …), then typical values; the description's coefficients override all of these.
[[nodiscard]] ResolvedParameters resolve_parameters(const MachineDescription& machine);

/// The parameters of a machine for the threads of a measurement: resolve_parameters() with that number of
/// threads, but no more than the machine has, since a recorded schedule may name more. A machine with
/// unknown threads and cores gets that many of both.
[[nodiscard]] MachineParameters parameters_for_threads(const MachineDescription& machine, int threads);

/// Where the value of a parameter comes from.
enum class ParameterOrigin : std::uint8_t {
    Stated,   ///< by the operating system, a data sheet, or a user
    Measured, ///< by the probe of this computer
    Fitted,   ///< by a calibration, which changed it
    Typical,  ///< not known for this machine
};

/// "stated", "measured", "fitted", "typical".
[[nodiscard]] std::string_view name(ParameterOrigin origin);

/// A calibrated value that equals the one without the calibration has the origin of the latter.
[[nodiscard]] ParameterOrigin origin_of(const MachineDescription& machine, MachineParameter parameter);

/// The remaining uncertainty of a calibrated value, 0 to 1 (CalibrationRecord); absent where no calibration
/// fitted it.
[[nodiscard]] std::optional<double> doubt_left(const MachineDescription& machine, MachineParameter parameter);

/// Whether measurements that leave this uncertainty, 0 to 1, determine a parameter.
[[nodiscard]] constexpr bool is_determined(double uncertainty) {
    return uncertainty < 0.7;
}

/// Whether a calibration found any of its coefficients. Those of a simulated machine were chosen or drawn.
[[nodiscard]] bool is_calibrated(const MachineDescription& machine);

/// The machine with its facts alone, without the results of a calibration; a simulated machine keeps its
/// coefficients, which were chosen.
[[nodiscard]] MachineDescription without_calibration(MachineDescription machine);

} // namespace sparsight
