// Trains cost models: what and how at the left, at the right the curves of the runs that are chosen in the
// table below them, live where a worker is at it.
#pragma once

#include "gui/train/configuration_diff.h"
#include "gui/train/learning_page.h"

class QTabWidget;

namespace sparsight {

class TrainingCharts;
class TrainingForm;

class TrainPage : public LearningPage {
    Q_OBJECT

public:
    TrainPage(Services services, TrainingRuns& runs, QWidget* parent = nullptr);

    [[nodiscard]] TrainingForm& form() { return *form_; }
    [[nodiscard]] TrainingCharts& charts() { return *charts_; }

protected:
    void draw_curves(const std::vector<RunId>& shown) override;
    [[nodiscard]] bool is_read(RunId run) const override;
    void show_empty_text() override;
    void rows_shown() override;
    [[nodiscard]] bool has_colours() const override { return true; }
    [[nodiscard]] QByteArray view_state() const override;
    void restore_view(const QByteArray& state) override;

private:
    void build();
    void build_table();
    void build_empty();

    ConfigurationModel configuration_;
    TrainingForm* form_;
    TrainingCharts* charts_;
    DataTable* differences_;
    QTabWidget* tabs_;
};

} // namespace sparsight
