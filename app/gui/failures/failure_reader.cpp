#include "gui/failures/failure_reader.h"

#include "base/observer.h"
#include "gui/page/domain_words.h"
#include "store/models.h"
#include "store/workload_families.h"
#include "store/workspace.h"
#include "workflow/explanation/failures_study.h"

#include <QCoreApplication>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

struct ReaderTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Failures)
};

} // namespace

Result<MisleadingParts> ask_gray_boxes(const std::string& file, const ReadFailures& failures,
                                       const std::stop_token& stop) {
    auto workspace =
        Workspace::open(file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    return find_misleading_parts(*workspace, failures.evaluation, failures.cases, {}, stop);
}

void take_misleading_parts(ReadFailures& failures, const MisleadingParts& parts) {
    for (std::size_t at = 0; at < std::min(failures.cases.size(), parts.of_cases.size()); ++at)
        failures.cases[at].misleading = parts.of_cases[at];
    for (const std::string& remark : parts.remarks)
        failures.remarks << QString::fromStdString(remark);
    failures.is_misled_known = parts.remarks.empty();
}

void keep_misleading_parts(ReadFailures& failures, const ReadFailures& before) {
    if (!failures.shown || !before.shown || failures.shown->run != before.shown->run)
        return;
    failures.is_misled_known = before.is_misled_known;
    for (FailureCase& failure : failures.cases) {
        const auto same = std::ranges::find_if(before.cases, [&](const FailureCase& each) {
            return each.model == failure.model && each.workload == failure.workload &&
                   each.main().chosen.configuration == failure.main().chosen.configuration &&
                   each.main().against.configuration == failure.main().against.configuration;
        });
        const double factor = 1 + failure.main().lost_share();
        if (same == before.cases.end())
            failures.is_misled_known = false;
        if (same == before.cases.end() || !same->misleading || !(factor > 1))
            continue;
        failure.misleading = same->misleading;
        failure.misleading->known = factor;
    }
}

Result<void> read_newest_failures(const WantedEvaluationFailures& wanted, ReadFailures& answer,
                                  const std::function<Result<bool>(const StoredEvaluation& stored)>& read) {
    QStringList unreadable;
    std::vector<StoredEvaluation> in_order = answer.evaluations;
    std::erase_if(in_order, [&](const StoredEvaluation& stored) {
        return !std::ranges::all_of(wanted.models,
                                    [&](const QString& model) { return stored.models.contains(model); });
    });
    const auto passed_over = wanted.wish.sort(in_order);
    for (const StoredEvaluation& stored : in_order) {
        if (wanted.wish.run && stored.run != *wanted.wish.run)
            continue;
        const auto has_something = read(stored);
        if (has_something && *has_something) {
            answer.shown = stored;
            answer.problem.clear();
            answer.remarks = unreadable + answer.remarks;
            if (!wanted.wish.run && passed_over && stored.run == in_order.front().run)
                answer.remarks << ReaderTexts::tr(
                    "A newer evaluation has no times in turns, so this one is shown.");
            if (stored.lacks_turns)
                answer.remarks << ReaderTexts::tr("This evaluation has no times in turns. Others have them, "
                                                  "but not for all of its choices.");
            return {};
        }
        if (!has_something && has_something.error().fault == Fault::Cancelled)
            return std::unexpected(has_something.error());
        answer.remarks.clear();
        answer.problem = has_something ? QString() : QString::fromStdString(has_something.error().text());
        if (!has_something)
            unreadable << ReaderTexts::tr("A newer evaluation can’t be read: %1").arg(answer.problem);
    }
    return {};
}

Result<void> remark_on_learned(Workspace& workspace, const Domain& domain, const ModelEvaluation& evaluation,
                               QStringList& remarks) {
    const auto lineage = ModelLineage::read(workspace);
    if (!lineage)
        return std::unexpected(lineage.error());
    const auto families = WorkloadFamilies::read(workspace, domain);
    if (!families)
        return std::unexpected(families.error());
    for (const EvaluatedModel& model : evaluation.models) {
        std::vector<std::string> names;
        for (const EvaluatedWorkload& each : model.workloads)
            names.push_back(each.times.workload);
        const auto learned = std::ssize(training_workloads_among(*lineage, {&model.id, 1}, names, *families));
        if (learned > 0)
            remarks << ReaderTexts::tr("%1 has learned from %2 of these %3.")
                           .arg(QString::fromStdString(model.name))
                           .arg(learned)
                           .arg(counted(static_cast<qint64>(model.workloads.size()),
                                        evaluation.words.workload));
    }
    return {};
}

namespace {

Result<bool> read_run(Workspace& workspace, const Domain& domain, const StoredEvaluation& stored,
                      const std::stop_token& stop, ReadFailures& answer) {
    Observer nobody;
    auto found = answer_failures(workspace, domain, {.evaluation = static_cast<std::int64_t>(stored.run)},
                                 nobody, stop);
    if (!found)
        return std::unexpected(std::move(found).error());
    for (const std::string& remark : found->remarks)
        answer.remarks << QString::fromStdString(remark);
    if (auto told = remark_on_learned(workspace, domain, found->evaluation, answer.remarks); !told)
        return std::unexpected(std::move(told).error());
    const auto has_one = has_gray_box(workspace, found->cases);
    if (!has_one)
        return std::unexpected(has_one.error());
    answer.has_gray_box = *has_one;
    answer.cases = std::move(found->cases);
    answer.groups = std::move(found->groups);
    answer.evaluation = std::move(found->evaluation);
    return answer.evaluation.workloads() > 0;
}

} // namespace

Result<std::shared_ptr<const ReadFailures>>
read_failures_by_known_times(const WantedEvaluationFailures& wanted, const Domain& domain,
                             const DomainRegistry& domains, const std::stop_token& stop) {
    auto workspace = Workspace::open(
        wanted.workspace, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    auto evaluations = list_evaluations(*workspace, domain, domains);
    if (!evaluations)
        return std::unexpected(std::move(evaluations).error());
    auto answer = std::make_shared<ReadFailures>();
    answer->evaluations = *std::move(evaluations);
    if (auto read = read_newest_failures(wanted, *answer,
                                         [&](const StoredEvaluation& stored) {
                                             return read_run(*workspace, domain, stored, stop, *answer);
                                         });
        !read)
        return std::unexpected(std::move(read).error());
    return answer;
}

} // namespace sparsight
