#include "machine/parameter_origin.h"

#include "machine/calibration/simulation_gradient.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

namespace {

using P = MachineParameter;

/// What a probe measures of the parameters; the rest it reads.
constexpr std::array probed{P::CoreBandwidth, P::SocketBandwidth, P::MemoryLatency};

bool same(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

ParameterOrigin origin_of_fact(const MachineDescription& machine, const ResolvedParameters& resolved,
                               MachineParameter parameter) {
    if (std::ranges::count(resolved.assumed, parameter) > 0)
        return ParameterOrigin::Typical;
    const bool was_measured =
        machine.source == MachineSource::Probed && std::ranges::count(probed, parameter) > 0;
    return was_measured ? ParameterOrigin::Measured : ParameterOrigin::Stated;
}

} // namespace

std::string_view name(ParameterOrigin origin) {
    switch (origin) {
    case ParameterOrigin::Stated:
        return "stated";
    case ParameterOrigin::Measured:
        return "measured";
    case ParameterOrigin::Fitted:
        return "fitted";
    case ParameterOrigin::Typical:
        break;
    }
    return "typical";
}

ParameterOrigin origin_of(const MachineDescription& machine, MachineParameter parameter) {
    if (!machine.coefficients.contains(parameter))
        return origin_of_fact(machine, resolve_parameters(machine), parameter);
    if (machine.source == MachineSource::Simulated)
        return ParameterOrigin::Stated;
    MachineDescription without = machine;
    without.coefficients.erase(parameter);
    const ResolvedParameters before = resolve_parameters(without);
    return same(before.values[parameter], resolve_parameters(machine).values[parameter])
               ? origin_of_fact(without, before, parameter)
               : ParameterOrigin::Fitted;
}

std::optional<double> doubt_left(const MachineDescription& machine, MachineParameter parameter) {
    const auto known = machine.calibration.doubt_left.find(parameter);
    const bool is_fitted = machine.source != MachineSource::Simulated &&
                           machine.coefficients.contains(parameter) &&
                           known != machine.calibration.doubt_left.end();
    return is_fitted ? std::optional(known->second) : std::nullopt;
}

bool is_calibrated(const MachineDescription& machine) {
    return machine.source != MachineSource::Simulated &&
           std::ranges::any_of(fitted_parameters(), [&](MachineParameter parameter) {
               return machine.coefficients.contains(parameter);
           });
}

MachineDescription without_calibration(MachineDescription machine) {
    if (machine.source == MachineSource::Simulated)
        return machine;
    for (const MachineParameter parameter : fitted_parameters())
        machine.coefficients.erase(parameter);
    for (const MachineParameter found :
         {MachineParameter::UnrolledExtent, MachineParameter::Cores, MachineParameter::Threads})
        machine.coefficients.erase(found);
    machine.calibration = {};
    return machine;
}

} // namespace sparsight
