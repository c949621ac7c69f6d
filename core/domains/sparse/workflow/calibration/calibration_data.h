// The measurements of a workspace as a machine is calibrated to them and its simulation is held against them.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/simulator/calibration.h"
#include "domains/sparse/storage/schedules.h"
#include "store/machines.h"

#include <cstdint>
#include <map>
#include <span>
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
    bool held_out_only = false; ///< leaves out the matrices that calibrations are fitted to, see below
    int counting_threads = 1;   ///< that look at the patterns
};

/// Left out: known by its name alone, or no longer readable.
struct UnreadPattern {
    std::string matrix;
    Error reason;
};

/// Runs that have no time to fit to, by the reason.
struct ExcludedRuns {
    std::map<MeasurementStatus, std::int64_t> without_time; ///< gave up, too large, …
    std::int64_t other_engines = 0;                         ///< of another version of the code generator
    std::int64_t too_short = 0;                             ///< shorter than CalibrationRequest::shortest_ms

    [[nodiscard]] std::int64_t count() const;
};

struct CalibrationData {
    MachineRecord machine;
    MachineDescription description;
    RuntimeSource source;
    /// What the description resolves to, running the threads that the measurements ran.
    MachineParameters parameters;
    std::vector<CalibrationMatrix> matrices;    ///< in the workspace's order
    std::int64_t runs = 0;                      ///< schedules of all of them
    std::vector<UnreadPattern> without_pattern; ///< measured, but left out
    ExcludedRuns left_out;
    /// The last calibration was fitted to all that there is: no matrix is left that it has not seen.
    bool all_were_fitted = false;
};

/// Profiles every schedule, which is linear in nnz for each level order and split. Where the last calibration
/// has seen every matrix, all are taken even if those are asked for that it has not. Errors: no such machine,
/// or nothing measured on it (Fault::Input); of the workspace; Fault::Cancelled.
[[nodiscard]] Result<CalibrationData> calibration_data(Workspace& workspace,
                                                       const CalibrationRequest& request,
                                                       const std::stop_token& stop = {},
                                                       const ProgressSink& progress = {});

/// The machine as its facts alone tell, before anything was fitted, running what the measurements ran.
[[nodiscard]] MachineParameters uncalibrated_parameters(const CalibrationData& data);

/// With fewer families of matrices none is kept back: too few would be left to fit, and to tell anything of
/// others.
inline constexpr std::size_t fewest_families_to_keep_back = 12;

/// Of WorkloadFamilies: CalibrationMatrix::family, or the stem of the name.
[[nodiscard]] std::string family_of(const CalibrationMatrix& matrix);
/// In the order in which they first occur.
[[nodiscard]] std::vector<std::string> families_of(std::span<const CalibrationMatrix> matrices);

/// Whether a matrix is kept back from the calibration, to hold the calibrated machine against: a third of
/// all, by its name's stem alone (name_stem()), so that it stays what it is in every run and workspace. A
/// matrix with forms under other names is kept back if all of them are: it has the name of one that is not as
/// its family.
[[nodiscard]] bool is_held_out(std::string_view matrix_or_family);

} // namespace sparsight
