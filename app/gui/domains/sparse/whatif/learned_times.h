// What a model of the workspace says of the ranked schedules on one machine.
#pragma once

#include "domains/sparse/workflow/explanation/what_if_study.h"
#include "gui/domains/sparse/whatif/schedule_study.h"
#include "gui/jobs/resident_learner.h"
#include "gui/runs/stored_learning.h"

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <string>

namespace sparsight {

/// The models that can say something of these schedules there, the most telling first: gray boxes that were
/// adapted to the machine, other gray boxes, other models. A gray box that was adapted to another machine
/// tells of that one. `machine` is a name of the workspace; empty: of no machine of it, so none can.
[[nodiscard]] QStringList models_that_tell(const StoredLearning& learning, const Domain& domain,
                                           const Setting& setting, const QString& machine);

struct LearnedSubject {
    QString workspace;
    QString model;
    ModelId stored{}; ///< another one where a model of this name was made anew
    QString machine;  ///< fingerprint
    std::shared_ptr<const Study> study;

    bool operator==(const LearnedSubject&) const = default;
};

class LearnedTimes : public QObject {
    Q_OBJECT

public:
    /// The learner must outlive it.
    explicit LearnedTimes(ResidentLearner& learner, QObject* parent = nullptr);

    /// Asks unless it was asked that last. Without a study, nothing is asked or known.
    void ask(const LearnedSubject& subject);
    /// nullptr while the model is asked, and where it could not be.
    [[nodiscard]] const LearnedRanking* ranking() const { return ranking_ ? &*ranking_ : nullptr; }
    /// Why there is none.
    [[nodiscard]] const QString& problem() const { return problem_; }
    [[nodiscard]] bool is_busy() const { return learner_.is_asked(key_); }

Q_SIGNALS:
    void changed();

private:
    void take(const nlohmann::ordered_json& answer);
    void refuse(const QString& reason);

    ResidentLearner& learner_;
    const QString key_; ///< of its questions
    LearnedSubject subject_;
    std::optional<LearnedRanking> ranking_;
    QString problem_;
};

} // namespace sparsight
