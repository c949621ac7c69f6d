// Failures: where models lost, sorted into a few groups, and for each case why: what happened, which decision
// lost it, by what mechanism, why the model did not know, and what would fix it.
#pragma once

#include "gui/domains/sparse/failures/cases/case_study.h"
#include "gui/domains/sparse/failures/failure_reader.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/failures/tuning/tuning_plan.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/failures/failure_lists.h"
#include "gui/page/page.h"
#include "gui/selection/selection.h"
#include "gui/workspace/background_work.h"

#include <memory>

class QAction;
class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class CaseView;
class DataTable;
class EmptyState;
class FailureExports;
class FailureGroupList;
class TrainingRuns;

class SparseFailuresPage : public Page {
    Q_OBJECT

public:
    SparseFailuresPage(SparseServices services, TrainingRuns& runs, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    /// Looks at a table that others have published.
    void open_table(const QString& file);
    [[nodiscard]] FailureGroupList& groups() const { return *groups_; }
    [[nodiscard]] DataTable& table() const { return *table_; }
    [[nodiscard]] CaseView& view() const { return *view_; }
    [[nodiscard]] CaseStudy& study() { return study_; }
    [[nodiscard]] FailureExports& exports() const { return *exports_; }
    [[nodiscard]] const SparseFailures* read() const { return read_.get(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* make_left();
    void build_table();
    void build_empty();
    void connect_all();
    void ask_for_table();
    void read_again();
    void take(Result<std::shared_ptr<const SparseFailures>> answer);
    /// Of a model before and after it has learned, where that was evaluated and not told yet.
    void read_comparison();
    void show_choice();
    [[nodiscard]] QString entry_of(const StoredEvaluation& one) const;
    void choose_source(int row);
    /// Looks at an evaluation that the user chose.
    void choose_evaluation(RunId run);
    /// Says where the one that is looked at was chosen, and a newer one is there.
    void show_newer_evaluation();
    void show_headline();
    void show_groups();
    /// `is_chosen`: the user chose what is shown, and the selection follows.
    void show_cases(bool is_chosen = false);
    void show_empty();
    void choose_case(int row);
    [[nodiscard]] Selected selected_with(const FailureCase& failure) const;
    void follow_selection();
    /// Of the selected matrix and model, else of the matrix; -1: none of them is shown.
    [[nodiscard]] int row_of_selection() const;
    [[nodiscard]] bool is_selected(int row) const;
    void compare();

    SparseServices services_;
    TrainingRuns& runs_;
    CaseStudy study_;
    TuningPlan plan_;
    std::shared_ptr<const SparseFailures> read_;
    std::optional<RunId> wanted_; ///< chosen by the user; otherwise the newest is looked at
    QString table_file_;          ///< looked at instead of an evaluation
    CasesModel rows_{failure_words()};
    QComboBox* choice_ = nullptr;
    QLabel* newer_evaluation_ = nullptr;
    QLabel* headline_ = nullptr;
    QLabel* remarks_ = nullptr;
    FailureGroupList* groups_ = nullptr;
    DataTable* table_ = nullptr;
    CaseView* view_ = nullptr;
    EmptyState* empty_ = nullptr;
    QPushButton* go_evaluating_ = nullptr;
    QPushButton* go_training_ = nullptr;
    FailureExports* exports_ = nullptr;
    QSplitter* across_ = nullptr;
    QSplitter* down_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    bool is_filling_ = false;
    bool is_source_chosen_ = false; ///< by the user, and not read yet
    bool is_outdated_ = true;       ///< something changed while nobody looked
    NewestAnswer<Result<std::shared_ptr<const SparseFailures>>> reader_{this};
    NewestAnswer<Result<std::shared_ptr<const SparseFailures>>> comparison_reader_{this};
};

} // namespace sparsight
