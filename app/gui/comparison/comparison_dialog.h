// Two schedules side by side with everything that is known of both: loop nests, storage, the decisions that
// tell them apart, the parts of their simulated times.
#pragma once

#include "gui/comparison/explanation_drawing.h"
#include "gui/comparison/pair_study.h"
#include "gui/comparison/term_rows.h"
#include "gui/page/page.h"
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
    QString against{}; ///< as known in the workspace; empty: the simulated ones are told
    QString schedule{};
    // The same by the clock, in milliseconds; absent: not known, or but simulated.
    std::optional<double> against_ms{};
    std::optional<double> schedule_ms{};

    /// By how much longer the schedule took than the other one, by the clock; absent: not known.
    [[nodiscard]] std::optional<double> factor() const;
};

class ComparisonView : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonView(QWidget* parent = nullptr);

    /// `measured` explains the pair in place of what is simulated; nullptr: it was not measured.
    void show_study(const PairStudy& study, const SideTitles& titles, const ComparedTimes& times,
                    const ExplanationValues* measured = nullptr);
    /// While there is nothing to show.
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

// A window of its own with two schedules side by side, so that several pairs can be looked at.

struct ComparedPair {
    PairSubject subject{};
    SideTitles titles{};
    ComparedTimes times{};
    std::optional<ExplanationValues> measured{}; ///< what a job has measured of the pair
};

class ComparisonDialog : public QDialog {
    Q_OBJECT

public:
    /// Counts in the background; goes when it is closed.
    ComparisonDialog(Services services, ComparedPair pair, QWidget* parent);

    [[nodiscard]] bool is_settled() const { return !is_waiting_ && !studies_.is_busy(); }
    [[nodiscard]] ComparisonView& view() const { return *view_; }

private:
    void begin();
    void begin_without_pattern();
    void take(const Result<std::shared_ptr<const PairStudy>>& study);
    void say(const QString& text);

    Services services_;
    ComparedPair pair_;
    ComparisonView* view_;
    bool is_waiting_ = true; ///< for the matrix
    NewestAnswer<Result<std::shared_ptr<const PairStudy>>> studies_{this};
};

} // namespace sparsight
