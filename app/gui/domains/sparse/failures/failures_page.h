// Failures: where models lost, sorted into a few groups, and for each case why: what happened, which decision
// lost it, by what mechanism, why the model did not know, and what would fix it.
#pragma once

#include "gui/domains/sparse/failures/cases/case_study.h"
#include "gui/domains/sparse/failures/failure_reader.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/failures/tuning/tuning_plan.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/failures/common_failures_page.h"
#include "gui/workspace/background_work.h"

#include <memory>

class QLabel;

namespace sparsight {

class CaseView;

class SparseFailuresPage : public CommonFailuresPage {
    Q_OBJECT

public:
    SparseFailuresPage(SparseServices services, TrainingRuns& runs, QWidget* parent = nullptr);

    [[nodiscard]] bool is_settled() const override;

    /// Looks at a table that others have published.
    void open_table(const QString& file);
    [[nodiscard]] CaseView& view() const { return *view_; }
    [[nodiscard]] CaseStudy& study() { return study_; }
    [[nodiscard]] const SparseFailures* read() const { return read_.get(); }

protected:
    [[nodiscard]] const CasesModel& rows() const override { return rows_; }
    void look_at(int row) override;
    [[nodiscard]] Selected selected_with(const FailureCase& failure) const override;
    void show_headline() override;
    void show_cases(bool is_chosen) override;
    void show_what_misled(const MisleadingParts& parts) override;
    void wish(EvaluationWish wanted) override;
    void read_again() override;
    void forget() override;

private:
    void build();
    void build_table();
    void connect_all();
    void ask_for_table();
    void take(Result<std::shared_ptr<const SparseFailures>> answer);
    /// Of a model before and after it has learned, where that was evaluated and not told yet.
    void read_comparison();
    void offer_report();
    void show_choice();
    void choose_source(int row);
    /// Looks at an evaluation that the user chose.
    void choose_evaluation(RunId run);
    /// Says where the one that is looked at was chosen, and a newer one is there.
    void show_newer_evaluation();
    void show_empty();
    void compare();

    SparseServices sparse_;
    CaseStudy study_;
    TuningPlan plan_;
    std::shared_ptr<const SparseFailures> read_;
    QString table_file_; ///< looked at instead of an evaluation
    CasesModel rows_{failure_words()};
    QLabel* newer_evaluation_;
    CaseView* view_;
    bool is_source_chosen_ = false; ///< by the user, and not read yet
    NewestAnswer<Result<std::shared_ptr<const SparseFailures>>> reader_{this};
    NewestAnswer<Result<std::shared_ptr<const SparseFailures>>> comparison_reader_{this};
};

} // namespace sparsight
