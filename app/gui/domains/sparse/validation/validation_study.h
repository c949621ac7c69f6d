// The validation of the machine that is looked at: computed off the window's thread from what the workspace
// stores, stoppable, and never beside a measurement, which it would spoil.
#pragma once

#include "domains/sparse/workflow/calibration/machine_calibration.h"
#include "gui/jobs/job.h"
#include "gui/page/page.h"
#include "gui/workspace/background_work.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>

namespace sparsight {

/// Everything that the answer depends on: the same subject has the same answer.
struct ValidationSubject {
    QString workspace;
    QString machine;         ///< fingerprint
    std::string description; ///< of the machine, as it is stored
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::int64_t measurements = 0; ///< that there are of it
    bool held_out_only = true;

    bool operator==(const ValidationSubject&) const = default;
};

class ValidationStudy : public QObject {
    Q_OBJECT

public:
    enum class State {
        Nothing, ///< is looked at
        Waiting, ///< until a measurement has ended
        Computing,
        Done,
        Stopped, ///< by the user
        Failed,  ///< reason() says why
    };

    explicit ValidationStudy(Services services, QObject* parent = nullptr);
    ~ValidationStudy() override;

    /// Computes what is not known yet; does nothing for what it looks at already. Without a subject it stops.
    void look_at(const std::optional<ValidationSubject>& subject);
    /// After it was stopped, or failed.
    void compute();
    void stop();

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] const QString& reason() const { return reason_; }
    /// Of the subject once it is done; while it waits or is computed that of the same choice (machine,
    /// operator, dense extent, matrices) as it was before; or else nullptr.
    [[nodiscard]] std::shared_ptr<const MachineValidation> validation() const { return validation_; }
    [[nodiscard]] JobProgress progress() const;
    [[nodiscard]] bool is_busy() const { return state_ == State::Computing; }

Q_SIGNALS:
    void changed();
    void progressed();

private:
    struct SharedProgress;

    void begin_when_quiet();
    void take(Result<std::shared_ptr<const MachineValidation>> answer);
    void enter(State state);

    Services services_;
    std::optional<ValidationSubject> subject_;
    State state_ = State::Nothing;
    QString reason_;
    std::shared_ptr<const MachineValidation> validation_;
    std::shared_ptr<SharedProgress> progress_; ///< the work on the other thread writes it
    QElapsedTimer since_begin_;
    QTimer look_; ///< at the progress
    NewestAnswer<Result<std::shared_ptr<const MachineValidation>>> answers_{this};
};

} // namespace sparsight
