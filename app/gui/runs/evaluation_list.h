// The evaluations of a workspace, and which of them a page shows.
#pragma once

#include "base/error.h"
#include "store/runs.h"
#include "study/domain.h"

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace sparsight {

class Workspace;

/// What an evaluation that one asks for has; what is empty is open.
struct EvaluationLink {
    QString workload;
    QString machine; ///< fingerprint
    QString model;
};

struct StoredEvaluation {
    RunId run{};
    QStringList models;
    QString machine;       ///< fingerprint
    QString condition;     ///< of the runs there; mostly empty
    QStringList workloads; ///< names
    int k = 20;
    RunState state = RunState::Running;
    QDateTime started;
    /// The one with times in turns that is shown in its place (evaluation/stored_evaluations.h).
    std::optional<RunId> in_turns{};
    bool lacks_turns = false; ///< there is none: others have turns, but not for all of its choices

    /// Whether it has the workload, the machine and the model, as far as they are named.
    [[nodiscard]] bool is_of(const EvaluationLink& link) const;

    bool operator==(const StoredEvaluation&) const = default;
};

/// Which evaluation a page shows.
struct EvaluationWish {
    std::optional<RunId> run{}; ///< that the user chose
    std::optional<EvaluationLink>
        link{}; ///< otherwise the newest that this link fits, else the newest of all
    /// Without both, the newest of this model, else the newest of all.
    QString model{};

    [[nodiscard]] bool is_any() const { return !run && !link && model.isEmpty(); }
    /// The newest of this model from now on; false where `shown` is of it, or none of `all` is.
    bool turn_to(const QString& selected, const std::vector<StoredEvaluation>& all, const QStringList& shown);
    /// Those that are wished for before the others, and of each those that were not stopped first; otherwise
    /// in the same order. Before the first one stands what is shown in its place, and the first one is
    /// returned: it has no times in turns.
    std::optional<RunId> sort(std::vector<StoredEvaluation>& evaluations) const;
};

/// The newest first; evaluations whose parameters can't be understood are left out.
[[nodiscard]] Result<std::vector<StoredEvaluation>>
list_evaluations(Workspace& workspace, const Domain& domain, const DomainRegistry& domains);

} // namespace sparsight
