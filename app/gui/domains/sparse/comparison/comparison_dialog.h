// Two schedules side by side with everything known about both: loop nests, storage, the decisions that differ
// and the parts of the simulated times. Each comparison opens its own window, so that several pairs can be
// looked at together.
#pragma once

#include "evaluation/failures/failure_case.h"
#include "gui/domains/sparse/comparison/explanation_drawing.h"
#include "gui/domains/sparse/comparison/pair_study.h"
#include "gui/domains/sparse/comparison/term_rows.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/workspace/background_work.h"

#include <QDialog>
#include <QWidget>
#include <optional>

class QLabel;

namespace sparsight {

class DataTable;
class ScheduleComparison;
class StackedBars;
class WaterfallChart;

struct ComparedTimes {
    QString against{}; ///< as known in the workspace; empty: the simulated times are shown
    QString schedule{};
    // The same times as measured; absent: not known, or only simulated.
    ClockTime known_against{};
    ClockTime known_schedule{};
    /// Of a failure, whose noise may be known by turns: `schedule` is what was chosen.
    std::optional<FailureSign> sign{};

    [[nodiscard]] bool are_known() const;
};

class ComparisonView : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonView(QWidget* parent = nullptr);

    /// `measured` explains the pair in place of the simulation; nullptr: the pair was not measured.
    void show_study(const PairStudy& study, const SideTitles& titles, const ComparedTimes& times,
                    const ExplanationValues* measured = nullptr);
    /// The text shown while there is no study.
    void set_empty_text(const QString& text);

    [[nodiscard]] ScheduleComparison& schedules() const { return *schedules_; }
    [[nodiscard]] WaterfallChart& waterfall() const { return *waterfall_; }
    [[nodiscard]] DataTable& terms() const { return *terms_; }

private:
    [[nodiscard]] QWidget* make_decisions();
    [[nodiscard]] QWidget* make_terms();

    ScheduleComparison* schedules_;
    QLabel* blame_;
    WaterfallChart* waterfall_;
    QLabel* mechanism_;
    StackedBars* bars_;
    TermsModel term_rows_;
    DataTable* terms_;
};

struct ComparedPair {
    PairSubject subject{};
    SideTitles titles{};
    ComparedTimes times{};
    std::optional<ExplanationValues> measured{}; ///< what a job has measured for the pair
};

class ComparisonDialog : public QDialog {
    Q_OBJECT

public:
    /// Simulates in the background; deletes itself when it is closed.
    ComparisonDialog(SparseServices services, ComparedPair pair, QWidget* parent);

    [[nodiscard]] bool is_settled() const { return !is_waiting_ && !studies_.is_busy(); }
    [[nodiscard]] ComparisonView& view() const { return *view_; }

private:
    void begin();
    void begin_without_pattern();
    void take(const Result<std::shared_ptr<const PairStudy>>& study);
    void say(const QString& text);

    SparseServices services_;
    ComparedPair pair_;
    ComparisonView* view_;
    bool is_waiting_ = true; ///< waits for the matrix
    NewestAnswer<Result<std::shared_ptr<const PairStudy>>> studies_{this};
};

} // namespace sparsight
