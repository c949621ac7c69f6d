#include "gui/failures/failure_exports.h"

#include "base/atomic_file.h"
#include "base/parallel.h"
#include "evaluation/failures/failure_machine.h"
#include "evaluation/failures/failure_report.h"
#include "gui/comparison/pair_study.h"
#include "gui/failures/failure_words.h"
#include "gui/icons/icon.h"
#include "gui/jobs/counted_text.h"
#include "gui/jobs/job_texts.h"
#include "gui/page/availability.h"
#include "gui/page/report_printing.h"
#include "gui/program/program.h"
#include "gui/workspace/workspace_session.h"
#include "schedule/text.h"
#include "store/stored_pattern.h"
#include "store/workspace.h"

#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>

namespace sparsight {

namespace {

constexpr std::size_t most_pages = 10;

ReportOrigin origin_of(const ReadFailures& read) {
    return {.machine = read.setting.machine_name.toStdString(),
            .date = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString(),
            .created_by =
                QStringLiteral("%1 %2")
                    .arg(QCoreApplication::applicationName(), QCoreApplication::applicationVersion())
                    .toStdString()};
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

/// Absent: its pattern is not here, or one of both schedules can't be simulated.
Result<std::optional<FailurePage>> page_of(Workspace& workspace, const ReadFailures& read,
                                           const FailureCase& failure, const MachineDescription& machine,
                                           const std::stop_token& stop) {
    const auto record = find_matrix(workspace, failure.matrix);
    if (!record)
        return std::unexpected(record.error());
    const auto chosen = parse_schedule(read.setting.op, failure.main().chosen.schedule);
    const auto against = parse_schedule(read.setting.op, failure.main().against.schedule);
    if (!*record || (*record)->pattern == PatternPlace::Unknown || !chosen || !against)
        return std::nullopt;
    const auto pattern = load_pattern(workspace, (*record)->id);
    if (!pattern)
        return std::nullopt; // its file is gone
    const PairSubject subject{
        QString::fromStdString(failure.matrix), *against, *chosen, read.setting.dense, read.setting.machine,
        read.setting.threads.value_or(0)};
    auto explanation = explain_pair(subject, *pattern, machine, stop);
    if (!explanation && explanation.error().fault == Fault::Cancelled)
        return std::unexpected(explanation.error());
    if (!explanation)
        return std::nullopt;
    auto picture = report_picture(*pattern, available_threads());
    FailurePage page{.matrix = failure.matrix,
                     .statistics =
                         failure.statistics.value_or(compute_statistics(*pattern, available_threads())),
                     .picture = picture ? std::move(*picture) : std::vector<std::byte>{},
                     .dense = read.setting.dense,
                     .against_name = against_text(failure.main().held_against).toStdString(),
                     .explanation = std::move(*explanation),
                     .failure = failure,
                     .origin = origin_of(read)};
    page.origin.model = failure.model_name;
    return page;
}

} // namespace

Result<std::string> failures_report_html(const ReadFailures& read, const std::string& file,
                                         const std::stop_token& stop) {
    FailureReport report{.title =
                             FailureExports::tr("Where choices of schedules lose, and why").toStdString(),
                         .setting = setting_text(read.setting),
                         .op = read.setting.op,
                         .compared = static_cast<std::size_t>(read.setting.matrices.size()),
                         .cases = read.cases,
                         .stories = read.stories,
                         .origin = origin_of(read)};
    if (file.empty())
        return failures_html(report);
    auto workspace =
        Workspace::open(file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!workspace)
        return std::unexpected(workspace.error());
    const auto machine = failure_machine(*workspace, read.setting.machine.toStdString());
    if (!machine) {
        report.remarks.push_back(machine.error().text());
        return failures_html(report);
    }
    if (machine->stands_in)
        report.remarks.push_back(
            FailureExports::tr(
                "Simulated on this computer: of the machine itself no more than its name is known.")
                .toStdString());
    for (const FailureCase& failure : read.cases) {
        if (report.pages.size() >= most_pages)
            break;
        auto page = page_of(*workspace, read, failure, machine->machine, stop);
        if (!page)
            return std::unexpected(std::move(page.error()));
        if (*page)
            report.pages.push_back(std::move(**page));
    }
    return failures_html(report);
}

FailureExports::FailureExports(Services services, QWidget* page)
    : QObject(page)
    , services_(services)
    , page_(page)
    , report_(new QAction(icon(QStringLiteral("export")), tr("Save &report…"), page)) {
    report_->setObjectName(QStringLiteral("save-failure-report"));
    report_->setToolTip(tr("Stories, cases and a page for each of the greatest losses (HTML or PDF)"));
    connect(report_, &QAction::triggered, this, &FailureExports::ask_for_file);
    show_availability();
}

void FailureExports::show_failures(std::shared_ptr<const ReadFailures> read) {
    read_ = std::move(read);
    show_availability();
}

void FailureExports::show_availability() {
    const bool has_cases = read_ != nullptr && !read_->cases.empty();
    set_availability(*report_, !has_cases          ? tr("There is no failure to tell of.")
                               : writer_.is_busy() ? tr("A report is being written.")
                                                   : QString());
}

void FailureExports::ask_for_file() {
    auto* dialog = new QFileDialog(page_, tr("Save the report"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Page (*.html)"), tr("Print (*.pdf)")});
    dialog->setDefaultSuffix(QStringLiteral("html"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.contains(QStringLiteral("pdf")) ? QStringLiteral("pdf")
                                                                        : QStringLiteral("html"));
    });
    connect(dialog, &QFileDialog::fileSelected, this, &FailureExports::write);
    dialog->open();
}

void FailureExports::write(const QString& path) {
    if (read_ == nullptr)
        return;
    writer_.ask([read = read_, file = services_.session.path().toStdString()](
                    const std::stop_token& stop) { return failures_report_html(*read, file, stop); },
                [this, path](const Result<std::string>& html, bool) { finish(path, html); });
    show_availability();
}

void FailureExports::finish(const QString& path, const Result<std::string>& html) {
    QString problem = html ? QString() : QString::fromStdString(html.error().text());
    if (html && path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) {
        if (const auto printed = print_report(QString::fromStdString(*html), path); !printed)
            problem = printed.error();
    } else if (html) {
        if (const auto written = write_whole_file(path.toStdString(), *html); !written)
            problem = QString::fromStdString(written.error().text());
    }
    show_availability();
    Q_EMIT notice(problem.isEmpty() ? tr("Saved as %1").arg(path) : problem, !problem.isEmpty(),
                  QStringLiteral("save"));
}

} // namespace sparsight
