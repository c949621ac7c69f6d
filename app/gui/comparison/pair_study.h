// The machine on which two schedules are simulated beside each other.
#pragma once

#include "base/error.h"
#include "evaluation/diagnosis/explanation.h"
#include "gui/comparison/explanation_values.h"
#include "gui/comparison/schedule_picture.h"
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
    /// Another one is meant, of which no more than its name is known: this computer stands in for it.
    bool stands_in = false;
};

/// The one of this fingerprint, empty: this computer. Where the workspace has no description it is looked for
/// by probe(), which takes moments: for another thread.
class MachineRequest {
public:
    MachineRequest(const WorkspaceSession& session, const QString& fingerprint);

    [[nodiscard]] SimulatedMachine resolve() const;

private:
    QString name_;
    std::optional<MachineDescription> known_;
    bool is_here_ = true;
};

// Everything that is shown of two schedules on one matrix, simulated at once off the window's thread.

struct PairSubject {
    QString matrix;
    SuperSchedule against;
    SuperSchedule schedule;
    std::int64_t dense = 1;
    QString machine; ///< fingerprint; empty: this computer
    int threads = 0; ///< that kernels ran on; 0: all that the machine has
    bool operator==(const PairSubject&) const = default;
};

struct PairStudy {
    PairSubject subject;
    QString machine; ///< name of the one that is simulated
    bool machine_stands_in = false;
    std::array<SchedulePicture, 2> pictures; ///< against, schedule
    std::optional<ExplanationValues> explanation;
    QString no_explanation; ///< why there is none: one of both can't be built
};

/// On the threads of the subject, simulated. Errors: those of explain().
[[nodiscard]] Result<Explanation> explain_pair(const PairSubject& subject, const CsrPattern& pattern,
                                               const MachineDescription& machine,
                                               const std::stop_token& stop);

/// Takes its time: for another thread. Errors: Fault::Cancelled.
[[nodiscard]] Result<std::shared_ptr<const PairStudy>> study_pair(const PairSubject& subject,
                                                                  const CsrPattern& pattern,
                                                                  const MachineRequest& machine,
                                                                  const std::stop_token& stop);

// Two schedules side by side on a matrix whose pattern nobody has, as of recorded runtimes: what they decide
// differently, their loops and the trees of their storage are the same on every matrix.

/// Loops and trees are those of an example matrix, and so it is said; there are no times, no terms and no
/// sizes of storage. Takes moments. Errors: a schedule that can't be built.
[[nodiscard]] Result<std::shared_ptr<const PairStudy>> study_without_pattern(const PairSubject& subject);

} // namespace sparsight
