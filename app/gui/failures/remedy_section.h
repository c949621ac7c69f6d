// What would fix it: the least change of the schedule, the machine and the pattern, and learning from it.
#pragma once

#include "gui/failures/case_section.h"
#include "gui/page/services.h"

class QPushButton;

namespace sparsight {

class BeforeAfterView;
class JobProgressLine;
class TuningPlan;

class RemedySection : public CaseSection {
    Q_OBJECT

public:
    RemedySection(Services services, TuningPlan& plan, QWidget* parent = nullptr);

    void show_study(const CaseStudy& study) override;

private:
    void show_changes(const CaseStudy& study);
    void show_contradiction(const CaseStudy& study);
    void show_plan(const CaseStudy& study);
    void show_calibration();
    [[nodiscard]] QString waiting_text() const;

    Services services_;
    TuningPlan& plan_;
    const CaseStudy* study_ = nullptr;
    QLabel* schedule_;
    QLabel* others_;
    QLabel* contradiction_;
    QPushButton* calibrate_;
    QPushButton* add_;
    QPushButton* tune_;
    QPushButton* clear_;
    QPushButton* compare_;
    QLabel* waiting_;
    JobProgressLine* progress_;
    QLabel* outcome_;
    BeforeAfterView* before_after_;
    QLabel* comparison_;
};

} // namespace sparsight
