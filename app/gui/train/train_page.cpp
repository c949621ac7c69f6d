#include "gui/train/train_page.h"

#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/train/explained_order.h"
#include "gui/train/run_header.h"
#include "gui/train/sentence_chart.h"
#include "gui/train/training_form.h"
#include "widgets/chart/chart.h"
#include "widgets/look/column_scroll.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QIODevice>
#include <QListView>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sparsight {

TrainPage::TrainPage(Services services, TrainingRuns& runs, const Domain& domain, const TrainingOffer& offer,
                     QWidget* parent)
    : LearningPage({.place = PagePlace::Train,
                    .id = QStringLiteral("train"),
                    .title = tr("Train"),
                    .icon = QStringLiteral("train"),
                    .run = QStringLiteral("train"),
                    .job = JobKind::Train,
                    .advice = offer.advice},
                   services, runs, domain, std::make_unique<RunsModel>(runs, domain.words()), parent)
    , offer_(offer)
    , form_(new TrainingForm(services, runs, domain, offer, this))
    , charts_(new TrainingCharts(domain.words(), this))
    , differences_(new DataTable(this))
    , tabs_(new QTabWidget(this)) {
    build_table();
    build_empty();
    build();
    connect(form_, &TrainingForm::notice, this, &Page::notice);
    connect(form_, &TrainingForm::help_requested, this, &Page::help_requested);
    connect(form_, &TrainingForm::started, this, &TrainPage::await);
    connect(&header(), &RunHeader::again_requested, this, [this](qint64 run) {
        if (const TrainingRun* known = this->runs().run(RunId{run}))
            form_->take_over(*known);
    });
    connect(charts_, &TrainingCharts::options_changed, this, &TrainPage::show_curves);
    // Reported by this page for both pages that read them.
    connect(&runs, &TrainingRuns::failed, this, [this](const QString& reason, const QString& what) {
        Q_EMIT notice(reason, true, QStringLiteral("read ") + what);
    });
    connect(&runs, &TrainingRuns::recovered, this,
            [this](const QString& what) { Q_EMIT notice({}, false, QStringLiteral("read ") + what); });
    begin();
}

void TrainPage::build() {
    tabs_->setDocumentMode(true);
    tabs_->addTab(&table(), tr("Runs"));
    tabs_->addTab(differences_, tr("Settings compared"));
    tabs_->setMinimumHeight(100);
    auto* view = new QWidget(this);
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step);
    column->addWidget(&header());
    column->addWidget(charts_, 1);
    constexpr int least = 46 * grid_step; // the controls, and the loss with its axis
    lay_out(form_, new ColumnScroll(view, this), tabs_, {500, 170}, least);
}

void TrainPage::build_table() {
    table().setObjectName(QStringLiteral("runs"));
    table().setAccessibleName(tr("Training runs"));
    table().set_empty_text(tr("Every training run is kept here with its curves."));
    for (const int column :
         {RunsModel::Architecture, RunsModel::Regret, RunsModel::Trees, RunsModel::Workloads,
          RunsModel::Epochs, RunsModel::Machines, RunsModel::Started})
        table().set_column_shown(column, false); // there is no room for these columns; the menu offers them
    differences_->set_model(&configuration_);
    differences_->setAccessibleName(tr("Settings of the chosen runs"));
    differences_->set_empty_text(tr("Choose several runs to see in what they differ."));
}

void TrainPage::build_empty() {
    empty().set_icon(icon(QStringLiteral("train")));
    empty().set_title(tr("No model was trained yet"));
    auto* measure = empty().add_button(tr("&Measure %1").arg(many(domain().words().configuration)),
                                       icon_on_accent(QStringLiteral("measure")));
    measure->setObjectName(QStringLiteral("go-measuring"));
    connect(measure, &QPushButton::clicked, this,
            [this] { services().selection.select_page(QStringLiteral("configurations")); });
}

void TrainPage::show_empty_text() {
    const QString configurations = many(domain().words().configuration);
    const QString what = tr("A cost model learns from measured times which %1 are fast.").arg(configurations);
    empty().set_text(
        what + u' ' +
        (runs().stored().sources.empty() && !offer_.simulated.empty() &&
                 (runs().stored().with_data >= fewest_sides || offer_.generated_workloads > 0)
             ? tr("Nothing is measured yet: press Start to learn from simulated machines, or measure %1.")
                   .arg(configurations)
         : runs().stored().sources.empty()
             ? (offer_.can_measure
                    ? tr("There are none in this workspace yet: measure %1, or import their times.")
                    : tr("There are none in this workspace yet: import times of %1."))
                   .arg(configurations)
             : tr("Take a preset at the left and press Start: its loss is drawn here while it falls.")));
    empty()
        .findChild<QPushButton*>(QStringLiteral("go-measuring"))
        ->setVisible(runs().stored().sources.empty() && offer_.can_measure);
}

void TrainPage::rows_shown() {
    std::vector<ConfiguredRun> configured;
    for (const RunId id : shown_runs())
        if (const TrainingRun* run = runs().run(id))
            configured.push_back({run->name, settings_in_words(
                                                 run->parameters,
                                                 [this](const QString& fingerprint) {
                                                     return runs().machine_name(fingerprint);
                                                 },
                                                 domain(), offer_)});
    configuration_.set_runs(configured);
}

void TrainPage::draw_curves(const std::vector<RunId>& shown) {
    std::vector<ShownRun> drawn;
    for (const RunId id : shown)
        if (const TrainingRun* run = runs().run(id))
            drawn.push_back({run->name, series_colour(drawn.size()), runs().curves(id), run->is_of_trees(),
                             static_cast<double>(run->started.toSecsSinceEpoch())});
    charts_->show_runs(drawn);
}

bool TrainPage::is_read(RunId run) const {
    return runs().has_read(run);
}

QByteArray TrainPage::view_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << charts_->layout_state() << tabs_->currentIndex();
    return state;
}

void TrainPage::restore_view(const QByteArray& state) {
    QDataStream in(state);
    QByteArray charts;
    int tab = 0;
    in >> charts >> tab;
    if (in.status() != QDataStream::Ok)
        return;
    charts_->restore_layout(charts);
    tabs_->setCurrentIndex(tab);
}

namespace {

QComboBox* make_choice(const QString& name, const QString& tip, QWidget* parent) {
    auto* box = new QComboBox(parent);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    return box;
}

} // namespace

TrainingCharts::TrainingCharts(const DomainWords& words, QWidget* parent)
    : QWidget(parent)
    , known_metrics_(curve_metrics(words))
    , loss_(new Chart(this))
    , explained_(new SentenceChart(QStringLiteral("explained-order"), this))
    , rows_(new QSplitter(Qt::Vertical, this))
    , columns_(new QSplitter(Qt::Horizontal, this))
    , controls_(new QWidget(this))
    , part_(make_choice(tr("Plot"), tr("The window is too low for all plots"), this))
    , axis_(make_choice(tr("Horizontal axis"), tr("What the curves are drawn over"), this))
    , validation_(
          make_choice(tr("Validation"),
                      tr("Loss on %1 that are not learned from: one for all machines, or one for each")
                          .arg(many(words.workload)),
                      this))
    , smoothing_(make_choice(tr("Smoothing"),
                             tr("Steps that the thick line averages; the thin one is the loss of "
                                "every step"),
                             this))
    , logarithmic_(new QCheckBox(tr("Log"), this)) {
    auto* upper = new QWidget(this);
    upper->installEventFilter(this);
    auto* column = new QVBoxLayout(upper);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    build_controls();
    column->addWidget(controls_);
    column->addWidget(loss_, 2);
    column->addWidget(explained_, 1);
    rows_->addWidget(build_metric(metrics_[0], 0, QStringLiteral("ordered_pair_accuracy")));
    // The regret of the best 20 is near zero from the first epoch on.
    rows_->addWidget(build_metric(metrics_[1], 1, QStringLiteral("regret_at_1")));
    rows_->setChildrenCollapsible(false);
    columns_->addWidget(upper);
    columns_->addWidget(rows_);
    columns_->setSizes({300, 150});
    columns_->setStretchFactor(0, 2);
    columns_->setStretchFactor(1, 1);
    columns_->setChildrenCollapsible(false);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(columns_);
    loss_->setObjectName(QStringLiteral("loss-chart"));
    loss_->set_title(tr("Loss"));
    ChartAxis up;
    up.title = tr("loss");
    loss_->set_y_axis(up);
    constexpr int least_lines = 12; // two fifths of the lowest window
    loss_->setMinimumHeight(least_lines * fontMetrics().height());
    explained_->chart().setMinimumHeight(least_lines * fontMetrics().height());
    explained_->chart().set_title(tr("Physics and learning"));
    explained_->chart().set_y_axis(explained_axis());
    explained_->setToolTip(
        tr("<p>The share of validation pairs in the right order, by the simulator alone and with what was "
           "learned. The bands begin at 50 %, which chance reaches.</p>"));
    show_parts();
}

/// In a low window the loss has all the room: beside the metrics it would be too low.
QSize TrainingCharts::minimumSizeHint() const {
    return {QWidget::minimumSizeHint().width(), least_height(false)};
}

int TrainingCharts::least_height(bool has_both) const {
    const int width = columns_->widget(0)->width();
    const int gap = columns_->widget(0)->layout()->spacing();
    const int controls = controls_->heightForWidth(width) + gap;
    const int loss = loss_->minimumHeight();
    const int explained = explained_->has_series() ? explained_->least_height(width) : 0;
    return controls + (has_both ? loss + gap + explained : std::max(loss, explained));
}

/// Where the window is too low for all of them, the user chooses which one is shown.
void TrainingCharts::show_parts() {
    constexpr int room_for_metrics = 320;
    const bool is_explained = explained_->has_series();
    const bool has_room_for_both = height() >= least_height(is_explained);
    const bool has_room_for_metrics = height() >= room_for_metrics;
    const bool offers_explained = is_explained && !has_room_for_both;
    auto* const offered = qobject_cast<QListView*>(part_->view());
    offered->setRowHidden(static_cast<int>(Part::Explained), !offers_explained);
    offered->setRowHidden(static_cast<int>(Part::Metrics), has_room_for_metrics);
    part_->setVisible(offers_explained || !has_room_for_metrics);

    auto part = static_cast<Part>(part_->currentIndex());
    if ((part == Part::Explained && !offers_explained) || (part == Part::Metrics && has_room_for_metrics))
        part = Part::Loss;
    loss_->setVisible(part == Part::Loss);
    explained_->setVisible(part == Part::Explained ||
                           (part == Part::Loss && is_explained && has_room_for_both));
    rows_->setVisible(part == Part::Metrics || has_room_for_metrics);
    QWidget& upper = *columns_->widget(0);
    upper.setMaximumHeight(part == Part::Metrics ? controls_->heightForWidth(upper.width())
                                                 : QWIDGETSIZE_MAX);
}

void TrainingCharts::resizeEvent(QResizeEvent* event) {
    show_parts();
    QWidget::resizeEvent(event);
}

/// In another width the controls and the sentence have other lines.
bool TrainingCharts::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == columns_->widget(0)) {
        show_parts();
        updateGeometry();
    }
    return QWidget::eventFilter(watched, event);
}

void TrainingCharts::build_controls() {
    auto* row = new FlowLayout(controls_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid_step);
    row->set_level();
    part_->setObjectName(QStringLiteral("training-plot"));
    part_->addItem(tr("plot: loss"));
    part_->addItem(tr("plot: physics and learning"));
    part_->addItem(tr("plot: metrics"));
    part_->setView(new QListView(part_)); // whose rows can be hidden
    row->addWidget(part_);
    connect(part_, &QComboBox::currentIndexChanged, this, &TrainingCharts::show_parts);
    axis_->setObjectName(QStringLiteral("axis"));
    axis_->addItem(tr("axis: steps"), static_cast<int>(RunAxis::Step));
    axis_->addItem(tr("axis: epochs"), static_cast<int>(RunAxis::Epoch));
    axis_->addItem(tr("axis: training time"), static_cast<int>(RunAxis::Time));
    axis_->addItem(tr("axis: time of day"), static_cast<int>(RunAxis::TimeOfDay));
    axis_->setItemData(2, tr("Minutes spent training since the start, without pauses"), Qt::ToolTipRole);
    axis_->setItemData(3, tr("The clock when training started, and the time spent training since"),
                       Qt::ToolTipRole);
    validation_->setObjectName(QStringLiteral("validation"));
    validation_->addItem(tr("all machines"), static_cast<int>(ShownValidation::Overall));
    validation_->addItem(tr("each machine"), static_cast<int>(ShownValidation::ByMachine));
    validation_->addItem(tr("no validation"), static_cast<int>(ShownValidation::None));
    smoothing_->setObjectName(QStringLiteral("smoothing"));
    smoothing_->addItem(tr("smoothed to fit"), 0);
    smoothing_->addItem(tr("not smoothed"), 1);
    for (const int steps : {10, 100, 1'000})
        smoothing_->addItem(tr("%1-step mean").arg(steps), steps);
    logarithmic_->setObjectName(QStringLiteral("log"));
    logarithmic_->setToolTip(tr("Logarithmic loss: halving looks alike everywhere"));
    for (QComboBox* box : {axis_, validation_, smoothing_}) {
        row->addWidget(box);
        connect(box, &QComboBox::currentIndexChanged, this, &TrainingCharts::options_changed);
    }
    row->addWidget(logarithmic_);
    connect(logarithmic_, &QCheckBox::toggled, loss_, &Chart::set_y_logarithmic);
}

QWidget* TrainingCharts::build_metric(MetricView& view, int number, const QString& at_first) {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    view.choice = make_choice(tr("Metric"), {}, this);
    view.choice->setObjectName(QStringLiteral("metric-%1").arg(number));
    view.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const CurveMetric& metric : known_metrics_) {
        view.choice->addItem(metric.title, QLatin1String(metric.id));
        view.choice->setItemData(view.choice->count() - 1, metric.tip, Qt::ToolTipRole);
    }
    view.choice->setCurrentIndex(view.choice->findData(at_first));
    view.chart = new Chart(this);
    view.chart->setObjectName(QStringLiteral("metric-chart-%1").arg(number));
    view.chart->set_empty_text(tr("Shown after the first epoch."));
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

namespace {

/// Whether its first epochs would flatten all others on a linear axis. Only what falls to zero may.
bool falls_far(const CurveMetric& metric, const std::vector<LineSeries>& lines) {
    constexpr double far = 10;
    double lowest = std::numeric_limits<double>::infinity();
    double highest = 0;
    for (const LineSeries& line : lines)
        for (const double value : line.y)
            if (!std::isnan(value)) {
                lowest = std::min(lowest, value);
                highest = std::max(highest, value);
            }
    return !metric.reference && lowest > 0 && highest > far * lowest;
}

} // namespace

void TrainingCharts::show_runs(const std::vector<ShownRun>& runs) {
    const CurveOptions chosen = options();
    const bool are_all_trees = !runs.empty() && std::ranges::all_of(runs, &ShownRun::is_of_trees);
    loss_->set_x_axis(axis_of(chosen.axis, are_all_trees));
    loss_->set_empty_text(are_all_trees
                              ? tr("Boosted trees learn in rounds and not in steps. This run is too old to "
                                   "hold what they reached after each tenth. Train it again to see it.")
                              : tr("The loss of every step stands here as soon as there is one."));
    std::vector<ChartSeries> drawn;
    std::ranges::move(loss_lines(runs, chosen), std::back_inserter(drawn));
    if (auto marks = best_epochs(runs, chosen))
        drawn.emplace_back(std::move(*marks));
    loss_->set_series(std::move(drawn));
    show_explained(runs, chosen.axis);
    for (const MetricView& view : metrics_) {
        const CurveMetric& metric = known_metrics_[static_cast<std::size_t>(view.choice->currentIndex())];
        view.choice->setToolTip(metric.tip);
        view.chart->set_x_axis(axis_of(chosen.axis, are_all_trees));
        ChartAxis up;
        up.title = metric.title;
        up.is_named_beside = true; // the choice names it
        up.format = metric.format;
        std::vector<LineSeries> lines = metric_lines(runs, QLatin1String(metric.id), chosen);
        up.logarithmic = falls_far(metric, lines);
        view.chart->set_y_axis(up);
        if (metric.reference)
            view.chart->set_reference(*metric.reference, metric.reference_label);
        else
            view.chart->clear_reference();
        view.chart->set_lines(std::move(lines));
    }
}

void TrainingCharts::show_explained(const std::vector<ShownRun>& runs, RunAxis axis) {
    std::vector<ChartSeries> bands;
    QString sentence;
    for (const ShownRun& run : runs) {
        std::ranges::move(explained_lines(run, axis), std::back_inserter(bands));
        if (bands.empty())
            continue;
        sentence = explained_sentence(*run.curves);
        if (runs.size() > 1)
            sentence = QStringLiteral("%1: %2").arg(run.name, sentence);
        break;
    }
    explained_->chart().set_x_axis(axis_of(axis));
    explained_->tell(sentence, std::move(bands));
    show_parts();
    updateGeometry();
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
