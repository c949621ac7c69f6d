// The simulation of two schedules on one matrix, off the window's thread, with everything that the comparison
// shows: the machine that is simulated, both loop nests and storage trees, and the explanation of the
// difference.
#pragma once

#include "base/error.h"
#include "domains/sparse/explanation/explanation.h"
#include "gui/domains/sparse/comparison/explanation_values.h"
#include "gui/domains/sparse/comparison/schedule_picture.h"
#include "machine/machine_description.h"

#include <QString>
#include <array>
#include <memory>
#include <optional>
#include <stop_token>

namespace sparsight {

class WorkspaceSession;

struct SimulatedMachine {
    QString name;
    MachineDescription machine;
    /// The wanted machine is known only by its name: this computer is simulated in its place.
    bool stands_in = false;
};

/// Finds the machine with this fingerprint (empty: this computer). Where the workspace has no description of
/// it, resolve() calls probe(), which takes moments: call it on another thread.
class MachineRequest {
public:
    MachineRequest(const WorkspaceSession& session, const QString& fingerprint);

    [[nodiscard]] SimulatedMachine resolve() const;

private:
    QString name_;
    std::optional<MachineDescription> known_;
    bool is_here_ = true;
};

struct PairSubject {
    QString matrix;
    SuperSchedule against;
    SuperSchedule schedule;
    std::int64_t dense = 1;
    QString machine; ///< fingerprint; empty: this computer
    int threads = 0; ///< number of threads that kernels ran on; 0: all threads of the machine
    bool operator==(const PairSubject&) const = default;
};

struct PairStudy {
    PairSubject subject;
    QString machine; ///< name of the simulated machine
    bool machine_stands_in = false;
    double simulation_error = usual_simulation_error; ///< of this machine
    std::array<SchedulePicture, 2> pictures;          ///< against, schedule
    std::optional<ExplanationValues> explanation;
    QString no_explanation; ///< why there is no explanation: one of the two schedules can't be built
};

/// Simulates with the number of threads of the subject. Errors: those of explain().
[[nodiscard]] Result<Explanation> explain_pair(const PairSubject& subject, const CsrPattern& pattern,
                                               const MachineDescription& machine,
                                               const std::stop_token& stop);

/// Takes long: call it on another thread. Errors: Fault::Cancelled.
[[nodiscard]] Result<std::shared_ptr<const PairStudy>> study_pair(const PairSubject& subject,
                                                                  const CsrPattern& pattern,
                                                                  const MachineRequest& machine,
                                                                  const std::stop_token& stop);

/// For recorded runtimes, where the pattern of the matrix is not available: the decisions that differ, the
/// loops and the storage trees are the same for every matrix. Loops and trees are drawn for an example
/// matrix, and the study says so; it has no times, no terms and no storage sizes. Takes moments. Errors: a
/// schedule that can't be built.
[[nodiscard]] Result<std::shared_ptr<const PairStudy>> study_without_pattern(const PairSubject& subject);

} // namespace sparsight
