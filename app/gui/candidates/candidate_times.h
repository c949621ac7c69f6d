// The known times of what a search found: one set of times that compare with each other, and the fastest when
// an evaluation measured the best in turns.
#pragma once

#include "evaluation/rematch_times.h"
#include "gui/workspace/background_work.h"
#include "gui/workspace/configuration_times.h"
#include "study/domain.h"

#include <QObject>
#include <optional>
#include <string>

namespace sparsight {

class WorkspaceSession;

struct CandidateTimesQuery {
    std::string workload{}; ///< empty: no times
    std::string machine{};  ///< name or fingerprint
    Setting setting{};
    std::string protocol{};       ///< empty: the one with the most times
    std::optional<int> threads{}; ///< absent: likewise

    bool operator==(const CandidateTimesQuery&) const = default;
};

struct KnownCandidateTimes {
    TimeSet set{};
    /// Under the conditions of the set; absent where nothing was measured in turns.
    std::optional<FastestInTurns> in_turns{};
};

/// Reads them off the window's thread, again whenever something was measured.
class CandidateTimes : public QObject {
    Q_OBJECT

public:
    explicit CandidateTimes(WorkspaceSession& session, QObject* parent = nullptr);

    void set_query(CandidateTimesQuery query);
    [[nodiscard]] const CandidateTimesQuery& query() const { return query_; }
    /// The fastest first; empty where nothing is known.
    [[nodiscard]] const TimeSet& times() const { return known_.set; }
    /// nullptr: nothing was measured in turns.
    [[nodiscard]] const FastestInTurns* in_turns() const {
        return known_.in_turns ? &*known_.in_turns : nullptr;
    }
    [[nodiscard]] bool is_reading() const { return answers_.is_busy(); }

Q_SIGNALS:
    void times_changed();
    void failed(const QString& reason);

private:
    void read();

    WorkspaceSession& session_;
    CandidateTimesQuery query_;
    KnownCandidateTimes known_;
    NewestAnswer<Result<KnownCandidateTimes>> answers_{this};
};

} // namespace sparsight
