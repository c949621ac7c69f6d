#include "gui/results/result_rows.h"

#include "gui/page/domain_words.h"
#include "gui/results/result_statements.h"
#include "widgets/chart/chart_content.h"
#include "widgets/look/runtime_text.h"
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

/// The margin is that of the mean of the speedups; other figures move less by the turns of one workload.
QString margin_of(const EvaluatedModel& model, Estimate SpeedupSummary::* figure) {
    return figure == &SpeedupSummary::mean_relative
               ? margin_text(model, 1 + model.summary->mean_relative.value)
               : QString();
}

/// "25 % [7, 59]"
QString figure_text(const Estimate& estimate, QString (*write)(double), const QString& margin = {}) {
    const QString value = write(estimate.value) + margin;
    return estimate.interval ? Results::tr("%1  [%2, %3]")
                                   .arg(value, without_unit(write(estimate.interval->low)),
                                        without_unit(write(estimate.interval->high)))
                             : value;
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
        return row.model.summary
                   ? figure_text((*row.model.summary).*figure, write, margin_of(row.model, figure))
                   : unknown_text();
    };
    return column;
}

QString share_of_workloads(double share) {
    return share_text(share);
}

QString change_text(double change) {
    return percent_text(change);
}

QString factor_text(double factor) {
    return speedup_text(factor);
}

/// A gain or a loss that is not beyond known noise is pale, as it is on Schedules.
QVariant win_or_lose(const EvaluatedWorkload& workload) {
    const Theme& theme = current_theme();
    switch (workload.verdict()) {
    case Verdict::Faster:
        return theme.win;
    case Verdict::WithinNoise:
    case Verdict::NoiseUnknown:
        return theme.dim_text;
    case Verdict::Slower:
        return theme.lose;
    }
    return {};
}

/// "25 % [7, 59], 1 within noise"; where the noise of a loss is unknown, numbers alone.
QString slower_text(const SpeedupSummary& summary) {
    const QString lead = summary.losing ? figure_text(*summary.losing, &share_of_workloads)
                                        : Results::tr("%1 beyond noise").arg(QString::number(summary.slower));
    const QString undecided = undecided_losses(summary);
    return undecided.isEmpty() ? lead : lead + QStringLiteral(", ") + undecided;
}

std::vector<RecordColumn<ModelResult>> summary_columns(const DomainWords& words) {
    auto model = text_column<ModelResult>(Results::tr("Model"), {},
                                          [](const ModelResult& row) { return row_text(row.model.name); });
    model.colour = [](const ModelResult& row) {
        return row.is_alone ? QVariant() : QVariant(colour_from(series_colour(row.place), current_theme()));
    };
    const QString workloads = many(words.workload);
    const QString interval = Results::tr(" The brackets have the 95 % interval over the %1.").arg(workloads);
    auto regret = figure_column(
        Results::tr("Regret"),
        Results::tr("How much slower the best of the model’s choice is than the best known.") + interval,
        &SpeedupSummary::regret, &change_text);
    regret.text = [in_figures = regret.text](const ModelResult& row) {
        const qint64 found = static_cast<qint64>(row.model.best_known_found());
        return found > 0 && found == std::ssize(row.model.workloads)
                   ? Results::tr("best known on %1 of %1").arg(count_text(found))
                   : in_figures(row);
    };
    auto slower = value_column<ModelResult>(
        Results::tr("Slower on"),
        Results::tr("Share of the %1 where all that was chosen is slower than %2 beyond noise.")
                .arg(workloads, reference(words)) +
            interval,
        [](const ModelResult& row) {
            const auto losing = row.model.summary ? row.model.summary->losing : std::nullopt;
            return losing ? std::optional(losing->value) : std::nullopt;
        },
        [](double share) { return share_text(share); });
    slower.text = [](const ModelResult& row) {
        return row.model.summary ? slower_text(*row.model.summary) : unknown_text();
    };
    return {
        model,
        figure_column(Results::tr("Geometric mean"),
                      Results::tr("Geometric mean of the speedups.") + interval,
                      &SpeedupSummary::geometric_mean, &factor_text),
        figure_column(Results::tr("Median"), Results::tr("Median of the speedups.") + interval,
                      &SpeedupSummary::median, &factor_text),
        figure_column(
            Results::tr("Mean gain"),
            Results::tr("Mean of time of %1 over time of the model’s best, less 1. One %2 that gains much "
                        "makes it large.")
                    .arg(reference(words), one(words.workload)) +
                interval,
            &SpeedupSummary::mean_relative, &change_text),
        std::move(slower),
        value_column<ModelResult>(
            Results::tr("Worst"), Results::tr("The lowest speedup of all %1").arg(workloads),
            [](const ModelResult& row) {
                return row.model.summary ? std::optional(row.model.summary->worst) : std::nullopt;
            },
            &factor_text),
        std::move(regret),
        value_column<ModelResult>(
            Results::tr("Kendall’s τ"),
            Results::tr(
                "How well the scores order the times of what was chosen: 1 perfectly, 0 not at all. It "
                "is of the times as collected: turns measure only the fastest again."),
            [](const ModelResult& row) { return row.model.kendall_tau; },
            [](double tau) { return fixed_text(tau, 2); }),
    };
}

/// "fixed_csr_ms"
QString baseline_key(const Noun& baseline) {
    return one(baseline).toLower().replace(u' ', u'_') + QStringLiteral("_ms");
}

std::vector<RecordColumn<WorkloadResult>> workload_columns(const DomainWords& words) {
    const auto duration = [](double milliseconds) { return runtime_text(milliseconds); };
    auto speedup = value_column<WorkloadResult>(
        Results::tr("Speedup"),
        Results::tr(
            "Time of %1 over that of the best of the model’s choice. ~: may be noise. ±: uncertain by "
            "more than 6 %")
            .arg(reference(words)),
        [](const WorkloadResult& row) { return std::optional(row.found.times.speedup()); }, &factor_text);
    speedup.text = [](const WorkloadResult& row) { return shown_speedup(row.found); };
    speedup.colour = [](const WorkloadResult& row) { return win_or_lose(row.found); };
    auto regret = value_column<WorkloadResult>(
        Results::tr("Regret"),
        Results::tr(
            "How much slower the best chosen is than the best known. ~: only noise makes it negative. "
            "±: uncertain by more than 6 %"),
        [](const WorkloadResult& row) { return std::optional(row.found.times.regret()); }, &change_text);
    regret.text = [](const WorkloadResult& row) {
        const double share = row.found.times.regret();
        const QString figure = (share < 0 ? QStringLiteral("~") : QString()) + change_text(share);
        return row.found.is_regret_uncertain()
                   ? Results::tr("%1 ± %2").arg(figure, share_text(*row.found.regret_margin()))
                   : figure;
    };
    const auto time_column = [&](const QString& title, const QString& tip, const QString& export_title,
                                 double WorkloadSpeedup::* time) {
        const QString both =
            tip.isEmpty() ? turns_remark(words) : tip + QStringLiteral(". ") + turns_remark(words);
        auto column = value_column<WorkloadResult>(
            title, both, [time](const WorkloadResult& row) { return std::optional(row.found.times.*time); },
            duration);
        column.export_title = export_title;
        return column;
    };
    auto code = text_column<WorkloadResult>(
        Results::tr("Code"), Results::tr("The same, as files and commands write it"),
        [](const WorkloadResult& row) { return row_text(row.found.best_configuration); });
    code.export_title = one(words.configuration);
    code.colour = [](const WorkloadResult&) { return QVariant(current_theme().dim_text); };
    return {text_column<WorkloadResult>(
                title_of_one(words.workload), {},
                [](const WorkloadResult& row) { return row_text(row.found.times.workload); }),
            text_column<WorkloadResult>(Results::tr("Model"), {},
                                        [](const WorkloadResult& row) { return row.model; }),
            speedup,
            time_column(Results::tr("Best chosen"), Results::tr("The fastest of the model’s choice"),
                        QStringLiteral("best_ms"), &WorkloadSpeedup::best_ms),
            time_column(words.baseline ? title_of_one(*words.baseline) : QString(), {},
                        words.baseline ? baseline_key(*words.baseline) : QString(),
                        &WorkloadSpeedup::baseline_ms),
            time_column(Results::tr("Best known"), Results::tr("The fastest of all that have a time there"),
                        QStringLiteral("best_known_ms"), &WorkloadSpeedup::best_known_ms),
            regret,
            value_column<WorkloadResult>(
                Results::tr("Kendall’s τ"),
                Results::tr("Agreement of the scores with the collected times of what was chosen"),
                [](const WorkloadResult& row) { return row.found.kendall_tau; },
                [](double tau) { return fixed_text(tau, 2); }),
            text_column<WorkloadResult>(title_of_one(words.configuration),
                                        Results::tr("The fastest of the model’s choice"),
                                        [](const WorkloadResult& row) { return row.best_name; }),
            code};
}

} // namespace

SummaryModel::SummaryModel(const DomainWords& words, QObject* parent)
    : RecordModel(
          summary_columns(words), [](const ModelResult& row) { return row_text(row.model.name); }, parent) {}

void SummaryModel::show_evaluation(const ModelEvaluation& evaluation) {
    std::vector<ModelResult> rows;
    for (const EvaluatedModel& model : evaluation.models)
        rows.push_back({model, rows.size(), evaluation.models.size() == 1});
    set_rows(std::move(rows));
}

WorkloadResultsModel::WorkloadResultsModel(const DomainWords& words, QObject* parent)
    : RecordModel(
          workload_columns(words),
          [](const WorkloadResult& row) { return row_text(row.found.times.workload) + u'|' + row.model; },
          parent) {}

void WorkloadResultsModel::show_evaluation(const ModelEvaluation& evaluation) {
    std::vector<WorkloadResult> rows;
    for (const EvaluatedModel& model : evaluation.models)
        for (const EvaluatedWorkload& workload : model.workloads)
            rows.push_back({row_text(model.name), workload,
                            row_text(std::string(evaluation.name_of(workload.best_configuration)))});
    set_rows(std::move(rows));
}

QString WorkloadResultsModel::workload(int place) const {
    return row_text(row(place).found.times.workload);
}

} // namespace sparsight
