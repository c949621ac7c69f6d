#include "gui/results/result_view.h"

#include "base/files.h"
#include "evaluation/reports/evaluation_report.h"
#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/page/page.h"
#include "gui/results/result_charts.h"
#include "gui/results/result_statements.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QClipboard>
#include <QDataStream>
#include <QFileDialog>
#include <QGuiApplication>
#include <QIODevice>
#include <QLabel>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {

ResultView::ResultView(const DomainWords& words, QWidget* choice, const OfferComparison& offer_comparison,
                       QWidget* parent)
    : QScrollArea(parent)
    , words_(words)
    , summary_rows_(words)
    , workload_rows_(words)
    , headline_(new QLabel(this))
    , notes_(new QToolButton(this))
    , first_note_(new ElidedLabel(this))
    , remarks_(new QLabel(this))
    , charts_(new ResultCharts(words, this))
    , exports_(new ResultExports(this))
    , summary_(new DataTable(this))
    , table_(new DataTable(this))
    , tabs_(new QTabWidget(this))
    , rows_(new QSplitter(Qt::Vertical, this)) {
    build_tables(offer_comparison);
    build(choice);
    connect(exports_, &ResultExports::notice, this, &ResultView::notice);
    connect(charts_, &ResultCharts::picked, this, &ResultView::picked);
}

void ResultView::build_tables(const OfferComparison& offer_comparison) {
    summary_->set_model(&summary_rows_);
    summary_->setAccessibleName(tr("Models"));
    summary_->set_selection_mode_single(true);
    // There is no room for these columns; the menu offers them. The legend of the dots shows τ.
    for (const int column : {SummaryModel::Median, SummaryModel::Tau})
        summary_->set_column_shown(column, false);
    if (!words_.baseline) { // nothing to gain over
        for (const int column :
             {SummaryModel::Geometric, SummaryModel::Mean, SummaryModel::Losing, SummaryModel::Worst})
            summary_->set_column_shown(column, false);
        summary_->set_column_shown(SummaryModel::Tau, true);
    }
    table_->set_model(&workload_rows_);
    table_->setObjectName(QStringLiteral("evaluated-rows"));
    table_->setAccessibleName(title_of_many(words_.workload));
    table_->set_selection_mode_single(
        false); // several rows can be selected, to evaluate only their workloads
    if (offer_comparison)
        offer_comparison(*table_, [this](int row) {
            const WorkloadResult& result = workload_rows_.row(row);
            return ComparedChoice{workload_rows_.workload(row),
                                  shown_.machine,
                                  setting_,
                                  QString::fromStdString(result.found.best_configuration),
                                  tr("%1’s choice").arg(result.model),
                                  result.found.times.best_ms};
        });
    if (!words_.baseline)
        for (const int column : {WorkloadResultsModel::Speedup, WorkloadResultsModel::Baseline})
            table_->set_column_shown(column, false);
    table_->sort_by(words_.baseline ? WorkloadResultsModel::Speedup : WorkloadResultsModel::Regret,
                    Qt::DescendingOrder);
    connect(table_, &DataTable::current_row_changed, this, [this](int row) {
        if (row >= 0 && !is_filling_)
            Q_EMIT picked(workload_rows_.workload(row));
    });
    connect(table_, &DataTable::activated_row, this,
            [this](int row) { Q_EMIT activated(workload_rows_.workload(row)); });
    connect(table_, &DataTable::selection_changed, this, &ResultView::tell_selected_rows);
}

void ResultView::build(QWidget* choice) {
    keep_font(*headline_, title_font);
    headline_->setWordWrap(true);
    headline_->setTextFormat(Qt::PlainText);
    headline_->setObjectName(QStringLiteral("findings"));
    tabs_->setDocumentMode(true);
    tabs_->setObjectName(QStringLiteral("result-tables"));
    tabs_->addTab(table_, title_of_many(words_.workload));
    tabs_->addTab(summary_, tr("Models"));
    tabs_->setMinimumHeight(25 * grid_step); // some rows, where the page scrolls
    rows_->addWidget(charts_);
    rows_->addWidget(tabs_);
    rows_->setSizes({280, 240});
    rows_->setStretchFactor(0, 3);
    rows_->setStretchFactor(1, 2);
    rows_->setChildrenCollapsible(false);
    auto* view = new QWidget(this);
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(make_tools(choice));
    column->addWidget(headline_);
    column->addLayout(make_notes());
    column->addWidget(remarks_);
    column->addWidget(rows_, 1);
    setWidget(view);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

QBoxLayout* ResultView::make_tools(QWidget* choice) {
    auto* tools = new QHBoxLayout;
    tools->setSpacing(grid_step);
    tools->addWidget(choice, 12); // its entries are long
    auto* info = new InfoButton(tr("What the figures, bars and dots say"), QStringLiteral("results"), this);
    connect(info, &InfoButton::help_requested, this, &ResultView::help_requested);
    tools->addWidget(info);
    tools->addStretch(1);
    for (QAction* action : exports_->actions()) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        tools->addWidget(button);
    }
    return tools;
}

QBoxLayout* ResultView::make_notes() {
    notes_->setObjectName(QStringLiteral("result-notes"));
    notes_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    notes_->setAutoRaise(true);
    notes_->setCheckable(true);
    first_note_->setTextFormat(Qt::PlainText);
    first_note_->setForegroundRole(QPalette::PlaceholderText);
    remarks_->setWordWrap(true);
    remarks_->setTextFormat(Qt::PlainText);
    remarks_->setForegroundRole(QPalette::PlaceholderText);
    remarks_->setObjectName(QStringLiteral("remarks"));
    connect(notes_, &QToolButton::toggled, this, &ResultView::fold_remarks);
    auto* line = new QHBoxLayout;
    line->addWidget(notes_);
    line->addWidget(first_note_, 1);
    return line;
}

void ResultView::show_remarks(const QStringList& remarks) {
    const QString all = with_whole_numbers(remarks.join(u'\n'));
    remarks_->setText(all);
    first_note_->setText(remarks.isEmpty() ? QString() : with_whole_numbers(remarks.front()));
    first_note_->setToolTip(all);
    notes_->setText(tr("Notes (%1)").arg(remarks.size()));
    fold_remarks();
}

/// To the first line, until the user unfolds them.
void ResultView::fold_remarks() {
    const bool is_open = notes_->isChecked();
    const bool has_some = !remarks_->text().isEmpty();
    notes_->setIcon(icon(is_open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    notes_->setVisible(has_some);
    first_note_->setVisible(has_some && !is_open);
    remarks_->setVisible(has_some && is_open);
}

void ResultView::show_evaluation(const ReadEvaluations& read, const StoredEvaluation& stored,
                                 const QStringList& notes) {
    static const ModelEvaluation none;
    const ModelEvaluation& evaluation = read.shown ? *read.shown : none;
    headline_->setText(read.shown == nullptr ? read.problem : with_whole_numbers(findings(evaluation)));
    shown_ = stored;
    setting_ = evaluation.setting;
    const bool is_stored = read.shown != nullptr && !stored.models.isEmpty();
    QStringList remarks = is_stored ? notes : QStringList();
    if (const QString missing = what_is_missing(evaluation, stored.state); is_stored && !missing.isEmpty())
        remarks.prepend(missing);
    const auto has_turns = [](const EvaluatedModel& model) {
        return std::ranges::any_of(model.workloads, [](const auto& each) { return each.turns > 0; });
    };
    if (std::ranges::any_of(evaluation.models, has_turns))
        remarks << turns_remark(evaluation.words);
    show_remarks(remarks);
    exports_->show_evaluation(read.shown);
    charts_->show_evaluation(read.shown);
    is_filling_ = true;
    summary_rows_.show_evaluation(evaluation);
    workload_rows_.show_evaluation(evaluation);
    is_filling_ = false;
    table_->set_column_shown(WorkloadResultsModel::Model, evaluation.models.size() > 1);
    table_->set_column_shown(WorkloadResultsModel::Code, !evaluation.nicknames.empty());
    tell_selected_rows();
}

void ResultView::select(const QString& workload) {
    charts_->select(workload);
    if (const int row = table_->current_source_row(); row >= 0 && workload_rows_.workload(row) == workload)
        return;
    for (int row = 0; row < workload_rows_.rowCount(); ++row)
        if (workload_rows_.workload(row) == workload) {
            is_filling_ = true; // following a selection is not a choice by the user
            table_->select_source_row(row);
            is_filling_ = false;
            return;
        }
}

/// Each workload once, although every model has a row for it.
void ResultView::tell_selected_rows() {
    QStringList workloads;
    for (const int row : table_->selected_source_rows())
        workloads << workload_rows_.workload(row);
    workloads.removeDuplicates();
    Q_EMIT rows_selected(workloads);
}

QByteArray ResultView::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << rows_->saveState() << charts_->saveState() << table_->save_state() << summary_->save_state()
        << qint32(tabs_->currentIndex()) << notes_->isChecked();
    return state;
}

void ResultView::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray rows;
    QByteArray charts;
    QByteArray table;
    QByteArray summary;
    in >> rows >> charts >> table >> summary;
    if (in.status() != QDataStream::Ok)
        return;
    charts_->restoreState(charts);
    table_->restore_state(table);
    summary_->restore_state(summary);
    qint32 tab = 0;
    bool notes = false;
    in >> tab >> notes;
    if (in.status() != QDataStream::Ok)
        return; // of a version that had three parts one above the other
    rows_->restoreState(rows);
    tabs_->setCurrentIndex(tab);
    notes_->setChecked(notes);
}

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
