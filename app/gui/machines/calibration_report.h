// What a calibration has told in the end: how true the simulation was and is, and how well the measurements
// determine each parameter.
#pragma once

#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <QJsonObject>
#include <map>
#include <optional>

namespace sparsight {

struct CalibrationReport {
    struct Fit {
        double before = 0;
        double after = 0;
        /// What is left of the doubt before, 0 to 1: near 1 the measurements say nothing about it.
        double uncertainty = 1;
        bool is_determined = false;
    };
    std::map<MachineParameter, Fit> parameters;

    /// Of a parameter whose value in `machine` is the one that this calibration found; nullptr for others, as
    /// somebody may have calibrated it again elsewhere.
    [[nodiscard]] const Fit* fit_of(const MachineDescription& machine, MachineParameter parameter) const;
};

/// Of the last event of `sparsight-cli machine calibrate --progress json`; nothing where it is none.
[[nodiscard]] std::optional<CalibrationReport> calibration_report(const QJsonObject& end);

} // namespace sparsight
