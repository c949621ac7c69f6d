#include "gui/domains/sparse/failures/failures_report.h"

#include "base/parallel.h"
#include "domains/sparse/explanation/failures/stored_failures.h"
#include "domains/sparse/explanation/pages/failure_report.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "gui/domains/sparse/comparison/pair_study.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/jobs/job_texts.h"
#include "store/workspace.h"
#include "widgets/look/number_text.h"

#include <QDateTime>
#include <QFileInfo>
#include <algorithm>

namespace sparsight {

namespace {

constexpr std::size_t most_pages = 10;

ReportOrigin origin_of(const SparseFailures& read) {
    return {.machine = read.setting.machine_name.toStdString(),
            .date = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString(),
            .created_by = program_and_version()};
}

std::string setting_text(const FailureSetting& setting) {
    const QString models = setting.models.join(QStringLiteral(", "));
    return (setting.table.isEmpty()
                ? FailureExports::tr("%1 on %2, %3, %4")
                      .arg(models, setting.machine_name, matrices_text(setting.matrices.size()),
                           operator_text(setting.op))
                : FailureExports::tr("%1, %2").arg(QFileInfo(setting.table).fileName(),
                                                   matrices_text(setting.matrices.size())))
        .toStdString();
}

QString told(const Error& error) {
    return QString::fromStdString(error.text());
}

/// Cases that have no page, in the order in which they were looked at.
class WithoutPage {
public:
    void add(const FailureCase& failure, const QString& reason) {
        const auto known = std::ranges::find(groups_, reason, &Group::reason);
        Group& group = known == groups_.end() ? groups_.emplace_back(reason) : *known;
        const QString matrix = QString::fromStdString(failure.workload);
        if (!group.matrices.contains(matrix))
            group.matrices << matrix;
        ++cases_;
    }

    [[nodiscard]] std::size_t cases() const { return cases_; }

    /// A sentence a reason.
    [[nodiscard]] std::vector<std::string> remarks() const {
        std::vector<std::string> sentences;
        for (const Group& group : groups_)
            sentences.push_back(FailureExports::tr("No page of %1: %2.")
                                    .arg(names(group.matrices), group.reason)
                                    .toStdString());
        return sentences;
    }

private:
    struct Group {
        QString reason;
        QStringList matrices{};
    };

    static QString names(const QStringList& matrices) {
        constexpr qsizetype most_named = 5;
        const QString named =
            matrices.first(std::min(most_named, matrices.size())).join(QStringLiteral(", "));
        const qsizetype more = matrices.size() - most_named;
        return more > 0 ? FailureExports::tr("%1 and %2 more").arg(named, count_text(more)) : named;
    }

    std::vector<Group> groups_;
    std::size_t cases_ = 0;
};

/// Absent: its pattern is not here, or one of both schedules can't be simulated, as `without_page` says then.
Result<std::optional<FailurePage>> page_of(Workspace& workspace, const SparseFailures& read,
                                           const FailureCase& failure, const MachineDescription& machine,
                                           const std::stop_token& stop, WithoutPage& without_page) {
    const auto record = find_matrix(workspace, failure.workload);
    if (!record)
        return std::unexpected(record.error());
    const auto no_page = [&](const QString& reason) {
        without_page.add(failure, reason);
        return std::nullopt;
    };
    if (!*record || (*record)->pattern == PayloadPlace::Unknown)
        return no_page(FailureExports::tr("the workspace does not have its pattern"));
    const auto chosen = parse_schedule(read.setting.op, failure.main().chosen.configuration);
    const auto against = parse_schedule(read.setting.op, failure.main().against.configuration);
    if (!chosen || !against)
        return no_page(FailureExports::tr("one of both schedules is not known"));
    const auto pattern = load_pattern(workspace, (*record)->id);
    if (!pattern)
        return no_page(told(pattern.error())); // its file is gone
    const PairSubject subject{
        QString::fromStdString(failure.workload), *against, *chosen, read.setting.dense, read.setting.machine,
        read.setting.threads.value_or(0)};
    auto explanation = explain_pair(subject, *pattern, machine, stop);
    if (!explanation && explanation.error().fault == Fault::Cancelled)
        return std::unexpected(explanation.error());
    if (!explanation)
        return no_page(told(explanation.error()));
    auto picture = report_picture(*pattern, available_threads());
    FailurePage page{.matrix = failure.workload,
                     .statistics = compute_statistics(*pattern, available_threads()),
                     .picture = picture ? std::move(*picture) : std::vector<std::byte>{},
                     .dense = read.setting.dense,
                     .against_name = failure_words().against(failure.main().held_against).toStdString(),
                     .explanation = std::move(*explanation),
                     .failure = failure,
                     .origin = origin_of(read)};
    page.origin.model = failure.model_name;
    return page;
}

} // namespace

Result<WrittenFailures> failures_report(const SparseFailures& read, const std::string& file,
                                        const std::stop_token& stop) {
    FailureReport report{.title =
                             FailureExports::tr("Where chosen schedules are slow, and why").toStdString(),
                         .setting = setting_text(read.setting),
                         .op = read.setting.op,
                         .compared = static_cast<std::size_t>(read.setting.matrices.size()),
                         .cases = read.cases,
                         .groups = read.groups,
                         .origin = origin_of(read)};
    const auto without_pages = [&](const QString& reason) {
        report.remarks.push_back(reason.toStdString());
        return WrittenFailures{failures_html(report), read.cases.size()};
    };
    if (file.empty())
        return without_pages(
            FailureExports::tr("No case has a page of its own: no workspace is open that has its pattern."));
    auto workspace =
        Workspace::open(file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!workspace)
        return std::unexpected(workspace.error());
    const auto machine = failure_machine(*workspace, read.setting.machine.toStdString());
    if (!machine)
        return without_pages(
            FailureExports::tr("No case has a page of its own: %1.").arg(told(machine.error())));
    if (machine->stands_in)
        report.remarks.push_back(
            FailureExports::tr("Simulated on this computer: only the name of the machine itself is known.")
                .toStdString());
    WithoutPage without_page;
    for (const FailureCase& failure : read.cases) {
        if (report.pages.size() >= most_pages)
            break;
        auto page = page_of(*workspace, read, failure, machine->machine, stop, without_page);
        if (!page)
            return std::unexpected(std::move(page.error()));
        if (*page)
            report.pages.push_back(std::move(**page));
    }
    for (std::string& remark : without_page.remarks())
        report.remarks.push_back(std::move(remark));
    return WrittenFailures{failures_html(report), without_page.cases()};
}

} // namespace sparsight
