#include "gui/failures/tuning_comparison.h"

#include "gui/failures/failure_words.h"
#include "gui/jobs/counted_text.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <map>

namespace sparsight {

namespace {

struct TuningTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::TuningPlan)
};

/// As many as fit a line.
constexpr qsizetype most_named = 5;

/// Failing matrices of a model, and whether the failure costs time.
std::map<QString, bool> failing_of(const ReadFailures& read, const QString& model) {
    std::map<QString, bool> failing;
    for (const FailureCase& failure : read.cases)
        if (failure.model_name == model.toStdString())
            failing[QString::fromStdString(failure.matrix)] = failure.lost_ms() > 0;
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

qint64 matrices_of(const TuningComparison& comparison) {
    return comparison.family.matrices + comparison.elsewhere.matrices;
}

QString failures_text(qint64 count) {
    return count == 1 ? TuningTexts::tr("1 failure") : TuningTexts::tr("%1 failures").arg(count_text(count));
}

QString counted(const QString& where, const TuningCount& count, const TuningState& state) {
    return TuningTexts::tr(
               "%1: %2 of %3 before, of which %4 cost time; %5 of %6 after, of which %7 cost time.")
        .arg(where, failures_text(count.before), state.model, count_text(count.costly_before),
             failures_text(count.after), state.tuned, count_text(count.costly_after));
}

} // namespace

std::optional<TuningComparison> compare_tuning(const TuningState& state, const ReadFailures& read) {
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
                      ? counted(TuningTexts::tr("On the other held-out matrices of the same family (%1; %2)")
                                    .arg(family, matrices_text(comparison.family.matrices)),
                                comparison.family, state)
                      : TuningTexts::tr("No other held-out matrix is of the same family (%1): whether it has "
                                        "learned that family is not known.")
                            .arg(family));
    if (comparison.elsewhere.matrices > 0)
        sentences << counted(TuningTexts::tr("On held-out matrices of other families (%1)")
                                 .arg(matrices_text(comparison.elsewhere.matrices)),
                             comparison.elsewhere, state);
    if (const QStringList& newly = comparison.newly_failing; !newly.isEmpty())
        sentences << TuningTexts::tr("Failing anew: %1%2.")
                         .arg(newly.first(std::min(most_named, newly.size())).join(QStringLiteral(", ")),
                              newly.size() > most_named ? QStringLiteral(" …") : QString());
    return sentences.join(u'\n');
}

} // namespace sparsight
