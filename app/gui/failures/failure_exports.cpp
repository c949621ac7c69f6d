#include "gui/failures/failure_exports.h"

#include "base/files.h"
#include "gui/icons/icon.h"
#include "gui/page/page.h"
#include "gui/page/report_printing.h"
#include "widgets/look/number_text.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileDialog>
#include <utility>

namespace sparsight {

std::string program_and_version() {
    return QStringLiteral("%1 %2")
        .arg(QCoreApplication::applicationName(), QCoreApplication::applicationVersion())
        .toStdString();
}

FailureExports::FailureExports(QWidget* page)
    : QObject(page)
    , page_(page)
    , report_(new QAction(icon(QStringLiteral("export")), tr("Save &report…"), page)) {
    report_->setObjectName(QStringLiteral("save-failure-report"));
    report_->setToolTip(tr("Groups and cases, and what more is known of the greatest losses (HTML or PDF)"));
    connect(report_, &QAction::triggered, this, &FailureExports::ask_for_file);
    show_availability();
}

void FailureExports::set_report(Write write) {
    write_ = std::move(write);
    show_availability();
}

void FailureExports::show_availability() {
    set_availability(*report_, !write_             ? tr("There is no failure to tell of.")
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
    if (!write_)
        return;
    writer_.ask(write_, [this, path](const Result<WrittenFailures>& report, bool) { finish(path, report); });
    show_availability();
}

void FailureExports::finish(const QString& path, const Result<WrittenFailures>& report) {
    QString problem = report ? QString() : QString::fromStdString(report.error().text());
    if (report && path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) {
        if (const auto printed = print_report(QString::fromStdString(report->html), path); !printed)
            problem = printed.error();
    } else if (report) {
        if (const auto written = write_whole_file(path.toStdString(), report->html); !written)
            problem = QString::fromStdString(written.error().text());
    }
    show_availability();
    QString saved = tr("Saved as %1").arg(path);
    if (report && report->without_page == 1)
        saved += tr("; one case has no page of its own, as the report says");
    else if (report && report->without_page > 1)
        saved += tr("; %1 cases have no page of their own, as the report says")
                     .arg(count_text(static_cast<qint64>(report->without_page)));
    Q_EMIT notice(problem.isEmpty() ? saved : problem, !problem.isEmpty(), QStringLiteral("save"));
}

} // namespace sparsight
