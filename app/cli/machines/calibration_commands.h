// What `machine calibrate` and `machine validate` are asked of, as options.
#pragma once

#include "collection/calibration_data.h"

#include <memory>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class Session;

struct CalibrationChoice {
    CalibrationRequest request; ///< an empty machine: this computer
};

/// The machine as a positional argument, --operator, --dense, --protocol, --threads, --schedules.
[[nodiscard]] std::shared_ptr<CalibrationChoice> add_calibration_choice(CLI::App& command);

/// With this computer in the place of an empty machine.
[[nodiscard]] Result<CalibrationRequest> calibration_request(Workspace& workspace,
                                                             const CalibrationChoice& choice);

} // namespace sparsight
