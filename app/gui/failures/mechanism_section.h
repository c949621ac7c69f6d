// By what mechanism: the parts of both simulated times beside each other, and what was counted.
#pragma once

#include "gui/comparison/term_rows.h"
#include "gui/failures/case_section.h"

class QToolButton;

namespace sparsight {

class DataTable;
class StackedBars;

class MechanismSection : public CaseSection {
    Q_OBJECT

public:
    explicit MechanismSection(QWidget* parent = nullptr);

    void show_study(const CaseStudy& study) override;
    [[nodiscard]] StackedBars& bars() const { return *bars_; }
    [[nodiscard]] DataTable& terms() const { return *terms_; }

private:
    QLabel* sentence_;
    QLabel* machine_;
    StackedBars* bars_;
    QToolButton* all_;
    TermsModel rows_;
    DataTable* terms_;
};

} // namespace sparsight
