// The curves of the runs that are looked at: the loss, and two metrics that can be chosen.
#pragma once

#include "gui/train/shown_curves.h"

#include <QWidget>
#include <array>

class QCheckBox;
class QComboBox;
class QSplitter;

namespace sparsight {

class Chart;

class TrainingCharts : public QWidget {
    Q_OBJECT

public:
    explicit TrainingCharts(QWidget* parent = nullptr);

    /// Draws them as they are now; the curves need not outlive the call.
    void show_runs(const std::vector<ShownRun>& runs);
    [[nodiscard]] CurveOptions options() const;
    [[nodiscard]] Chart& loss() const { return *loss_; }
    [[nodiscard]] Chart& metric(std::size_t place) const { return *metrics_[place].chart; }

    [[nodiscard]] QByteArray layout_state() const;
    void restore_layout(const QByteArray& state);

Q_SIGNALS:
    /// Another axis, another metric: show_runs() is wanted again.
    void options_changed();

private:
    struct MetricView {
        QComboBox* choice = nullptr;
        Chart* chart = nullptr;
    };

    QWidget* build_controls();
    QWidget* build_metric(MetricView& view, int number, const QString& at_first);

    Chart* loss_;
    std::array<MetricView, 2> metrics_;
    QSplitter* rows_;
    QSplitter* columns_;
    QComboBox* axis_;
    QComboBox* validation_;
    QComboBox* smoothing_;
    QCheckBox* logarithmic_;
};

} // namespace sparsight
