// Adapts a model to a machine from few measurements, and shows what how many of them are worth.
#pragma once

#include "gui/train/learning_page.h"

class QComboBox;
class QLabel;

namespace sparsight {

class Chart;
class FineTuneForm;
class SentenceChart;

class FineTunePage : public LearningPage {
    Q_OBJECT

public:
    /// `has_simulator`: in the domain, as the form asks.
    FineTunePage(Services services, TrainingRuns& runs, const Domain& domain, bool has_simulator,
                 QWidget* parent = nullptr);

    [[nodiscard]] FineTuneForm& form() { return *form_; }
    [[nodiscard]] Chart& chart() { return *chart_; }

protected:
    /// That of the form: what was fine-tuned last has hardly a machine left to be adapted to.
    [[nodiscard]] QString model_looked_at(const TrainingRun& run) const override;
    void draw_curves(const std::vector<RunId>& shown) override;
    [[nodiscard]] bool is_read(RunId run) const override;
    void show_empty_text() override;
    [[nodiscard]] QByteArray view_state() const override;
    void restore_view(const QByteArray& state) override;

private:
    void build();
    void build_chart();
    void build_empty();
    void show_shot_words(const Noun& noun);
    void show_explained(const ShotPoints* points, const QString& ours, const Noun& noun);
    void show_reliability(const TrainingRun* run);
    void show_model(const TrainingRun* run);

    FineTuneForm* form_;
    QComboBox* metric_;
    Chart* chart_;
    QLabel* sentence_;
    SentenceChart* reliability_; ///< of what a gray box states of its doubt
    SentenceChart* explained_;   ///< by a gray box: what physics and learning each contribute
    QLabel* gray_box_table_;     ///< what its simulator is worth beside it
    QLabel* blend_;              ///< what a blend of an earlier version is
    QLabel* difference_;         ///< between the curve and the columns Before and After
};

} // namespace sparsight
