// Failures, in every domain without a page of its own for them: where models chose badly in a stored
// evaluation, grouped by cause, and for each case which decision cost the time and what would fix it. A case
// that is chosen is selected on all pages.
#pragma once

#include "gui/failures/failure_lists.h"
#include "gui/failures/failure_reader.h"
#include "gui/failures/failure_words.h"
#include "gui/page/page.h"
#include "gui/selection/selection.h"
#include "gui/workspace/background_work.h"

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class DataTable;
class EmptyState;
class FailureCaseView;
class FailureExports;
class TrainingRuns;

class FailuresPage : public Page {
    Q_OBJECT

public:
    FailuresPage(Services services, TrainingRuns& runs, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] FailureGroupList& groups() const { return *groups_; }
    [[nodiscard]] DataTable& table() const { return *table_; }
    [[nodiscard]] FailureCaseView& view() const { return *view_; }
    [[nodiscard]] FailureExports& exports() const { return *exports_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* make_left();
    void connect_all();
    /// Those of the domain that is looked at now.
    void take_words();
    void read_when_seen();
    void read();
    void take(Result<std::shared_ptr<const ReadFailures>> answer);
    void show_choice();
    void show_headline();
    void show_groups();
    /// `is_chosen`: the user chose what is shown, and the selection follows.
    void show_cases(bool is_chosen = false);
    void show_empty();
    void choose_evaluation(int row);
    void choose_case(int row);
    void look_at(int row);
    [[nodiscard]] Selected selected_with(const FailureCase& failure) const;
    void follow_selection();
    /// Of the selected workload and model, else of the workload; -1: none of them is shown.
    [[nodiscard]] int row_of_selection() const;
    [[nodiscard]] QString entry_of(const StoredEvaluation& one) const;

    Services services_;
    TrainingRuns& runs_;
    std::unique_ptr<const FailureWords> words_;
    std::unique_ptr<CasesModel> rows_;
    std::shared_ptr<const ReadFailures> read_ = std::make_shared<const ReadFailures>();
    std::optional<RunId> wanted_; ///< chosen by the user; otherwise the newest is looked at
    QComboBox* choice_;
    QLabel* headline_;
    QLabel* remarks_;
    FailureGroupList* groups_;
    DataTable* table_;
    FailureCaseView* view_;
    EmptyState* empty_;
    QPushButton* go_evaluating_ = nullptr;
    QPushButton* go_training_ = nullptr;
    FailureExports* exports_;
    QSplitter* across_;
    QSplitter* down_;
    QStackedWidget* stack_;
    bool is_filling_ = false;
    bool is_outdated_ = true; ///< something changed while nobody looked
    NewestAnswer<Result<std::shared_ptr<const ReadFailures>>> reader_{this};
};

} // namespace sparsight
