#include "gui/results/result_charts.h"

#include "gui/page/domain_words.h"
#include "widgets/chart/chart.h"
#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"
#include "widgets/look/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace sparsight {

namespace {

/// In a lower chart the legends of several models would leave no room for the drawing.
constexpr int lowest = 31 * grid_step;

} // namespace

ResultCharts::ResultCharts(const DomainWords& words, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent)
    , words_(words)
    , evaluation_(std::make_shared<const ModelEvaluation>())
    , bars_(new Chart(this))
    , scatter_(new Chart(this))
    , order_label_(new QLabel(tr("&Sorted by"), this))
    , order_(new QComboBox(this))
    , selected_only_(new QCheckBox(tr("only the selected %1").arg(one(words.workload)), this)) {
    build_bars();
    build_scatter();
    setSizes({520, 380});
    setChildrenCollapsible(false);
    setMinimumHeight(lowest);
}

void ResultCharts::build_bars() {
    ChartAxis up;
    up.title = words_.baseline ? tr("speedup") : tr("time above the best known");
    up.format = words_.baseline ? ValueFormat::Speedup : ValueFormat::Percent;
    bars_->set_y_axis(up);
    if (words_.baseline)
        bars_->set_reference(1, tr("%1 1.0×").arg(one(*words_.baseline)));
    bars_->set_empty_text(words_.baseline
                              ? tr("No %1 has times of %2 and of what was chosen yet.")
                                    .arg(one(words_.workload), one(*words_.baseline))
                              : tr("No %1 has times of what was chosen yet.").arg(one(words_.workload)));
    bars_->setObjectName(QStringLiteral("speedup-bars"));
    connect(bars_, &Chart::picked, this, [this](const QVariant& key) { Q_EMIT picked(key.toString()); });
    order_->setObjectName(QStringLiteral("bar-order"));
    order_->setToolTip(tr("Model whose gains order the %1").arg(many(words_.workload)));
    order_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    order_label_->setBuddy(order_);
    connect(order_, &QComboBox::currentIndexChanged, this, &ResultCharts::show_bars);
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(bars_, 1);
    auto* line = new QHBoxLayout;
    line->addWidget(order_label_);
    line->addWidget(order_);
    line->addStretch(1);
    column->addLayout(line);
    addWidget(box);
}

/// Keeps the chosen model where it is still there.
void ResultCharts::show_order() {
    const QString before = order_->currentText();
    is_filling_ = true;
    order_->clear();
    order_->addItem(tr("the best of all models"), -1);
    for (std::size_t place = 0; place < evaluation_->models.size(); ++place)
        order_->addItem(QString::fromStdString(evaluation_->models[place].name), static_cast<int>(place));
    order_->setCurrentIndex(std::max(0, order_->findText(before)));
    is_filling_ = false;
    const bool has_choice = evaluation_->models.size() > 1;
    order_->setVisible(has_choice);
    order_label_->setVisible(has_choice);
}

void ResultCharts::show_bars() {
    if (is_filling_)
        return;
    const int chosen = order_->currentData().toInt();
    ChartAxis across;
    const QString workloads = many(words_.workload);
    across.title = !words_.baseline ? tr("%1, the slowest choice first").arg(workloads)
                   : chosen < 0
                       ? tr("%1, the greatest gain first").arg(workloads)
                       : tr("%1, the greatest gain of %2 first").arg(workloads, order_->currentText());
    bars_->set_x_axis(across);
    bars_->set_title(
        words_.baseline
            ? tr("Speedup of the best of %1 over %2").arg(evaluation_->k).arg(one(*words_.baseline))
            : tr("How much slower the best of %1 is than the best known").arg(evaluation_->k));
    bars_->set_series(speedup_bars(
        *evaluation_, chosen < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(chosen))));
}

void ResultCharts::build_scatter() {
    ChartAxis time;
    const QString held_against = words_.baseline ? one(*words_.baseline) : tr("the best known");
    time.title = tr("time over that of %1").arg(held_against);
    time.logarithmic = true;
    time.format = ValueFormat::Speedup;
    scatter_->set_y_axis(time);
    scatter_->set_reference(1, held_against);
    scatter_->setObjectName(QStringLiteral("score-scatter"));
    scatter_->set_empty_text(tr("What models chose stands here once it has a score and a time."));
    connect(scatter_, &Chart::picked, this, [this](const QVariant& key) { Q_EMIT picked(key.toString()); });
    selected_only_->setObjectName(QStringLiteral("selected-only"));
    selected_only_->setToolTip(tr("Scores of different %1 can’t be compared: together they are standardised "
                                  "within each")
                                   .arg(many(words_.workload)));
    connect(selected_only_, &QCheckBox::toggled, this, &ResultCharts::show_scatter);
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(scatter_, 1);
    selected_only_->setMinimumHeight(order_->sizeHint().height()); // aligns the lower edges of both charts
    column->addWidget(selected_only_);
    addWidget(box);
}

void ResultCharts::show_evaluation(std::shared_ptr<const ModelEvaluation> evaluation) {
    evaluation_ = evaluation ? std::move(evaluation) : std::make_shared<const ModelEvaluation>();
    show_order();
    show_bars();
    show_scatter();
}

void ResultCharts::select(const QString& workload) {
    const bool is_another = workload != workload_;
    workload_ = workload;
    bars_->set_selected(workload.isEmpty() ? QVariant() : QVariant(workload));
    if (is_another)
        show_scatter();
}

void ResultCharts::show_scatter() {
    const bool alone = selected_only_->isChecked() && !workload_.isEmpty();
    const bool stands_out = !alone && evaluation_->workloads() > 1 && has_workload(*evaluation_, workload_);
    const QString times = evaluation_->source == TimeSource::Measured   ? tr("measured")
                          : evaluation_->source == TimeSource::Recorded ? tr("recorded")
                                                                        : tr("simulated");
    scatter_->set_title(alone        ? tr("Predicted against %2 on %1").arg(workload_, times)
                        : stands_out ? tr("Predicted against %2, %1 in colour").arg(workload_, times)
                                     : tr("Predicted against %1").arg(times));
    ChartAxis across;
    across.title =
        alone ? tr("predicted score (left: faster)") : tr("predicted score, standardised (left: faster)");
    scatter_->set_x_axis(across);
    const QString shown = alone ? workload_ : QString();
    std::vector<ScatterSeries> points = score_points(*evaluation_, shown, stands_out ? workload_ : QString());
    // The τ is of the dots in colour, as in the table.
    const QString told = alone || stands_out ? workload_ : QString();
    const QString of = told.isEmpty() ? tr("all %1").arg(many(words_.workload)) : told;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (const auto tau = agreement(evaluation_->models[i], told))
            points[i].name =
                points.size() > 2 // a legend of long names would leave no room for the dots
                    ? tr("%1, τ on %3: %2").arg(points[i].name, fixed_text(*tau, 2), of)
                    : tr("%1, Kendall’s τ on %3: %2").arg(points[i].name, fixed_text(*tau, 2), of);
    scatter_->set_points(std::move(points));
}

namespace {

struct Figures {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ResultFigures)
};

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

/// The positions of the workloads, sorted by the gain of that model, or of any model, the greatest first;
/// without a baseline by regret.
std::vector<std::size_t> order_of(const ModelEvaluation& evaluation, std::optional<std::size_t> sorted_by) {
    std::vector<double> figures(evaluation.workloads(), 0);
    for (std::size_t model = 0; model < evaluation.models.size(); ++model)
        for (std::size_t place = 0; place < figures.size(); ++place)
            if (!sorted_by || *sorted_by == model) {
                const auto& times = evaluation.models[model].workloads[place].times;
                figures[place] =
                    std::max(figures[place], evaluation.words.baseline ? times.speedup() : times.regret());
            }
    std::vector<std::size_t> order(figures.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](std::size_t place) { return figures[place]; });
    return order;
}

QString note_of(const EvaluatedWorkload& workload, const QString& model, bool has_baseline) {
    QString note =
        Figures::tr("%1: %2 instead of %3")
            .arg(model, runtime_text(workload.times.best_ms), runtime_text(workload.times.baseline_ms));
    if (workload.is_uncertain())
        note += Figures::tr(" (the turns lie far apart: %1)")
                    .arg(speedup_with_margin(workload.times.speedup(), *workload.speedup_margin()));
    if (has_baseline && workload.verdict() == Verdict::WithinNoise)
        note += Figures::tr(" (no more than noise)");
    if (has_baseline && workload.verdict() == Verdict::NoiseUnknown)
        note += Figures::tr(" (noise unknown)");
    if (workload.best_was_given_up)
        note += Figures::tr(" (a lower bound: all were abandoned)");
    return note;
}

struct Dot {
    double score = 0;
    double time = 0; ///< over that of the baseline, or of the best known
    Verdict verdict = Verdict::WithinNoise;
    QString label;
};

/// "2-row blocks, chunk 32\nbcsstk16, choice 3, 4.2 ms"
QString label_of(const ModelEvaluation& evaluation, const EvaluatedWorkload& workload,
                 const EvaluatedCandidate& candidate) {
    const bool is_best = candidate.configuration == workload.best_configuration;
    const double milliseconds =
        is_best ? workload.times.best_ms : candidate.turns_ms.value_or(candidate.median_ms.value_or(0));
    QString label =
        Figures::tr("%1\n%2, choice %3, %4")
            .arg(text(std::string(evaluation.name_of(candidate.configuration))),
                 text(workload.times.workload), QString::number(candidate.rank), runtime_text(milliseconds));
    if (is_best && workload.best_told)
        label += Figures::tr(" (raw time of its turns: %1)").arg(runtime_text(workload.best_told->raw_ms));
    return label;
}

/// The dots of one workload: configurations with a score and a time of their own.
std::vector<Dot> dots_of(const ModelEvaluation& evaluation, const EvaluatedWorkload& workload,
                         bool standardise) {
    std::vector<Dot> dots;
    for (const EvaluatedCandidate& candidate : workload.candidates)
        // The baseline is the reference; where a model scores it far off, its dot would squeeze the others.
        if (!candidate.is_baseline && candidate.score && std::isfinite(*candidate.score) &&
            candidate.median_ms && candidate.status == MeasurementStatus::Measured)
            dots.push_back({*candidate.score, *workload.over_baseline(candidate),
                            *workload.verdict_of(candidate), label_of(evaluation, workload, candidate)});
    if (!standardise || dots.empty())
        return dots;
    double mean = 0;
    for (const Dot& dot : dots)
        mean += dot.score / static_cast<double>(dots.size());
    double square = 0;
    for (const Dot& dot : dots)
        square += (dot.score - mean) * (dot.score - mean) / static_cast<double>(dots.size());
    const double deviation = square > 0 ? std::sqrt(square) : 1;
    for (Dot& dot : dots)
        dot.score = (dot.score - mean) / deviation;
    return dots;
}

/// Absent for a gain beyond noise: it has the colour of its series.
std::optional<ChartColour> verdict_colour(Verdict verdict, double speedup) {
    if (!is_beyond_noise(verdict))
        return speedup < 1 ? ChartColour::FaintLose : ChartColour::FaintWin;
    return verdict == Verdict::Slower ? std::optional(ChartColour::Lose) : std::nullopt;
}

} // namespace

std::vector<ChartSeries> speedup_bars(const ModelEvaluation& evaluation,
                                      std::optional<std::size_t> sorted_by) {
    std::vector<ChartSeries> series;
    if (evaluation.workloads() == 0)
        return series;
    const std::vector<std::size_t> order = order_of(evaluation, sorted_by);
    const bool alone = evaluation.models.size() == 1;
    const bool has_baseline = evaluation.words.baseline.has_value();
    for (std::size_t i = 0; i < evaluation.models.size(); ++i) {
        const EvaluatedModel& model = evaluation.models[i];
        BarSeries bars;
        bars.name = text(model.name);
        bars.baseline = has_baseline ? 1 : 0;
        for (const std::size_t place : order) {
            const EvaluatedWorkload& workload = model.workloads[place];
            Bar bar;
            bar.value = has_baseline ? workload.times.speedup() : workload.times.regret();
            bar.label = text(workload.times.workload);
            const ChartColour own = alone ? ChartColour::Win : series_colour(i);
            bar.colour = has_baseline ? verdict_colour(workload.verdict(), bar.value).value_or(own) : own;
            bar.hatched = evaluation.source == TimeSource::Simulated;
            bar.key = bar.label;
            bar.note = note_of(workload, bars.name, has_baseline);
            bars.bars.push_back(std::move(bar));
        }
        series.emplace_back(std::move(bars));
    }
    return series;
}

std::vector<ScatterSeries> score_points(const ModelEvaluation& evaluation, const QString& workload,
                                        const QString& standing_out) {
    std::vector<ScatterSeries> series;
    for (std::size_t i = 0; i < evaluation.models.size(); ++i) {
        const EvaluatedModel& model = evaluation.models[i];
        ScatterSeries points;
        points.name = text(model.name);
        points.colour = evaluation.models.size() == 1 ? ChartColour::Win : series_colour(i);
        for (const EvaluatedWorkload& one : model.workloads) {
            const QString name = text(one.times.workload);
            if (!workload.isEmpty() && name != workload)
                continue;
            for (Dot& dot : dots_of(evaluation, one, workload.isEmpty())) {
                ScatterPoint point;
                point.x = dot.score;
                point.y = dot.time;
                point.label = std::move(dot.label);
                point.key = name;
                point.muted = !standing_out.isEmpty() && name != standing_out;
                // With several models the colour names the model; losers stand above the line.
                if (point.muted) // pale dots of one colour on one another would be as strong as the others
                    point.colour = ChartColour::Reference;
                else if (evaluation.models.size() == 1 && evaluation.words.baseline)
                    point.colour = verdict_colour(dot.verdict, 1 / dot.time);
                points.points.push_back(std::move(point));
            }
        }
        series.push_back(std::move(points));
    }
    return series;
}

bool has_workload(const ModelEvaluation& evaluation, const QString& workload) {
    return !evaluation.models.empty() &&
           std::ranges::any_of(evaluation.models.front().workloads, [&](const EvaluatedWorkload& one) {
               return text(one.times.workload) == workload;
           });
}

std::optional<double> agreement(const EvaluatedModel& model, const QString& workload) {
    if (workload.isEmpty())
        return model.kendall_tau;
    for (const EvaluatedWorkload& one : model.workloads)
        if (text(one.times.workload) == workload)
            return one.kendall_tau;
    return std::nullopt;
}

} // namespace sparsight
