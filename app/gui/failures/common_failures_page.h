// What the Failures page of every domain has: the evaluation that is looked at, its groups and cases as
// lists, the selected case beside them, and what to do where there are none.
#pragma once

#include "evaluation/failures/failure_groups.h"
#include "gui/failures/failure_exports.h"
#include "gui/failures/failure_lists.h"
#include "gui/failures/failure_reader.h"
#include "gui/page/page.h"
#include "gui/runs/evaluation_list.h"
#include "gui/selection/selection.h"
#include "gui/workspace/background_work.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace sparsight {

class DataTable;
class EmptyState;
class FailureWords;
class ModelChip;
class TrainingRuns;

class CommonFailuresPage : public Page {
    Q_OBJECT

public:
    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;

    [[nodiscard]] FailureGroupList& groups() const { return *groups_; }
    [[nodiscard]] DataTable& table() const { return *table_; }
    [[nodiscard]] FailureExports& exports() const { return *exports_; }
    /// For tests, which have no trained gray box.
    void set_ask_gray_boxes(AskGrayBoxes ask) { ask_gray_boxes_ = std::move(ask); }

protected:
    CommonFailuresPage(Services services, TrainingRuns& runs, QWidget* parent);

    /// Once, by the constructor of the page. `note`, below the evaluation, may be null.
    void lay_out(QWidget* case_view, QWidget* note, const QList<int>& widths);

    /// The model of table().
    [[nodiscard]] virtual const CasesModel& rows() const = 0;
    virtual void look_at(int row) = 0;
    [[nodiscard]] virtual Selected selected_with(const FailureCase& failure) const = 0;
    virtual void show_headline() = 0;
    virtual void show_cases(bool is_chosen) = 0;

    [[nodiscard]] QString entry_of(const StoredEvaluation& one, const Noun& workload) const;
    /// Says that the link that was followed fits none; empty where it fits what is shown.
    [[nodiscard]] QString remark_on_link(const std::optional<StoredEvaluation>& shown) const;
    void show_groups(const FailureWords& words, const std::vector<FailureCase>& cases,
                     const std::vector<FailureGroup>& groups);
    /// Of the group that is chosen.
    [[nodiscard]] std::vector<FailureCase> chosen_cases(const std::vector<FailureCase>& cases,
                                                        const std::vector<FailureGroup>& groups) const;
    void lead_with_names(); ///< of the table, after its model was set
    /// Shows them and selects the one before, else the selected one, else the first: its row, −1 for none.
    int set_cases(CasesModel& model, std::vector<FailureCase> cases, bool are_of_several_models);
    /// Where there are cases they are shown, else what to do next.
    void show_cases_or_next(bool has_cases);

    void choose_case(int row);

    /// Looks at another evaluation.
    virtual void wish(EvaluationWish wanted);
    /// Once more, as what is wished for has changed: as soon as the page is seen.
    void read_when_seen();
    /// Likewise, at once.
    virtual void read_again() = 0;
    /// Drops what was read and what is being read: the workspace that it was of is open no more.
    virtual void forget() = 0;
    /// The models of the evaluation that is shown; none of a table.
    void show_models(const std::vector<StoredEvaluation>& all, const std::optional<StoredEvaluation>& shown);
    /// Asks the gray boxes of the cases what misled them, as long as the page is seen; show_what_misled()
    /// follows. Nothing of an earlier question is told any more.
    void ask_what_misled(const std::shared_ptr<const ReadFailures>& failures);
    virtual void show_what_misled(const MisleadingParts& parts) = 0;
    [[nodiscard]] bool is_asking_what_misled() const { return parts_reader_.is_busy(); }
    /// Says that it is being asked, as a sentence.
    [[nodiscard]] static QString asking_remark();
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    /// The newest evaluation of the selected model is wished for.
    [[nodiscard]] EvaluationWish wish_of_selection() const;

    Services services_;
    TrainingRuns& runs_;
    EvaluationWish wanted_;
    QComboBox* choice_;
    QLabel* headline_;
    QLabel* remarks_;
    FailureGroupList* groups_;
    DataTable* table_;
    EmptyState* empty_;
    FailureExports* exports_;
    bool is_filling_ = false;

private:
    void build_lists();
    void build_empty();
    [[nodiscard]] QWidget* make_left();
    void follow_workspace();
    void follow_selection(const Selected& now, const Selected& before);
    void turn_to_selected_model();
    void show_model_chip();
    [[nodiscard]] bool is_selected(int row) const;
    /// Of the selected workload and model, else of the workload; -1: none of them is shown.
    [[nodiscard]] int row_of_selection() const;

    void ask_unasked();

    AskGrayBoxes ask_gray_boxes_ = &ask_gray_boxes;
    std::shared_ptr<const ReadFailures> unasked_; ///< whose gray boxes have not answered; null: none
    NewestAnswer<Result<MisleadingParts>> parts_reader_{this};
    bool is_outdated_ = true; ///< something changed while nobody looked
    std::vector<StoredEvaluation> evaluations_;
    QStringList shown_models_;
    ModelChip* other_model_;
    QPushButton* go_evaluating_ = nullptr;
    QPushButton* go_training_ = nullptr;
    QSplitter* across_;
    QSplitter* down_;
    QStackedWidget* stack_;
};

} // namespace sparsight
