// One evaluation: its result in a sentence, its figures, the rows behind them, and its export. A workload
// that is clicked anywhere is highlighted everywhere. Notes fold, and the tables of choices and of models
// share a place, so that a window of 1280 by 800 shows the result, a chart and the first rows at once.
#pragma once

#include "evaluation/model_evaluation.h"
#include "gui/page/offered_comparison.h"
#include "gui/page/page.h"
#include "gui/results/evaluation_reader.h"
#include "gui/results/result_rows.h"

#include <QAction>
#include <QScrollArea>
#include <memory>
#include <optional>

class QBoxLayout;
class QLabel;
class QSplitter;
class QTabWidget;
class QToolButton;

namespace sparsight {

class DataTable;
class ElidedLabel;
class ResultCharts;
class ResultExports;

/// Scrolls where the window is low, instead of squeezing the figures.
class ResultView : public QScrollArea {
    Q_OBJECT

public:
    /// `choice` selects the evaluation and stands above it.
    ResultView(const DomainWords& words, QWidget* choice, const OfferComparison& offer_comparison,
               QWidget* parent = nullptr);

    /// A default-constructed `stored` means that the evaluation is not stored. `notes` are limits of the
    /// result, one per line.
    void show_evaluation(const ReadEvaluations& read, const StoredEvaluation& stored,
                         const QStringList& notes);
    /// Highlights the workload.
    void select(const QString& workload);

    [[nodiscard]] ResultCharts& charts() { return *charts_; }
    [[nodiscard]] DataTable& table() { return *table_; }

    [[nodiscard]] QByteArray layout_state() const;
    void restore_layout(const QByteArray& layout);

Q_SIGNALS:
    void picked(const QString& workload);
    void activated(const QString& workload);
    void rows_selected(const QStringList& workloads); ///< each workload once
    void help_requested(const QString& page);
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void build_tables(const OfferComparison& offer_comparison);
    void build(QWidget* choice);
    [[nodiscard]] QBoxLayout* make_tools(QWidget* choice);
    [[nodiscard]] QBoxLayout* make_notes();
    void show_remarks(const QStringList& remarks);
    void fold_remarks();
    void tell_selected_rows();

    DomainWords words_;
    SummaryModel summary_rows_;
    WorkloadResultsModel workload_rows_;
    QLabel* headline_;
    QToolButton* notes_;      ///< unfolds the remarks
    ElidedLabel* first_note_; ///< while they are folded
    QLabel* remarks_;         ///< missing data and notes, in a less prominent style
    ResultCharts* charts_;
    ResultExports* exports_;
    DataTable* summary_;
    DataTable* table_;
    QTabWidget* tabs_; ///< choices, models
    QSplitter* rows_;
    StoredEvaluation shown_;
    Setting setting_; ///< of the shown evaluation
    bool is_filling_ = false;
};

/// Exports an evaluation: its tables to the clipboard, its report to a file.
class ResultExports : public QObject {
    Q_OBJECT

public:
    explicit ResultExports(QWidget* page);

    /// nullptr: nothing can be exported.
    void show_evaluation(std::shared_ptr<const ModelEvaluation> evaluation);
    [[nodiscard]] QList<QAction*> actions() const { return {copy_, report_}; }

Q_SIGNALS:
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void copy_markdown();
    void save_report();

    QWidget* page_;
    std::shared_ptr<const ModelEvaluation> evaluation_;
    QAction* copy_;
    QAction* report_;
};

} // namespace sparsight
