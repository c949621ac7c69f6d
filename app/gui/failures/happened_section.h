// What happened: the pattern, both schedules with their times, and every way in which the choice fails.
#pragma once

#include "gui/failures/case_section.h"

#include <array>

class QAction;

namespace sparsight {

class SparsityPlot;

class HappenedSection : public CaseSection {
    Q_OBJECT

public:
    explicit HappenedSection(QWidget* parent = nullptr);

    void show_study(const CaseStudy& study) override;
    [[nodiscard]] SparsityPlot& plot() const { return *plot_; }

Q_SIGNALS:
    /// Both schedules side by side are wanted.
    void compare_requested();

private:
    struct Side {
        QLabel* title;
        QLabel* time;
        QLabel* meaning;
    };

    SparsityPlot* plot_;
    std::array<Side, 2> sides_{};
    QLabel* signs_;
    QLabel* marks_;
    QAction* compare_;
    QString shown_matrix_;
};

} // namespace sparsight
