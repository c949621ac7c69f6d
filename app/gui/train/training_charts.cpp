#include "gui/train/training_charts.h"

#include "gui/jobs/counted_text.h"
#include "widgets/chart/chart.h"
#include "widgets/look/flow_layout.h"
#include "widgets/look/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QIODevice>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

QComboBox* make_choice(const QString& name, const QString& tip, QWidget* parent) {
    auto* box = new QComboBox(parent);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    return box;
}

} // namespace

TrainingCharts::TrainingCharts(QWidget* parent)
    : QWidget(parent)
    , loss_(new Chart(this))
    , rows_(new QSplitter(Qt::Vertical, this))
    , columns_(new QSplitter(Qt::Horizontal, this))
    , axis_(make_choice(tr("Horizontal axis"), tr("What the curves are drawn over"), this))
    , validation_(make_choice(tr("Validation"),
                              tr("Loss on matrices that are not learned from: of all machines "
                                 "together, or of each"),
                              this))
    , smoothing_(make_choice(tr("Smoothing"),
                             tr("Steps that the thick line averages; the thin one is the loss of "
                                "every step"),
                             this))
    , logarithmic_(new QCheckBox(tr("Log"), this)) {
    auto* upper = new QWidget(this);
    auto* column = new QVBoxLayout(upper);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(build_controls());
    column->addWidget(loss_, 1);
    rows_->addWidget(upper);
    columns_->addWidget(build_metric(metrics_[0], 0, QStringLiteral("ordered_pair_accuracy")));
    // That of the best 20 is near zero from the first epoch on.
    columns_->addWidget(build_metric(metrics_[1], 1, QStringLiteral("regret_at_1")));
    columns_->setChildrenCollapsible(false);
    rows_->addWidget(columns_);
    rows_->setSizes({300, 190});
    rows_->setStretchFactor(0, 3);
    rows_->setStretchFactor(1, 2);
    rows_->setChildrenCollapsible(false);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(rows_);
    loss_->setObjectName(QStringLiteral("loss-chart"));
    loss_->set_title(tr("Loss"));
    ChartAxis up;
    up.title = tr("loss");
    loss_->set_y_axis(up);
}

QWidget* TrainingCharts::build_controls() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid_step);
    axis_->setObjectName(QStringLiteral("axis"));
    axis_->addItem(tr("over steps"), static_cast<int>(RunAxis::Step));
    axis_->addItem(tr("over epochs"), static_cast<int>(RunAxis::Epoch));
    axis_->addItem(tr("over time"), static_cast<int>(RunAxis::Time));
    validation_->setObjectName(QStringLiteral("validation"));
    validation_->addItem(tr("all machines"), static_cast<int>(ShownValidation::Overall));
    validation_->addItem(tr("each machine"), static_cast<int>(ShownValidation::ByMachine));
    validation_->addItem(tr("no validation"), static_cast<int>(ShownValidation::None));
    smoothing_->setObjectName(QStringLiteral("smoothing"));
    smoothing_->addItem(tr("smoothed to fit"), 0);
    smoothing_->addItem(tr("not smoothed"), 1);
    for (const int steps : {10, 100, 1'000})
        smoothing_->addItem(tr("over %1 steps").arg(steps), steps);
    logarithmic_->setObjectName(QStringLiteral("log"));
    logarithmic_->setToolTip(tr("Logarithmic loss: halving looks alike everywhere"));
    for (QComboBox* box : {axis_, validation_, smoothing_}) {
        row->addWidget(box);
        connect(box, &QComboBox::currentIndexChanged, this, &TrainingCharts::options_changed);
    }
    row->addWidget(logarithmic_);
    connect(logarithmic_, &QCheckBox::toggled, loss_, &Chart::set_y_logarithmic);
    return bar;
}

QWidget* TrainingCharts::build_metric(MetricView& view, int number, const QString& at_first) {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    view.choice = make_choice(tr("Metric"), {}, this);
    view.choice->setObjectName(QStringLiteral("metric-%1").arg(number));
    view.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const CurveMetric& metric : curve_metrics()) {
        view.choice->addItem(metric.title, QLatin1String(metric.id));
        view.choice->setItemData(view.choice->count() - 1, metric.tip, Qt::ToolTipRole);
    }
    view.choice->setCurrentIndex(view.choice->findData(at_first));
    view.chart = new Chart(this);
    view.chart->set_empty_text(tr("After the first epoch."));
    connect(view.choice, &QComboBox::currentIndexChanged, this, &TrainingCharts::options_changed);
    column->addWidget(view.choice);
    column->addWidget(view.chart, 1);
    return box;
}

CurveOptions TrainingCharts::options() const {
    return {static_cast<RunAxis>(axis_->currentData().toInt()),
            static_cast<ShownValidation>(validation_->currentData().toInt()),
            smoothing_->currentData().toInt()};
}

void TrainingCharts::show_runs(const std::vector<ShownRun>& runs) {
    const CurveOptions chosen = options();
    const bool are_all_trees = !runs.empty() && std::ranges::all_of(runs, &ShownRun::is_of_trees);
    loss_->set_x_axis(axis_of(chosen.axis, are_all_trees));
    loss_->set_empty_text(are_all_trees
                              ? tr("Boosted trees learn in rounds and not in steps. This run is from before "
                                   "what they reached after each tenth of them was kept: train it again to "
                                   "see it.")
                              : tr("The loss of every step stands here as soon as there is one."));
    loss_->set_lines(loss_lines(runs, chosen));
    const auto metrics = curve_metrics();
    for (const MetricView& view : metrics_) {
        const CurveMetric& metric = metrics[static_cast<std::size_t>(view.choice->currentIndex())];
        view.choice->setToolTip(metric.tip);
        view.chart->set_x_axis(axis_of(chosen.axis, are_all_trees));
        ChartAxis up;
        up.title = metric.title;
        up.is_named_beside = true; // by the choice
        up.format = metric.format;
        view.chart->set_y_axis(up);
        if (metric.reference)
            view.chart->set_reference(*metric.reference, metric.reference_label);
        else
            view.chart->clear_reference();
        view.chart->set_lines(metric_lines(runs, QLatin1String(metric.id), chosen));
    }
}

QByteArray TrainingCharts::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << rows_->saveState() << columns_->saveState() << axis_->currentIndex() << validation_->currentIndex()
        << smoothing_->currentIndex() << logarithmic_->isChecked() << metrics_[0].choice->currentIndex()
        << metrics_[1].choice->currentIndex();
    return state;
}

void TrainingCharts::restore_layout(const QByteArray& state) {
    QDataStream in(state);
    QByteArray rows;
    QByteArray columns;
    std::array<int, 3> choices{};
    bool is_logarithmic = false;
    std::array<int, 2> metrics{};
    in >> rows >> columns >> choices[0] >> choices[1] >> choices[2] >> is_logarithmic >> metrics[0] >>
        metrics[1];
    if (in.status() != QDataStream::Ok)
        return;
    rows_->restoreState(rows);
    columns_->restoreState(columns);
    const std::array boxes{axis_, validation_, smoothing_, metrics_[0].choice, metrics_[1].choice};
    const std::array places{choices[0], choices[1], choices[2], metrics[0], metrics[1]};
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (places[i] >= 0 && places[i] < boxes[i]->count())
            boxes[i]->setCurrentIndex(places[i]);
    logarithmic_->setChecked(is_logarithmic);
}

} // namespace sparsight
