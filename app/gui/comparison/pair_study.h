// Everything that is shown of two schedules on one matrix, simulated at once off the window's thread.
#pragma once

#include "base/error.h"
#include "evaluation/diagnosis/explanation.h"
#include "gui/comparison/schedule_picture.h"
#include "gui/comparison/shown_explanation.h"
#include "gui/comparison/simulated_machine.h"

#include <array>
#include <memory>
#include <stop_token>

namespace sparsight {

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
    std::optional<ShownExplanation> explanation;
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

} // namespace sparsight
