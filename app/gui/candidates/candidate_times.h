// The known times of what a search found: one set of times that compare with each other.
#pragma once

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

/// Reads them off the window's thread, again whenever something was measured.
class CandidateTimes : public QObject {
    Q_OBJECT

public:
    explicit CandidateTimes(WorkspaceSession& session, QObject* parent = nullptr);

    void set_query(CandidateTimesQuery query);
    [[nodiscard]] const CandidateTimesQuery& query() const { return query_; }
    /// The fastest first; empty where nothing is known.
    [[nodiscard]] const TimeSet& times() const { return times_; }
    [[nodiscard]] bool is_reading() const { return answers_.is_busy(); }

Q_SIGNALS:
    void times_changed();
    void failed(const QString& reason);

private:
    void read();

    WorkspaceSession& session_;
    CandidateTimesQuery query_;
    TimeSet times_;
    NewestAnswer<Result<TimeSet>> answers_{this};
};

} // namespace sparsight
