// What if: the schedules of the selected matrix ranked as a machine would run them, with the machine's
// numbers to slide, another machine beside it, and the map of who wins over two of them.
#pragma once

#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/whatif/hot_loop_line.h"
#include "gui/domains/sparse/whatif/learned_times.h"
#include "gui/domains/sparse/whatif/machine_sliders.h"
#include "gui/domains/sparse/whatif/schedule_study.h"
#include "gui/domains/sparse/whatif/what_if_drawing.h"
#include "gui/page/page.h"

class QComboBox;
class QLabel;
class QPushButton;
class QRadioButton;
class QSpinBox;
class QScrollArea;
class QSplitter;
class QStackedWidget;
class QTabBar;
class QVBoxLayout;

namespace sparsight {

class EmptyState;
class FieldRow;
class MachineChoice;
class MachineSliders;
class MatrixBox;
class ResidentLearner;
class StackedBars;
class TrainingRuns;
class WinnerView;

class WhatIfPage : public Page {
    Q_OBJECT

public:
    /// Without an analyst, hot loops are not shown.
    WhatIfPage(SparseServices services, TrainingRuns& runs, ResidentLearner& learner,
               const MakeLoopAnalyst& make_analyst, QWidget* parent = nullptr);

    [[nodiscard]] QByteArray layout_state() const override;
    void restore_layout(const QByteArray& layout) override;
    [[nodiscard]] bool is_settled() const override;

    bool show_configurations(const QStringList& configurations) override;
    /// The sliders.
    [[nodiscard]] std::vector<PagePart> parts() const override;
    void focus_part(const QString& key) override;

    [[nodiscard]] StackedBars& bars(std::size_t side) { return *sides_[side].bars; }
    [[nodiscard]] WinnerView& winners() { return *winners_; }
    [[nodiscard]] MachineSliders& sliders() { return *sliders_; }
    [[nodiscard]] ScheduleStudy& study() { return study_; }

Q_SIGNALS:
    /// See HotLoopLine.
    void hot_loop_requested(const QByteArray& code, const QString& processor);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A machine with its ranking; the first one is always there.
    struct Side {
        MachineChoice* choice = nullptr;
        StackedBars* bars = nullptr;
        EditedMachine machine{};
        PaperBasis basis{};
        MachineRanking ranked{};
        LearnedTimes* learned = nullptr;
    };

    void build();
    void build_fields(QVBoxLayout& column);
    void build_views();
    void build_empty();
    void offer_listed();
    void connect_all();
    void follow_selection();
    void follow_subject();
    void follow_study();
    void follow_machine(std::size_t side);
    void move(MachineParameter parameter, double value);
    void go(double x, double y);
    void rank_again();
    void show_ranking(std::size_t side);
    void show_headline();
    void show_hot_loops();
    void show_sliders();
    void show_empty();
    void ask_for_map();
    void show_winners();
    void mark_selected();
    void select(const QString& key);
    void offer_models();
    void ask_models();
    void find_this_computer();
    void take_new_times();
    [[nodiscard]] std::size_t active() const;
    [[nodiscard]] bool has_second() const;
    [[nodiscard]] QString title_of(const Side& side) const;
    [[nodiscard]] Operator op() const;
    [[nodiscard]] WhatIfFormula formula() const;
    /// The model whose times are ranked; empty: those of a formula are.
    [[nodiscard]] QString learned_model() const;
    [[nodiscard]] QStringList models_for(const Side& side) const;
    /// Of other models only scores are known.
    [[nodiscard]] bool tells_times(const QString& model) const;
    [[nodiscard]] StudySubject wanted_subject() const;

    static constexpr int listed_set = -1; ///< in the combo box of schedules

    SparseServices services_;
    TrainingRuns& runs_;
    ResidentLearner& learner_;
    ScheduleStudy study_;
    std::array<Side, 2> sides_{};
    std::vector<SuperSchedule> listed_; ///< of a lesson
    MatrixBox* matrix_ = nullptr;
    QComboBox* operator_ = nullptr;
    QSpinBox* dense_ = nullptr;
    QComboBox* set_ = nullptr;
    QComboBox* formula_ = nullptr;
    QLabel* headline_ = nullptr;
    QLabel* reason_ = nullptr;
    HotLoopLine* hot_loops_ = nullptr; ///< nullptr: nobody knows machine code
    QTabBar* which_ = nullptr;
    MachineSliders* sliders_ = nullptr;
    QScrollArea* sliders_scroll_ = nullptr;
    WinnerView* winners_ = nullptr;
    EmptyState* empty_ = nullptr;
    QPushButton* go_choosing_ = nullptr;
    QSplitter* across_ = nullptr;
    QSplitter* down_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    QString followed_machine_;  ///< of the selection
    QString followed_schedule_; ///< likewise
    bool is_low_ = false;       ///< the headline is short
    bool has_new_times_ = false;
    bool has_looked_for_computer_ = false;
    int letter_height_ = 0;
};

} // namespace sparsight
