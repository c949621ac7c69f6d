// One evaluation: what was found in a sentence, its figures, and the rows behind them. A matrix that is
// clicked anywhere stands out everywhere.
#pragma once

#include "evaluation/model_evaluation.h"
#include "gui/page/page.h"
#include "gui/results/evaluation_reader.h"
#include "gui/results/result_rows.h"

#include <QAction>
#include <QScrollArea>
#include <memory>

class QBoxLayout;
class QLabel;
class QSplitter;

namespace sparsight {

class DataTable;
class ResultCharts;
class ResultExports;

/// Scrolls where the window is low, instead of squeezing the figures.
class ResultView : public QScrollArea {
    Q_OBJECT

public:
    /// `choice`, which evaluation it is, stands above it.
    ResultView(Services services, QWidget* choice, QWidget* parent = nullptr);

    /// `stored` is the default where it is none of those that are stored.
    /// `notes` are what limits what was found: a line each.
    void show_evaluation(const ReadEvaluations& read, const StoredEvaluation& stored,
                         const QStringList& notes);
    /// The one that stands out.
    void select(const QString& matrix);

    [[nodiscard]] ResultCharts& charts() { return *charts_; }
    [[nodiscard]] DataTable& table() { return *table_; }

    [[nodiscard]] QByteArray layout_state() const;
    void restore_layout(const QByteArray& layout);

Q_SIGNALS:
    void picked(const QString& matrix);
    void activated(const QString& matrix);
    void rows_selected(const QStringList& matrices); ///< each once
    void help_requested(const QString& page);
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

private:
    void build_tables(Services services);
    void build(QWidget* choice);
    [[nodiscard]] QBoxLayout* make_tools(QWidget* choice);
    void make_room_for(std::size_t models);
    void tell_selected_rows();

    SummaryModel summary_rows_;
    MatrixResultsModel matrix_rows_;
    QLabel* headline_;
    QLabel* remarks_; ///< what is missing, and notes, less loud
    ResultCharts* charts_;
    ResultExports* exports_;
    DataTable* summary_;
    DataTable* table_;
    QSplitter* rows_;
    StoredEvaluation shown_;
    std::int64_t dense_ = 1; ///< of the same
    std::size_t models_shown_ = 0;
    bool has_own_heights_ = false; ///< the user has moved what divides figures and tables
    bool is_filling_ = false;
};

// An evaluation for others: its tables on the clipboard, its report as a file.

class ResultExports : public QObject {
    Q_OBJECT

public:
    explicit ResultExports(QWidget* page);

    /// None: nothing can be exported.
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
