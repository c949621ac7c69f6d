// Why the selected schedule is faster or slower than fixed CSR: one sentence and the waterfall between both,
// simulated on the machine of the page, and measured where the user asks for it. Where simulation and clock
// contradict each other, that stands first and the simulated steps are folded away.
#pragma once

#include "gui/domains/sparse/comparison/explanation_drawing.h"
#include "gui/domains/sparse/comparison/pair_explanation.h"
#include "gui/domains/sparse/schedules/ranked_results.h"
#include "study/clock.h"

#include <QWidget>
#include <optional>
#include <span>

class QPushButton;

namespace sparsight {

class JobProgressLine;
class StepsFold;
class WaterfallChart;
class WhyColumn;

class WhyView : public QWidget {
    Q_OBJECT

public:
    /// What the page shows.
    struct Question {
        QString matrix{};
        QString machine{}; ///< fingerprint; empty: this computer
        Operator op = Operator::SpMM;
        std::int64_t dense = 256;
        int threads = 0;                         ///< 0: those of the schedule's time
        std::optional<SuperSchedule> schedule{}; ///< absent: none is selected
    };

    explicit WhyView(SparseServices services, QWidget* parent = nullptr);

    /// Simulates as soon as the view is visible and no measurement is disturbed by it. `results` are those of
    /// the page: their times are compared with the simulated ones.
    void ask(const Question& question, std::span<const RankedResult> results);
    [[nodiscard]] bool is_settled() const;

Q_SIGNALS:
    void asked_to_measure(); ///< the steps between the two schedules
    void notice(const QString& text, bool is_problem, const QString& action); ///< as Page::notice()

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void take_times(std::span<const RankedResult> results);
    void begin();
    void show_state();
    void show_steps(const ExplanationValues* simulated, const ExplanationValues* measured);
    /// Why nothing can be explained, and what to do; empty: something can be.
    [[nodiscard]] QString nothing_to_explain() const;
    [[nodiscard]] std::optional<Disagreement> disagreement() const;
    [[nodiscard]] QString disagreement_text(const Disagreement& found) const;
    [[nodiscard]] QString distance_text() const;
    [[nodiscard]] bool is_recorded() const;
    [[nodiscard]] QString setting_text() const;

    SparseServices services_;
    PairExplanation explanation_;
    Question question_;
    ClockTime baseline_;                       ///< by the clock; without a time: not known
    ClockTime known_;                          ///< the same of the selected schedule
    std::optional<CollectedTime> collected_{}; ///< both, with the baseline's other times of the collection
    bool is_of_that_moment_ = false;           ///< `baseline_`: it was taken beside `known_`
    bool waits_ = false;                       ///< for the end of a measurement
    WhyColumn* column_;
    QPushButton* measure_;
    JobProgressLine* progress_;
    WaterfallChart* measured_;
    WaterfallChart* simulated_;
    StepsFold* fold_;
};

} // namespace sparsight
