#include "gui/domains/sparse/failures/cases/reasons_section.h"

#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/failures/cases/case_study.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/failures/model_question.h"
#include "gui/icons/icon.h"
#include "gui/jobs/views/job_progress_line.h"
#include "widgets/chart/chart.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/record_model.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>

namespace sparsight {

namespace {

constexpr int nearest_height = 220;

QString bulleted(const QStringList& sentences) {
    QStringList lines;
    for (const QString& sentence : sentences)
        lines << QStringLiteral("• ") + sentence;
    return lines.join(u'\n');
}

using NearestTime = std::optional<double> NearestMatrix::*;

/// The measured time where there is one, otherwise the simulated time, marked as such.
RecordColumn<NearestMatrix> time_column(const QString& title, const QString& tooltip, NearestTime measured,
                                        NearestTime simulated) {
    auto column = value_column<NearestMatrix>(
        title, tooltip,
        [=](const NearestMatrix& row) { return row.*measured ? row.*measured : row.*simulated; },
        [](double milliseconds) { return duration_text(milliseconds); });
    column.text = [=, text = column.text](const NearestMatrix& row) {
        return !(row.*measured) && row.*simulated ? QStringLiteral("≈ ") + text(row) : text(row);
    };
    column.hint = [=](const NearestMatrix& row) {
        return row.*measured    ? ReasonsSection::tr("Measured")
               : row.*simulated ? ReasonsSection::tr("Simulated: this schedule was not measured there")
                                : ReasonsSection::tr("This schedule was not measured there, and its storage "
                                                     "would be too large to simulate it");
    };
    return column;
}

QString nearest_text(const NearestReason& nearest) {
    const bool has_simulated = std::ranges::any_of(nearest.matrices, [](const NearestMatrix& each) {
        return each.simulated_schedule_ms || each.simulated_against_ms;
    });
    const QString text =
        ReasonsSection::tr("What it took this matrix for: the nearest that it was trained on, "
                           "with what both schedules take there.");
    if (!has_simulated)
        return text;
    const QString machine = nearest.simulated_on.empty() ? ReasonsSection::tr("this computer")
                                                         : QString::fromStdString(nearest.simulated_on);
    return text + u' ' +
           ReasonsSection::tr("≈: simulated on %1, for it was not measured there.").arg(machine);
}

std::vector<RecordColumn<NearestMatrix>> nearest_columns() {
    using Texts = ReasonsSection;
    const auto duration = [](double milliseconds) { return duration_text(milliseconds); };
    return {
        text_column<NearestMatrix>(Texts::tr("Training matrix"), {},
                                   [](const NearestMatrix& row) { return QString::fromStdString(row.name); }),
        value_column<NearestMatrix>(
            Texts::tr("Distance"), Texts::tr("How far apart the model sees them"),
            [](const NearestMatrix& row) { return std::optional(row.distance); },
            [](double distance) { return significant(distance); }),
        time_column(Texts::tr("Against"), Texts::tr("What the other schedule takes there"),
                    &NearestMatrix::against_ms, &NearestMatrix::simulated_against_ms),
        time_column(Texts::tr("Chosen"), Texts::tr("What the chosen schedule takes there"),
                    &NearestMatrix::schedule_ms, &NearestMatrix::simulated_schedule_ms),
        value_column<NearestMatrix>(
            Texts::tr("Best"), Texts::tr("The fastest that was measured there"),
            [](const NearestMatrix& row) { return row.best_ms; }, duration)};
}

} // namespace

NearestMatricesModel::NearestMatricesModel(QObject* parent)
    : RecordModel(
          nearest_columns(), [](const NearestMatrix& row) { return QString::fromStdString(row.name); },
          parent) {}

ReasonsSection::ReasonsSection(Services services, QWidget* parent)
    : CaseSection(tr("Why the model did not know"), tr("Model"), parent)
    , ask_(new QPushButton(icon(QStringLiteral("train")), tr("As&k the model"), this))
    , progress_(new JobProgressLine(services.jobs, this))
    , nearest_(new DataTable(this))
    , sensitivity_(new SensitivityView(this))
    , calibration_(
          new ReasonChartView(tr("How often it is right when it is so sure of the order of two:"), this)) {
    known_ = add_text("blind-spots");
    auto* const line = new QHBoxLayout;
    line->addWidget(ask_);
    line->addWidget(progress_, 1);
    line->addStretch(0);
    column().addLayout(line);
    ask_->setObjectName(QStringLiteral("ask-model"));
    told_ = add_text("model-reasons");
    nearest_title_ = add_remark("nearest-title");
    nearest_->set_model(&rows_);
    nearest_->setAccessibleName(tr("Nearest training matrices"));
    nearest_->setFixedHeight(nearest_height);
    nearest_->hide();
    column().addWidget(nearest_);
    calibration_->chart().setObjectName(QStringLiteral("calibration-chart"));
    for (QWidget* const charts : {static_cast<QWidget*>(sensitivity_), static_cast<QWidget*>(calibration_)}) {
        charts->hide();
        column().addWidget(charts);
    }
    connect(ask_, &QPushButton::clicked, this, &ReasonsSection::ask_requested);
}

void ReasonsSection::show_study(const CaseStudy& study) {
    if (study.failure() == nullptr)
        return;
    const QStringList spots = failure_words().blind_spots(*study.failure());
    const bool has_model = study.setting().table.isEmpty();
    set_text(*known_, !spots.isEmpty() ? bulleted(spots)
                      : has_model && !study.reasons()
                          ? tr("Its training gives no hint by itself: ask the model.")
                      : has_model ? QString()
                                  : tr("A recorded table has no model that could be asked."));
    const QString refusal = has_model ? study.asking_refusal() : tr("There is no model to ask.");
    ask_->setVisible(has_model);
    ask_->setEnabled(refusal.isEmpty());
    ask_->setToolTip(refusal.isEmpty() ? tr("Tells the rule of its choice, its confidence, and the matrices "
                                            "that it takes this one to be like")
                                       : refusal);
    progress_->show_job(has_model ? study.asking() : std::nullopt);
    const auto& reasons = study.reasons();
    set_text(*told_, reasons ? bulleted(reason_sentences(*reasons)) : QString());
    const bool has_nearest = reasons && reasons->nearest && !reasons->nearest->matrices.empty();
    set_text(*nearest_title_, has_nearest ? nearest_text(*reasons->nearest) : QString());
    rows_.set_rows(has_nearest ? reasons->nearest->matrices : std::vector<NearestMatrix>{});
    nearest_->setVisible(has_nearest);
    const bool has_curves = reasons && reasons->sensitivity && !reasons->sensitivity->curves.empty();
    if (has_curves)
        sensitivity_->show_reason(*reasons->sensitivity);
    sensitivity_->setVisible(has_curves);
    const bool has_certainty = reasons && reasons->uncertainty;
    if (has_certainty)
        calibration_->show_chart(calibration_chart(*reasons->uncertainty));
    calibration_->setVisible(has_certainty);
}

namespace {

constexpr int chart_height = 250;

} // namespace

ReasonChartView::ReasonChartView(const QString& title, QWidget* parent)
    : QWidget(parent)
    , title_(new QLabel(title, this))
    , chart_(new Chart(this))
    , remark_(new QLabel(this)) {
    title_->setWordWrap(true);
    chart_->setFixedHeight(chart_height);
    chart_->setAccessibleName(title);
    keep_font(*remark_, caption_font);
    remark_->setWordWrap(true);
    remark_->setForegroundRole(QPalette::PlaceholderText);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(title_);
    column->addWidget(chart_);
    column->addWidget(remark_);
}

void ReasonChartView::show_chart(const ReasonChart& chart) {
    chart_->set_x_axis(chart.x);
    chart_->set_y_axis(chart.y);
    chart_->set_series(chart.series);
    if (chart.reference)
        chart_->set_reference(chart.reference->y, chart.reference->label);
    else
        chart_->clear_reference();
    chart_->set_empty_text(chart.remark);
    remark_->setText(chart.remark);
    chart_->setVisible(!chart.series.empty());
}

SensitivityView::SensitivityView(QWidget* parent)
    : QWidget(parent)
    , choice_(new QComboBox(this))
    , view_(new ReasonChartView(tr("How its choice moves as one thing varies, beside what the times do:"),
                                this)) {
    choice_->setObjectName(QStringLiteral("varied"));
    choice_->setAccessibleName(tr("What is varied"));
    choice_->setToolTip(tr("Where foreseen and real advantage part most stands first"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice_->setMinimumContentsLength(20);
    view_->chart().setObjectName(QStringLiteral("sensitivity-chart"));
    view_->title().setBuddy(choice_);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view_);
    if (auto* const inside = qobject_cast<QVBoxLayout*>(view_->layout()))
        inside->insertWidget(1, choice_, 0, Qt::AlignLeft);
    connect(choice_, &QComboBox::currentIndexChanged, this, &SensitivityView::show_curve);
}

void SensitivityView::show_reason(const SensitivityReason& reason) {
    if (reason == reason_)
        return;
    const QString before = choice_->currentText();
    reason_ = reason;
    {
        const QSignalBlocker blocker(choice_);
        choice_->clear();
        for (const SensitivityCurve& curve : reason_.curves)
            choice_->addItem(curve_title(curve));
        choice_->setCurrentIndex(std::max(0, choice_->findText(before)));
    }
    show_curve();
}

void SensitivityView::show_curve() {
    const int at = choice_->currentIndex();
    if (at < 0 || static_cast<std::size_t>(at) >= reason_.curves.size())
        return view_->show_chart({});
    view_->show_chart(sensitivity_chart(reason_.curves[static_cast<std::size_t>(at)], margin_scale(reason_)));
}

namespace {

struct ReasonWordTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ModelReasons)
};

QString shown_text(const std::string& text) {
    return QString::fromStdString(text);
}

/// With the window's names of decisions and values.
std::optional<Anchor> in_window_words(std::optional<Anchor> rule) {
    if (rule)
        for (ReasonPredicate& each : rule->predicates) {
            if (each.subject == ReasonSubject::Configuration || each.subject == ReasonSubject::Against)
                each.title = decision_name(shown_text(each.key)).toStdString();
            each.value = decision_value(shown_text(each.value)).toStdString();
        }
    return rule;
}

QString anchor_sentence(AnchorReason reason) {
    reason.anchor = in_window_words(std::move(reason.anchor));
    reason.nearest = in_window_words(std::move(reason.nearest));
    return rule_sentence(reason, ReasonWordTexts::tr("this schedule"),
                         {.configuration = ReasonWordTexts::tr("its choice").toStdString(),
                          .against = ReasonWordTexts::tr("the other").toStdString(),
                          .workload = ReasonWordTexts::tr("the matrix").toStdString(),
                          .machine = ReasonWordTexts::tr("the machine").toStdString()});
}

QString certainty_sentence(const UncertaintyReason& reason) {
    QString text = ReasonWordTexts::tr("Its confidence is %1.").arg(share_text(reason.confidence));
    if (reason.checked_pairs > 0)
        text += u' ' +
                ReasonWordTexts::tr("Confidence and outcome differ by %1 on average over %2 checked pairs.")
                    .arg(share_text(reason.calibration_error), count_text(reason.checked_pairs));
    return text;
}

QString outside_sentence(const NearestReason& reason) {
    if (reason.is_trained)
        return ReasonWordTexts::tr("The model was trained on this matrix.");
    const Distances& distances = reason.matrix_distances;
    if (!distances.nearest || !distances.typical)
        return {};
    const double times = *distances.typical > 0 ? *distances.nearest / *distances.typical : 0;
    return distances.is_outside()
               ? ReasonWordTexts::tr("This matrix is unlike the training data (distance %1× of typical).")
                     .arg(significant(times, 2))
               : ReasonWordTexts::tr("This matrix resembles the training data (distance %1× of typical).")
                     .arg(significant(times, 2));
}

QString curve_sentence(const SensitivityReason& reason) {
    for (const SensitivityCurve& curve : reason.curves)
        if (curve.widest && curve.widest->better < curve.points.size() &&
            curve.widest->worse < curve.points.size())
            return ReasonWordTexts::tr(
                       "It misjudges %1 most: it prefers %2 to %3, which gains %4 more in time.")
                .arg(shown_text(curve.title), shown_text(curve.points[curve.widest->worse].value),
                     shown_text(curve.points[curve.widest->better].value),
                     speedup_text(curve.widest->factor));
    return {};
}

} // namespace

QStringList reason_sentences(const ModelReasons& reasons) {
    QStringList sentences;
    if (const auto right = reasons.is_right(); !right)
        sentences << (reasons.margin() > 0
                          ? ReasonWordTexts::tr("Asked about these two alone, it prefers its choice.")
                          : ReasonWordTexts::tr("Asked about these two alone, it prefers the other one."));
    else
        sentences << (*right
                          ? ReasonWordTexts::tr("Asked about these two alone, it prefers the faster one.")
                          : ReasonWordTexts::tr("Asked about these two alone, it prefers the slower one."));
    if (reasons.anchors)
        sentences << anchor_sentence(*reasons.anchors);
    if (reasons.nearest)
        sentences << outside_sentence(*reasons.nearest);
    if (reasons.uncertainty)
        sentences << certainty_sentence(*reasons.uncertainty);
    if (reasons.sensitivity)
        sentences << curve_sentence(*reasons.sensitivity);
    for (const MissingReason& missing : reasons.missing)
        sentences << ReasonWordTexts::tr("%1: %2.").arg(
            QString::fromUtf8(name(missing.part).data(), static_cast<qsizetype>(name(missing.part).size())),
            shown_text(missing.why));
    sentences.removeAll(QString());
    return sentences;
}

} // namespace sparsight
