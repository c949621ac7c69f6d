// The sections of a failure case, one per question: what happened, by which mechanism, which decision cost
// the time, and what would fix it. The section on the model's reasons has its own file, reasons_section.h.
#pragma once

#include "gui/domains/sparse/comparison/term_rows.h"
#include "gui/page/page.h"

#include <QLabel>
#include <QVBoxLayout>
#include <QWidget>
#include <array>

class QAction;
class QBoxLayout;
class QPushButton;
class QToolButton;

namespace sparsight {

class BeforeAfterView;
class CaseStudy;
class Chip;
class CodeComparison;
class DataTable;
class JobProgressLine;
class SparsityPlot;
class StackedBars;
class StepsFold;
class TuningPlan;
class WaterfallChart;

/// A part of the study of a case, below the question that it answers.
class CaseSection : public QWidget {
    Q_OBJECT

public:
    CaseSection(QString question, QString caption, QWidget* parent = nullptr);

    /// Called again whenever something new is known about the case.
    virtual void show_study(const CaseStudy& study) = 0;
    [[nodiscard]] const QString& question() const { return question_; }
    /// The question in one word.
    [[nodiscard]] const QString& caption() const { return caption_; }

protected:
    /// Adds a text over the whole width that wraps its lines; hidden while it is empty.
    QLabel* add_text(const char* name);
    /// Adds the same kind of text in a less prominent style.
    QLabel* add_remark(const char* name);
    [[nodiscard]] QVBoxLayout& column() const { return *column_; }

    static void set_text(QLabel& label, const QString& text);

private:
    QString question_;
    QString caption_;
    QVBoxLayout* column_;
};

/// What happened: the pattern, both schedules with their times, and every way in which the choice fails.
class OutcomeSection : public CaseSection {
    Q_OBJECT

public:
    explicit OutcomeSection(QWidget* parent = nullptr);

    void show_study(const CaseStudy& study) override;
    [[nodiscard]] SparsityPlot& plot() const { return *plot_; }

Q_SIGNALS:
    /// The user wants to see both schedules side by side.
    void compare_requested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Side {
        QLabel* title;
        QLabel* time;
        QLabel* meaning;
    };

    QBoxLayout* across_; ///< owned by the column
    SparsityPlot* plot_;
    std::array<Side, 2> sides_{};
    QLabel* signs_;
    QLabel* marks_;
    QAction* compare_;
    QString shown_matrix_;
};

/// By which mechanism: the parts of both simulated times side by side, and the counted events.
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

/// Which decision: the waterfall from one time to the other. Each bar shows the schedule in which only this
/// decision is changed.
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
    [[nodiscard]] static bool is_contradicted(const CaseStudy& study);

    const CaseStudy* study_ = nullptr;
    QLabel* sentence_;
    Chip* basis_;
    QPushButton* measure_;
    JobProgressLine* progress_;
    WaterfallChart* waterfall_;
    StepsFold* fold_;
    QLabel* method_;
    QLabel* step_title_;
    CodeComparison* one_step_;
    QString shown_case_;
};

/// What would fix it: the smallest changes to the schedule, the machine and the pattern, and fine-tuning.
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
