#include "gui/domains/sparse/failures/tuning/tuning_comparison.h"

#include "evaluation/time_differences.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/jobs/job_texts.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <set>

namespace sparsight {

namespace {

struct TuningTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::TuningPlan)
};

/// As many names as fit on a line.
constexpr qsizetype most_named = 5;

/// Matrices on which a model fails, and whether the failure costs time.
std::map<QString, bool> failing_of(const SparseFailures& read, const QString& model) {
    std::map<QString, bool> failing;
    for (const FailureCase& failure : read.cases)
        if (failure.model_name == model.toStdString())
            failing[QString::fromStdString(failure.workload)] = failure.lost_ms() > 0;
    return failing;
}

void count_matrix(const std::map<QString, bool>& failing, const QString& matrix, qint64& failures,
                  qint64& costly) {
    const auto found = failing.find(matrix);
    if (found == failing.end())
        return;
    ++failures;
    costly += found->second ? 1 : 0;
}

const EvaluatedModel* model_of(const ModelEvaluation& evaluation, const QString& model) {
    const auto found = std::ranges::find(evaluation.models, model.toStdString(), &EvaluatedModel::name);
    return found == evaluation.models.end() ? nullptr : &*found;
}

/// The fastest of the schedules that the model chose for the matrix.
TuningChoice fastest_choice(const EvaluatedWorkload& matrix) {
    TuningChoice choice{QString::fromStdString(matrix.best_configuration), matrix.times.best_ms};
    const auto found =
        std::ranges::find(matrix.candidates, matrix.best_configuration, &EvaluatedCandidate::configuration);
    if (found != matrix.candidates.end()) {
        choice.rank = found->rank;
        choice.spread_ms = found->spread_ms;
    }
    if (matrix.turns > 0)
        choice.spread_ms = matrix.best_told ? std::optional(matrix.best_told->spread_ms) : std::nullopt;
    return choice;
}

/// Both models were timed in the same turns, each over fixed CSR in the same turn.
TurnRatio ratio_by_turns(const EvaluatedWorkload& before, const EvaluatedWorkload& after) {
    if (!before.best_told || !after.best_told || before.best_told->turn_ratios.size() < 2 ||
        before.best_told->turn_ratios.size() != after.best_told->turn_ratios.size())
        return {};
    return ratio_of_told({after.best_told->turn_ratios, after.best_told->turns_agree},
                         {before.best_told->turn_ratios, before.best_told->turns_agree});
}

std::vector<TuningOutcome> outcomes_in(const TuningState& state, const ModelEvaluation& evaluation) {
    std::vector<TuningOutcome> outcomes;
    const EvaluatedModel* const before = model_of(evaluation, state.model);
    const EvaluatedModel* const after = model_of(evaluation, state.tuned);
    if (before == nullptr || after == nullptr)
        return outcomes;
    for (std::size_t at = 0; at < std::min(before->workloads.size(), after->workloads.size()); ++at) {
        const EvaluatedWorkload& matrix = before->workloads[at];
        const QString name = QString::fromStdString(matrix.times.workload);
        if (!state.learned.contains(name) && !state.held_out.contains(name))
            continue;
        TuningOutcome& outcome = outcomes.emplace_back(
            TuningOutcome{name, fastest_choice(matrix), fastest_choice(after->workloads[at]),
                          matrix.times.baseline_ms, matrix.times.best_known_ms, matrix.turns});
        if (const TurnRatio ratio = ratio_by_turns(matrix, after->workloads[at]); ratio.margin()) {
            outcome.turn_ratio = ratio.ratio;
            outcome.turn_margin = ratio.margin();
        }
    }
    std::ranges::stable_partition(
        outcomes, [&](const TuningOutcome& each) { return state.learned.contains(each.matrix); });
    return outcomes;
}

qint64 matrices_of(const TuningComparison& comparison) {
    return comparison.family.matrices + comparison.elsewhere.matrices;
}

QString failures_text(qint64 count) {
    return count == 1 ? TuningTexts::tr("1 failure") : TuningTexts::tr("%1 failures").arg(count_text(count));
}

/// Failures that cost time come first: a user who measures all choices loses nothing by a wrong order.
QString counted(const QString& where, const TuningCount& count, const TuningState& state) {
    return TuningTexts::tr("%1: %2 of %3 before, %4 of %5 after. Costing time: %6 before, %7 after; only "
                           "wrong about their own choice: %8 before, %9 after.")
        .arg(where, failures_text(count.before), state.model, failures_text(count.after), state.tuned)
        .arg(count_text(count.costly_before), count_text(count.costly_after),
             count_text(count.before - count.costly_before), count_text(count.after - count.costly_after));
}

} // namespace

std::optional<TuningComparison> compare_tuning(const TuningState& state, const SparseFailures& read) {
    const FailureSetting& setting = read.setting;
    if (state.tuned.isEmpty() || !setting.table.isEmpty() || setting.machine != state.machine ||
        setting.op != state.op || setting.dense != state.dense || setting.k != state.k ||
        !setting.models.contains(state.model) || !setting.models.contains(state.tuned))
        return std::nullopt;
    const auto before = failing_of(read, state.model);
    const auto after = failing_of(read, state.tuned);
    TuningComparison comparison;
    comparison.run = static_cast<qint64>(setting.run);
    for (const QString& matrix : state.held_out) {
        if (!setting.matrices.contains(matrix))
            continue;
        TuningCount& count = state.learned_families.contains(family_name_of(setting, matrix))
                                 ? comparison.family
                                 : comparison.elsewhere;
        ++count.matrices;
        count_matrix(before, matrix, count.before, count.costly_before);
        count_matrix(after, matrix, count.after, count.costly_after);
        if (after.contains(matrix) && !before.contains(matrix))
            comparison.newly_failing << matrix;
    }
    comparison.outcomes = outcomes_in(state, read.evaluation);
    const qint64 least = state.comparison ? matrices_of(*state.comparison) : 1;
    if (matrices_of(comparison) < least || (state.comparison && comparison.run < state.comparison->run))
        return std::nullopt;
    return comparison;
}

QString families_text(const QStringList& families) {
    QStringList texts;
    for (const PatternFamily family : all_pattern_families) {
        const std::string_view named = name(family);
        if (families.contains(QString::fromUtf8(named.data(), static_cast<qsizetype>(named.size()))))
            texts << family_text(family);
    }
    return texts.join(TuningTexts::tr(" and "));
}

QString comparison_text(const TuningState& state, const TuningComparison& comparison) {
    const QString family = families_text(state.learned_families);
    QStringList sentences;
    sentences << (comparison.family.matrices > 0
                      ? counted(TuningTexts::tr("Other held-out matrices of the same family (%1; %2)")
                                    .arg(family, matrices_text(comparison.family.matrices)),
                                comparison.family, state)
                      : TuningTexts::tr("No other held-out matrix is of the same family (%1): whether it has "
                                        "learned that family is not known.")
                            .arg(family));
    if (comparison.elsewhere.matrices > 0)
        sentences << counted(TuningTexts::tr("Held-out matrices of other families (%1)")
                                 .arg(matrices_text(comparison.elsewhere.matrices)),
                             comparison.elsewhere, state);
    if (const QStringList& newly = comparison.newly_failing; !newly.isEmpty())
        sentences << TuningTexts::tr("Failing anew: %1%2.")
                         .arg(newly.first(std::min(most_named, newly.size())).join(QStringLiteral(", ")),
                              newly.size() > most_named ? QStringLiteral(" …") : QString());
    return sentences.join(u'\n');
}

HeldOutMatrices held_out_of(const FailureSetting& setting, const QStringList& learned,
                            const QStringList& families) {
    std::set<std::string> known;
    for (const QString& matrix : learned)
        known.insert(matrix.toStdString());
    if (setting.forms != nullptr)
        known = setting.forms->with_relatives(known);
    HeldOutMatrices held_out;
    for (const QString& matrix : setting.matrices) {
        if (known.contains(matrix.toStdString()))
            continue;
        held_out.all << matrix;
        if (families.contains(family_name_of(setting, matrix)))
            held_out.family << matrix;
    }
    return held_out;
}

QStringList learned_by(const std::vector<KnownModel>& models, const QString& model) {
    QStringList learned;
    std::set<ModelId> seen; // in a damaged file a model may descend from itself
    auto found = std::ranges::find(models, model, &KnownModel::name);
    while (found != models.end() && seen.insert(found->id).second) {
        learned << found->workloads;
        found = found->parent ? std::ranges::find(models, *found->parent, &KnownModel::id) : models.end();
    }
    return learned;
}

} // namespace sparsight
