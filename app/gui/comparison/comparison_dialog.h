// A window of its own with two schedules side by side, so that several pairs can be looked at.
#pragma once

#include "gui/comparison/comparison_view.h"
#include "gui/page/services.h"
#include "gui/workspace/newest_answer.h"

#include <QDialog>

class QLabel;

namespace sparsight {

struct ComparedPair {
    PairSubject subject{};
    SideTitles titles{};
    ComparedTimes times{};
    std::optional<ShownExplanation> measured{}; ///< what a job has measured of the pair
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
