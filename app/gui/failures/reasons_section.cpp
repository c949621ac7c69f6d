#include "gui/failures/reasons_section.h"

#include "gui/failures/case_study.h"
#include "gui/failures/failure_words.h"
#include "gui/failures/reason_views.h"
#include "gui/failures/reason_words.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_progress_line.h"
#include "gui/page/short_form.h"
#include "schedule/text.h"
#include "widgets/chart/chart.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/record_columns.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <algorithm>

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

/// Measured where it was, otherwise simulated, which is said.
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
            Texts::tr("Distance"), Texts::tr("As the model sees them"),
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
    const QStringList spots = blind_spots(*study.failure());
    const bool has_model = study.setting().table.isEmpty();
    set_text(*known_, !spots.isEmpty() ? bulleted(spots)
                      : has_model && !study.reasons()
                          ? tr("Its training gives no hint by itself: ask the model.")
                      : has_model ? QString()
                                  : tr("A recorded table has no model that could be asked."));
    const QString refusal = has_model ? study.asking_refusal() : tr("There is no model to ask.");
    ask_->setVisible(has_model);
    ask_->setEnabled(refusal.isEmpty());
    ask_->setToolTip(refusal.isEmpty()
                         ? tr("By which rule it chose, how sure it was, and which matrices it took "
                              "this one for")
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

} // namespace sparsight
