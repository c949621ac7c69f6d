#include "gui/results/result_rows.h"

#include "widgets/chart/chart_content.h"
#include "widgets/look/theme.h"
#include "widgets/table/record_model.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct Results {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ResultRows)
};

QString row_text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

/// The figure before the brackets says it.
QString without_unit(QString text) {
    while (text.endsWith(u'%') || text.endsWith(u'×') || (!text.isEmpty() && text.back().isSpace()))
        text.chop(1);
    return text;
}

/// A figure with its interval; sorted and exported by the figure.
RecordColumn<ModelResult> figure_column(const QString& title, const QString& tooltip,
                                        Estimate SpeedupSummary::* figure, QString (*write)(double)) {
    auto column = value_column<ModelResult>(
        title, tooltip,
        [figure](const ModelResult& row) {
            return row.model.summary ? std::optional(((*row.model.summary).*figure).value) : std::nullopt;
        },
        write);
    column.text = [figure, write](const ModelResult& row) {
        if (!row.model.summary)
            return unknown_text();
        const Estimate& estimate = (*row.model.summary).*figure;
        const QString value = write(estimate.value);
        return estimate.interval ? Results::tr("%1  [%2, %3]")
                                       .arg(value, without_unit(write(estimate.interval->low)),
                                            without_unit(write(estimate.interval->high)))
                                 : value;
    };
    return column;
}

QString change_text(double change) {
    return percent_text(change);
}

QString factor_text(double factor) {
    return speedup_text(factor);
}

QVariant win_or_lose(double speedup) {
    return speedup < 1 ? QVariant(current_theme().lose) : QVariant(current_theme().win);
}

std::vector<RecordColumn<ModelResult>> summary_columns() {
    auto model = text_column<ModelResult>(Results::tr("Model"), {},
                                          [](const ModelResult& row) { return row_text(row.model.name); });
    model.colour = [](const ModelResult& row) {
        return row.is_alone ? QVariant() : QVariant(colour_from(series_colour(row.place), current_theme()));
    };
    const QString interval = Results::tr(" In brackets the 95 % interval over the matrices.");
    return {
        model,
        figure_column(Results::tr("Geometric mean"), Results::tr("Of the speedups.") + interval,
                      &SpeedupSummary::geometric_mean, &factor_text),
        figure_column(Results::tr("Median"), Results::tr("Of the speedups.") + interval,
                      &SpeedupSummary::median, &factor_text),
        figure_column(
            Results::tr("Report’s mean"),
            Results::tr("Mean of time of fixed CSR over time of the model’s best, less 1: the figure of the "
                        "report, 19.6 % there. One matrix that gains much makes it large.") +
                interval,
            &SpeedupSummary::mean_relative, &change_text),
        figure_column(
            Results::tr("Loses on"),
            Results::tr("Share of the matrices where fixed CSR is faster than all that was chosen.") +
                interval,
            &SpeedupSummary::losing, [](double share) { return share_text(share); }),
        value_column<ModelResult>(
            Results::tr("Worst"), Results::tr("The lowest speedup of all matrices"),
            [](const ModelResult& row) {
                return row.model.summary ? std::optional(row.model.summary->worst) : std::nullopt;
            },
            &factor_text),
        figure_column(Results::tr("Regret"),
                      Results::tr("How much slower the best of the model’s choice is than the best known.") +
                          interval,
                      &SpeedupSummary::regret, &change_text),
        value_column<ModelResult>(
            Results::tr("Kendall’s τ"),
            Results::tr("How well the scores order the times of what was chosen: 1 perfectly, 0 not at all"),
            [](const ModelResult& row) { return row.model.kendall_tau; },
            [](double tau) { return fixed_text(tau, 2); }),
    };
}

std::vector<RecordColumn<MatrixResult>> matrix_columns() {
    const auto duration = [](double milliseconds) { return duration_text(milliseconds); };
    auto speedup = value_column<MatrixResult>(
        Results::tr("Speedup"), Results::tr("Time of fixed CSR over that of the best of the model’s choice"),
        [](const MatrixResult& row) { return std::optional(row.found.times.speedup()); }, &factor_text);
    speedup.colour = [](const MatrixResult& row) { return win_or_lose(row.found.times.speedup()); };
    const auto time_column = [&](const QString& title, const QString& tip, const char* export_title,
                                 double WorkloadSpeedup::* time) {
        auto column = value_column<MatrixResult>(
            title, tip, [time](const MatrixResult& row) { return std::optional(row.found.times.*time); },
            duration);
        column.export_title = QLatin1String(export_title);
        return column;
    };
    return {
        text_column<MatrixResult>(Results::tr("Matrix"), {},
                                  [](const MatrixResult& row) { return row_text(row.found.times.workload); }),
        text_column<MatrixResult>(Results::tr("Model"), {},
                                  [](const MatrixResult& row) { return row.model; }),
        speedup,
        time_column(Results::tr("Best chosen"), Results::tr("The fastest of the model’s choice"), "best_ms",
                    &WorkloadSpeedup::best_ms),
        time_column(Results::tr("Fixed CSR"), {}, "fixed_csr_ms", &WorkloadSpeedup::baseline_ms),
        time_column(Results::tr("Best known"), Results::tr("The fastest of all that was ever measured there"),
                    "best_known_ms", &WorkloadSpeedup::best_known_ms),
        value_column<MatrixResult>(
            Results::tr("Regret"), Results::tr("How much slower the best chosen is than the best known"),
            [](const MatrixResult& row) { return std::optional(row.found.times.regret()); }, &change_text),
        value_column<MatrixResult>(
            Results::tr("Kendall’s τ"), Results::tr("Of the scores with the times of what was chosen"),
            [](const MatrixResult& row) { return row.found.kendall_tau; },
            [](double tau) { return fixed_text(tau, 2); }),
        text_column<MatrixResult>(
            Results::tr("Schedule"), Results::tr("The fastest of the model’s choice"),
            [](const MatrixResult& row) { return row_text(row.found.best_configuration); })};
}

} // namespace

SummaryModel::SummaryModel(QObject* parent)
    : RecordModel(
          summary_columns(), [](const ModelResult& row) { return row_text(row.model.name); }, parent) {}

void SummaryModel::show_evaluation(const ModelEvaluation& evaluation) {
    std::vector<ModelResult> rows;
    for (const EvaluatedModel& model : evaluation.models)
        rows.push_back({model, rows.size(), evaluation.models.size() == 1});
    set_rows(std::move(rows));
}

MatrixResultsModel::MatrixResultsModel(QObject* parent)
    : RecordModel(
          matrix_columns(),
          [](const MatrixResult& row) { return row_text(row.found.times.workload) + u'|' + row.model; },
          parent) {}

void MatrixResultsModel::show_evaluation(const ModelEvaluation& evaluation) {
    std::vector<MatrixResult> rows;
    for (const EvaluatedModel& model : evaluation.models)
        for (const EvaluatedWorkload& matrix : model.workloads)
            rows.push_back({row_text(model.name), matrix});
    set_rows(std::move(rows));
}

QString MatrixResultsModel::matrix(int place) const {
    return row_text(row(place).found.times.workload);
}

} // namespace sparsight
