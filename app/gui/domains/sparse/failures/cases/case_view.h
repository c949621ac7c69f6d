// Everything about the chosen case, in the order in which a person asks, one part below the other.
#pragma once

#include "gui/page/page.h"

#include <QScrollArea>
#include <vector>

class QLabel;

namespace sparsight {

class CaseSection;
class CaseStudy;
class DecisionSection;
class OutcomeSection;
class MechanismSection;
class ReasonsSection;
class RemedySection;
class ModelChip;
class TuningPlan;

class CaseView : public QWidget {
    Q_OBJECT

public:
    CaseView(Services services, CaseStudy& study, TuningPlan& plan, QWidget* parent = nullptr);

    [[nodiscard]] OutcomeSection& happened() const { return *happened_; }
    [[nodiscard]] DecisionSection& decision() const { return *decision_; }
    [[nodiscard]] MechanismSection& mechanism() const { return *mechanism_; }
    [[nodiscard]] ReasonsSection& reasons() const { return *reasons_; }
    [[nodiscard]] RemedySection& remedy() const { return *remedy_; }
    /// Scrolls there.
    void show_section(std::size_t section);
    [[nodiscard]] std::size_t sections() const { return sections_.size(); }

private:
    void build();
    void show_study();
    void show_newer();
    void show_other_model();

    Services services_;
    CaseStudy& study_;
    QLabel* headline_;
    QLabel* facts_;
    QLabel* newer_;
    ModelChip* other_model_;
    QScrollArea* scroll_;
    OutcomeSection* happened_;
    DecisionSection* decision_;
    MechanismSection* mechanism_;
    ReasonsSection* reasons_;
    RemedySection* remedy_;
    std::vector<CaseSection*> sections_;
    QString shown_case_;
};

} // namespace sparsight
