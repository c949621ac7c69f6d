#include "gui/candidates/candidate_times.h"

#include "evaluation/stored_turns.h"
#include "gui/workspace/workspace_session.h"

#include <span>
#include <utility>

namespace sparsight {

namespace {

Result<KnownCandidateTimes> read_times(const std::string& file, const Domain& domain,
                                       const CandidateTimesQuery& query) {
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
    KnownCandidateTimes known;
    if (sets.empty())
        return known;
    known.set = std::move(sets.front());
    if (const ConfigurationTime* const best = known.set.best()) {
        auto in_turns = fastest_in_turns(*workspace, domain, std::span(&best->result, 1));
        if (!in_turns)
            return std::unexpected(std::move(in_turns).error());
        known.in_turns = std::move(in_turns->front());
    }
    return known;
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
    known_ = {}; // those of another question must not stand under the new one
    read();
}

void CandidateTimes::read() {
    const Domain* const domain = session_.domains().find(query_.setting.domain);
    if (!session_.is_open() || query_.workload.empty() || domain == nullptr) {
        answers_.cancel();
        known_ = {};
        Q_EMIT times_changed();
        return;
    }
    answers_.ask([file = session_.path().toStdString(), domain,
                  query = query_](const std::stop_token&) { return read_times(file, *domain, query); },
                 // Shown even if more was measured meanwhile: otherwise a quick worker keeps the view empty.
                 [this, file = session_.path(), query = query_](Result<KnownCandidateTimes> known, bool) {
                     if (file != session_.path() || query != query_)
                         return;
                     if (known)
                         known_ = *std::move(known);
                     Q_EMIT times_changed();
                     if (!known && !session_.look_for_file()) // that it is gone is said by the window
                         Q_EMIT failed(QString::fromStdString(known.error().text()));
                 });
}

} // namespace sparsight
