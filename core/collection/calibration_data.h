// The measurements of a workspace as a machine is calibrated to them and its simulation is held against them.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "machine/calibration/calibration.h"
#include "store/machines.h"
#include "store/runtimes.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct CalibrationRequest {
    std::string machine; ///< name or fingerprint
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::string protocol{}; ///< empty: the one with the most measurements
    int threads = 0;        ///< 0: as many as most measurements have
    /// Of a matrix, spread over all that were measured; the rest is left out.
    std::int64_t most_schedules = 200;
    double shortest_ms = 0.001; ///< a shorter time is the timer's fault
    double longest_ms = 1000;   ///< as WACO drops them
    bool held_out_only = false; ///< leaves out the matrices that calibrations are fitted to
};

struct CalibrationData {
    MachineRecord machine;
    MachineDescription description;
    RuntimeSource source;
    /// What the description resolves to, running the threads that the measurements ran.
    MachineParameters parameters;
    std::vector<CalibrationMatrix> matrices; ///< in the workspace's order; those without a pattern left out
    std::int64_t runs = 0;                   ///< schedules of all of them
    std::int64_t without_pattern = 0;        ///< matrices known by name alone, or no longer readable
    std::int64_t left_out = 0;               ///< runs without a time, or with one that is no use
};

/// Profiles every schedule, which is linear in nnz for each level order and split. Errors: no such machine,
/// or nothing measured on it (Fault::Input); of the workspace; Fault::Cancelled.
[[nodiscard]] Result<CalibrationData> calibration_data(Workspace& workspace,
                                                       const CalibrationRequest& request,
                                                       const std::stop_token& stop = {},
                                                       const ProgressSink& progress = {});

/// Whether a matrix is kept back from the calibration, to hold the calibrated machine against: a third of
/// all, by its name's stem alone (matrix/name_stem.h), so that it stays what it is in every run and
/// workspace, and resized and transposed forms of a matrix are on its side.
[[nodiscard]] bool is_held_out(std::string_view matrix);

} // namespace sparsight
