// The Train page: a form for cost models at the left, and at the right the curves of the runs chosen in the
// table below, live while a worker trains.
#pragma once

#include "gui/train/chart_lines.h"
#include "gui/train/learning_page.h"
#include "gui/train/run_configuration.h"

#include <QWidget>
#include <array>
#include <cstdint>

class QCheckBox;
class QComboBox;
class QSplitter;
class QTabWidget;

namespace sparsight {

class Chart;
class SentenceChart;
class TrainingCharts;
class TrainingForm;

class TrainPage : public LearningPage {
    Q_OBJECT

public:
    TrainPage(Services services, TrainingRuns& runs, const Domain& domain, const TrainingOffer& offer,
              QWidget* parent = nullptr);

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

    TrainingOffer offer_;
    ConfigurationModel configuration_;
    TrainingForm* form_;
    TrainingCharts* charts_;
    DataTable* differences_;
    QTabWidget* tabs_;
};

/// The curves of the shown runs: the loss, two metrics that the user chooses, and of a gray box what physics
/// and learning each contribute. In a low window the loss and the latter take turns in one place.
class TrainingCharts : public QWidget {
    Q_OBJECT

public:
    explicit TrainingCharts(const DomainWords& words, QWidget* parent = nullptr);

    /// Draws the runs in their current state; the curves need not outlive the call.
    void show_runs(const std::vector<ShownRun>& runs);
    [[nodiscard]] CurveOptions options() const;
    [[nodiscard]] Chart& loss() const { return *loss_; }
    [[nodiscard]] Chart& metric(std::size_t place) const { return *metrics_[place].chart; }
    /// Not shown unless a run has it; of several runs that of the first one.
    [[nodiscard]] SentenceChart& explained() const { return *explained_; }

    [[nodiscard]] QByteArray layout_state() const;
    void restore_layout(const QByteArray& state);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    /// The user chose another axis or metric: show_runs() must be called again.
    void options_changed();

private:
    struct MetricView {
        QComboBox* choice = nullptr;
        Chart* chart = nullptr;
    };

    enum class Part : std::uint8_t { Loss, Explained, Metrics };

    void build_controls();
    QWidget* build_metric(MetricView& view, int number, const QString& at_first);

    void show_explained(const std::vector<ShownRun>& runs, RunAxis axis);
    void show_parts();
    /// Of the left side, with both charts, or with the one that needs more.
    [[nodiscard]] int least_height(bool has_both) const;

    std::vector<CurveMetric> known_metrics_;
    Chart* loss_;
    SentenceChart* explained_;
    std::array<MetricView, 2> metrics_;
    QSplitter* rows_;
    QSplitter* columns_;
    QWidget* controls_;
    QComboBox* part_; ///< by Part, what is shown where there is no room for all
    QComboBox* axis_;
    QComboBox* validation_;
    QComboBox* smoothing_;
    QCheckBox* logarithmic_;
};

} // namespace sparsight
