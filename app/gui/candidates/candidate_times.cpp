#include "gui/candidates/candidate_times.h"

#include "gui/workspace/workspace_session.h"

#include <utility>

namespace sparsight {

namespace {

Result<TimeSet> read_times(const std::string& file, const Domain& domain, const CandidateTimesQuery& query) {
    auto workspace =
        Workspace::open(file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!workspace)
        return std::unexpected(workspace.error());
    auto results = list_results(*workspace, {.domain = std::string(domain.name()),
                                             .workload = query.workload,
                                             .machine = query.machine,
                                             .setting = query.setting.text,
                                             .protocol = query.protocol,
                                             .threads = query.threads});
    if (!results)
        return std::unexpected(results.error());
    std::erase_if(*results, [&](const ResultRecord& result) { return result.setting != query.setting; });
    std::vector<TimeSet> sets = time_sets(domain, std::move(*results));
    return sets.empty() ? TimeSet() : std::move(sets.front());
}

} // namespace

CandidateTimes::CandidateTimes(WorkspaceSession& session, QObject* parent)
    : QObject(parent)
    , session_(session) {
    connect(&session, &WorkspaceSession::measurements_changed, this, &CandidateTimes::read);
    connect(&session, &WorkspaceSession::closed, this, &CandidateTimes::read);
}

void CandidateTimes::set_query(CandidateTimesQuery query) {
    query_ = std::move(query);
    times_ = {}; // those of another question must not stand under the new one
    read();
}

void CandidateTimes::read() {
    const Domain* const domain = session_.domains().find(query_.setting.domain);
    if (!session_.is_open() || query_.workload.empty() || domain == nullptr) {
        answers_.cancel();
        times_ = {};
        Q_EMIT times_changed();
        return;
    }
    answers_.ask([file = session_.path().toStdString(), domain,
                  query = query_](const std::stop_token&) { return read_times(file, *domain, query); },
                 // Shown even if more was measured meanwhile: otherwise a quick worker keeps the view empty.
                 [this, file = session_.path(), query = query_](Result<TimeSet> times, bool) {
                     if (file != session_.path() || query != query_)
                         return;
                     if (times)
                         times_ = *std::move(times);
                     Q_EMIT times_changed();
                     if (!times && !session_.look_for_file()) // that it is gone is said by the window
                         Q_EMIT failed(QString::fromStdString(times.error().text()));
                 });
}

} // namespace sparsight
