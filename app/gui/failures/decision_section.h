// Which decision: the waterfall from the one time to the other; a bar shows the schedule in which this one
// decision alone is changed.
#pragma once

#include "gui/failures/case_section.h"
#include "gui/page/services.h"

class QPushButton;

namespace sparsight {

class CaseStudy;
class Chip;
class CodeComparison;
class JobProgressLine;
class WaterfallChart;

class DecisionSection : public CaseSection {
    Q_OBJECT

public:
    DecisionSection(Services services, QWidget* parent = nullptr);

    void show_study(const CaseStudy& study) override;
    [[nodiscard]] WaterfallChart& waterfall() const { return *waterfall_; }
    [[nodiscard]] CodeComparison& one_step() const { return *one_step_; }

Q_SIGNALS:
    void measure_requested();

private:
    void show_one_step(const CaseStudy& study);
    void show_table_blame(const CaseStudy& study);

    const CaseStudy* study_ = nullptr;
    QLabel* sentence_;
    Chip* basis_;
    QPushButton* measure_;
    JobProgressLine* progress_;
    WaterfallChart* waterfall_;
    QLabel* method_;
    QLabel* step_title_;
    CodeComparison* one_step_;
    QString shown_case_;
};

} // namespace sparsight
