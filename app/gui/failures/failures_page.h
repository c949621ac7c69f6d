// Failures, in every domain without a page of its own for them: where models chose badly in a stored
// evaluation, grouped by cause, and for each case which decision cost the time and what would fix it. A case
// that is chosen is selected on all pages.
#pragma once

#include "gui/failures/common_failures_page.h"
#include "gui/failures/failure_reader.h"
#include "gui/failures/failure_words.h"
#include "gui/workspace/background_work.h"

#include <memory>

namespace sparsight {

class FailureCaseView;

class FailuresPage : public CommonFailuresPage {
    Q_OBJECT

public:
    FailuresPage(Services services, TrainingRuns& runs, QWidget* parent = nullptr);

    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] FailureCaseView& view() const { return *view_; }

protected:
    [[nodiscard]] const CasesModel& rows() const override { return *rows_; }
    void look_at(int row) override;
    [[nodiscard]] Selected selected_with(const FailureCase& failure) const override;
    void show_headline() override;
    void show_cases(bool is_chosen) override;
    void show_what_misled(const MisleadingParts& parts) override;
    void read_again() override;
    void forget() override;

private:
    void connect_all();
    /// Those of the domain that is looked at now.
    void take_words();
    void take(Result<std::shared_ptr<const ReadFailures>> answer);
    void offer_report();
    void show_choice();
    void show_empty();
    void choose_evaluation(int row);

    std::unique_ptr<const FailureWords> words_;
    std::unique_ptr<CasesModel> rows_;
    std::shared_ptr<const ReadFailures> read_ = std::make_shared<const ReadFailures>();
    FailureCaseView* view_;
    NewestAnswer<Result<std::shared_ptr<const ReadFailures>>> reader_{this};
};

} // namespace sparsight
