#include "gui/train/fine_tune_page.h"

#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/train/chart_lines.h"
#include "gui/train/explained_order.h"
#include "gui/train/fine_tune_form.h"
#include "gui/train/run_header.h"
#include "gui/train/runs_model.h"
#include "gui/train/sentence_chart.h"
#include "widgets/chart/chart.h"
#include "widgets/look/column_scroll.h"
#include "widgets/look/labels.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"

#include <QComboBox>
#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

constexpr int least_height_with_axis = 44 * grid_step; // of what says the result, and the first chart
constexpr int least_chart_height = 21 * grid_step;     // a low window scrolls
constexpr int least_diagram_height = 34 * grid_step;   // its diagonal would be flat in less

} // namespace

FineTunePage::FineTunePage(Services services, TrainingRuns& runs, const Domain& domain, bool has_simulator,
                           QWidget* parent)
    : LearningPage(
          {.place = PagePlace::FineTune,
           .id = QStringLiteral("finetune"),
           .title = tr("Fine-tune"),
           .icon = QStringLiteral("fine-tune"),
           .run = QStringLiteral("finetune"),
           .job = JobKind::FineTune},
          services, runs, domain,
          std::make_unique<RecordModel<RunRow>>(fine_tuning_columns(runs, domain.words()),
                                                [](const RunRow& row) { return key_of(row.run.id); }),
          parent)
    , form_(new FineTuneForm(services, runs, domain, has_simulator, this))
    , metric_(new QComboBox(this))
    , chart_(new Chart(this))
    , sentence_(new QLabel(this))
    , reliability_(new SentenceChart(QStringLiteral("reliability"), this))
    , explained_(new SentenceChart(QStringLiteral("explained-order"), this))
    , gray_box_table_(new QLabel(this))
    , blend_(new QLabel(this))
    , difference_(new QLabel(this)) {
    build_chart();
    build_empty();
    build();
    connect(form_, &FineTuneForm::notice, this, &Page::notice);
    connect(form_, &FineTuneForm::started, this, &FineTunePage::await);
    // The form, which follows the same signal, has its models by then.
    connect(&runs, &TrainingRuns::stored_changed, this, &FineTunePage::select_what_is_looked_at);
    begin();
}

void FineTunePage::build_chart() {
    chart_->setObjectName(QStringLiteral("shot-chart"));
    chart_->setMinimumHeight(least_chart_height);
    explained_->chart().setMinimumHeight(least_chart_height);
    explained_->chart().set_title(tr("Physics and learning"));
    explained_->chart().set_y_axis(explained_axis());
    ChartAxis sure{.title = tr("how sure the model was of the order"), .format = ValueFormat::Percent};
    ChartAxis right{.title = tr("how often it was right"), .format = ValueFormat::Percent};
    sure.minimum = 0.48; // room for the dots at the ends
    sure.maximum = 1.02;
    right.minimum = 0;
    right.maximum = 1.06;
    reliability_->chart().setMinimumHeight(least_diagram_height);
    reliability_->chart().set_title(tr("Reliability"));
    reliability_->chart().set_x_axis(sure);
    reliability_->chart().set_y_axis(right);
    chart_->set_empty_text(tr("The curve grows here point by point, if the shot curve was asked for."));
    metric_->setObjectName(QStringLiteral("shot-metric"));
    metric_->setAccessibleName(tr("Metric"));
    for (const CurveMetric& metric : curve_metrics(domain().words())) {
        if (!metric.of_validation)
            continue;
        metric_->addItem(metric.title, QLatin1String(metric.id));
        metric_->setItemData(metric_->count() - 1, metric.tip, Qt::ToolTipRole);
    }
    connect(metric_, &QComboBox::currentIndexChanged, this, &FineTunePage::show_curves);
    keep_font(*sentence_, title_font);
    sentence_->setWordWrap(true);
    sentence_->setObjectName(QStringLiteral("shot-sentence"));
    keep_font(*difference_, caption_font);
    difference_->setWordWrap(true);
    difference_->setForegroundRole(QPalette::PlaceholderText);
    difference_->setObjectName(QStringLiteral("shot-difference"));
    show_shot_words(domain().words().workload);
    gray_box_table_->setTextFormat(Qt::RichText);
    gray_box_table_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    gray_box_table_->setObjectName(QStringLiteral("gray-box-table"));
    gray_box_table_->setToolTip(
        tr("<p>A gray box corrects the simulated time by what it learned. The same measurements calibrate "
           "its simulator first. The difference of the last two columns is what was learned beyond the "
           "simulator.</p>"));
    blend_->setWordWrap(true);
    blend_->setTextFormat(Qt::PlainText);
    blend_->setObjectName(QStringLiteral("blend"));
}

/// `noun`: what the curve counts.
void FineTunePage::show_shot_words(const Noun& noun) {
    difference_->setText(
        tr("A point is a mean over several draws of that number of %1. Before and After show the one model "
           "that was made, from its own draw. All use the same test %1.")
            .arg(many(noun)));
}

void FineTunePage::build_empty() {
    empty().set_icon(icon(QStringLiteral("fine-tune")));
    empty().set_title(tr("Nothing was fine-tuned yet"));
    empty().set_text(
        tr("A model that was trained elsewhere adapts to a new machine from few measurements there. Choose "
           "the model, the machine and how many %1, and see what they are worth.")
            .arg(many(domain().words().workload)));
    auto* train = empty().add_button(tr("&Train a model first"), icon_on_accent(QStringLiteral("train")));
    train->setObjectName(QStringLiteral("go-training"));
    connect(train, &QPushButton::clicked, this,
            [this] { services().selection.select_page(QStringLiteral("train")); });
}

void FineTunePage::build() {
    table().set_selection_mode_single(true);
    table().setAccessibleName(tr("Fine-tunings"));
    table().setObjectName(QStringLiteral("fine-tunings"));
    table().set_column_shown(started_place, false); // there is no room for it; the menu has it
    auto* view = new QWidget(this);
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step);
    column->addWidget(&header()); // says the result
    column->addWidget(sentence_);
    auto* metric_row = new QHBoxLayout;
    metric_row->addWidget(metric_);
    auto* info = new InfoButton(tr("Each point is a mean over several draws, the band its 95 % interval."),
                                QStringLiteral("fine-tuning"), this);
    connect(info, &InfoButton::help_requested, this, &Page::help_requested);
    metric_row->addWidget(info);
    metric_row->addStretch(1);
    column->addLayout(metric_row);
    column->addWidget(chart_, 1);
    column->addWidget(difference_);
    column->addWidget(explained_, 1);
    column->addWidget(reliability_, 1);
    column->addWidget(blend_); // in a low window one scrolls to the details, not to the chart
    column->addWidget(gray_box_table_);
    lay_out(form_, new ColumnScroll(view, this), &table(), {500, 150}, least_height_with_axis);
}

QString FineTunePage::model_looked_at(const TrainingRun& /*run*/) const {
    return form_->model();
}

void FineTunePage::show_empty_text() {
    empty()
        .findChild<QPushButton*>(QStringLiteral("go-training"))
        ->setVisible(runs().stored().models.empty());
}

void FineTunePage::draw_curves(const std::vector<RunId>& shown) {
    const auto metrics = curve_metrics(domain().words());
    const CurveMetric& metric = metrics[static_cast<std::size_t>(std::max(0, metric_->currentIndex()))];
    metric_->setToolTip(metric.tip);
    ChartAxis up;
    up.title = metric.title;
    up.format = metric.format;
    chart_->set_y_axis(up);
    const TrainingRun* run = shown.empty() ? nullptr : runs().run(shown.front());
    const ShotPoints* points = run == nullptr ? nullptr : runs().shots(run->id);
    const QString id = QLatin1String(metric.id);
    const QString ours =
        run == nullptr ? QString() : run->parameters.value(QStringLiteral("model")).toString();
    chart_->set_title(run == nullptr ? QString() : tr("Value of measurements: %1").arg(run->name));
    const auto lines = points == nullptr ? std::vector<LineSeries>() : shot_lines(*points, id, ours);
    const DomainWords& words = domain().words();
    const Noun& noun = run != nullptr && counts_rows(*run) ? words.configuration : words.workload;
    chart_->set_x_axis(shot_axis(lines, noun));
    chart_->set_lines(lines);
    sentence_->setText(points == nullptr ? QString() : shot_sentence(*points, id, ours, noun));
    show_shot_words(noun);
    sentence_->setVisible(!sentence_->text().isEmpty());
    difference_->setVisible(!lines.empty());
    show_explained(points, ours, noun);
    show_reliability(run);
    show_model(run);
}

void FineTunePage::show_explained(const ShotPoints* points, const QString& ours, const Noun& noun) {
    const auto bands = points == nullptr ? std::vector<LineSeries>() : explained_lines(*points, ours);
    explained_->chart().set_x_axis(shot_axis(bands, noun));
    explained_->tell(points == nullptr ? QString() : explained_sentence(*points, ours, noun),
                     {bands.begin(), bands.end()});
}

void FineTunePage::show_reliability(const TrainingRun* run) {
    if (run == nullptr || !run->reliability) {
        reliability_->tell({}, {});
        return;
    }
    const auto lines = reliability_lines(*run->reliability);
    reliability_->tell(reliability_sentence(*run->reliability, domain().words()),
                       {lines.begin(), lines.end()});
}

/// Of a gray box what its simulator is worth, of a blend how it scores.
void FineTunePage::show_model(const TrainingRun* run) {
    const auto& models = runs().stored().models;
    const auto model = std::ranges::find_if(
        models, [run](const KnownModel& one) { return run != nullptr && one.run == run->id; });
    const bool is_gray_box = model != models.end() && model->is_gray_box();
    const bool is_blend = model != models.end() && model->blend;
    gray_box_table_->setVisible(is_gray_box);
    if (is_gray_box)
        gray_box_table_->setText(gray_box_table(*run, domain().words().workload));
    blend_->setVisible(is_blend);
    if (is_blend)
        blend_->setText(tr("An earlier version blended this network with the simulator: %1. The curve shows "
                           "the network alone.")
                            .arg(blend_formula(*model->blend)));
}

bool FineTunePage::is_read(RunId run) const {
    return runs().has_read(run);
}

QByteArray FineTunePage::view_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << metric_->currentIndex();
    return state;
}

void FineTunePage::restore_view(const QByteArray& state) {
    QDataStream in(state);
    int metric = 0;
    in >> metric;
    if (in.status() == QDataStream::Ok && metric >= 0 && metric < metric_->count())
        metric_->setCurrentIndex(metric);
}

} // namespace sparsight
