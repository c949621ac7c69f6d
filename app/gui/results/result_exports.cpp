#include "gui/results/result_exports.h"

#include "base/atomic_file.h"
#include "evaluation/evaluation_writers.h"
#include "gui/icons/icon.h"
#include "gui/page/availability.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>

namespace sparsight {

ResultExports::ResultExports(QWidget* page)
    : QObject(page)
    , page_(page)
    , copy_(new QAction(icon(QStringLiteral("copy")), tr("Copy as &Markdown"), page))
    , report_(new QAction(icon(QStringLiteral("export")), tr("Save &report…"), page)) {
    copy_->setObjectName(QStringLiteral("copy-markdown"));
    copy_->setToolTip(tr("The tables with their intervals, for a report or a message"));
    report_->setObjectName(QStringLiteral("save-report"));
    report_->setToolTip(tr("One page with tables and figures that needs nothing else (HTML)"));
    connect(copy_, &QAction::triggered, this, &ResultExports::copy_markdown);
    connect(report_, &QAction::triggered, this, &ResultExports::save_report);
}

void ResultExports::show_evaluation(std::shared_ptr<const ModelEvaluation> evaluation) {
    evaluation_ = std::move(evaluation);
    for (QAction* action : {copy_, report_})
        set_availability(*action, evaluation_ ? QString() : tr("There is no evaluation to export."));
}

void ResultExports::copy_markdown() {
    if (evaluation_ == nullptr)
        return;
    QGuiApplication::clipboard()->setText(QString::fromStdString(evaluation_markdown(*evaluation_)));
    Q_EMIT notice(tr("Copied"), false, QStringLiteral("copy"));
}

void ResultExports::save_report() {
    auto* dialog = new QFileDialog(page_, tr("Save the report"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Page (*.html)"));
    dialog->setDefaultSuffix(QStringLiteral("html"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, evaluation = evaluation_](const QString& path) {
        const auto written = write_whole_file(path.toStdString(), evaluation_html(*evaluation));
        Q_EMIT notice(written ? tr("Saved as %1").arg(path) : QString::fromStdString(written.error().text()),
                      !written, QStringLiteral("save"));
    });
    dialog->open();
}

} // namespace sparsight
