#include "gui/domains/sparse/candidates/search_words.h"

#include "gui/jobs/job_texts.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace sparsight {

namespace {

struct SearchTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::CandidatesPage)
};

bool is(const QString& method, const char* name) {
    return method == QLatin1String(name);
}

} // namespace

QString search_method_text(const QString& method) {
    if (is(method, "index"))
        return SearchTexts::tr("walk through the graph");
    if (is(method, "exhaustive"))
        return SearchTexts::tr("score all (exhaustive)");
    if (is(method, "evolution"))
        return SearchTexts::tr("evolution");
    if (is(method, "annealing"))
        return SearchTexts::tr("annealing");
    if (is(method, "recorded"))
        return SearchTexts::tr("what was recorded");
    return method;
}

QString search_method_meaning(const QString& method) {
    if (is(method, "index"))
        return SearchTexts::tr(
            "Schedules that are alike to the model are linked (HNSW). The search walks along "
            "the links to ever better ones and scores a fraction of the pool; its recall "
            "says what it missed.");
    if (is(method, "exhaustive"))
        return SearchTexts::tr("Every schedule of the pool is scored: exact, and the measure of the walk.");
    if (is(method, "evolution"))
        return SearchTexts::tr(
            "The whole space, beyond the pool: children of good schedules are one step away "
            "from them, or mixtures of two.");
    if (is(method, "annealing"))
        return SearchTexts::tr(
            "The whole space, beyond the pool: steps to worse schedules are taken, too, and "
            "ever more rarely.");
    return SearchTexts::tr("The best of what was recorded of this matrix on the selected machine.");
}

QString search_facts(const CandidateSearch& search) {
    QStringList facts;
    if (search.recall && search.blend)
        facts << SearchTexts::tr("of the network’s best %1 the walk found %2")
                     .arg(count_text(search.recall_at.value_or(search.asked.k)), share_text(*search.recall));
    else if (search.recall)
        facts << SearchTexts::tr("recall@%1 against exhaustive %2")
                     .arg(count_text(search.recall_at.value_or(search.asked.k)), share_text(*search.recall));
    facts
        << (search.scored > search.pool
                ? SearchTexts::tr("%1 scored, of which %2 are the pool")
                      .arg(count_text(search.scored), count_text(search.pool))
                : SearchTexts::tr("%1 of %2 scored").arg(count_text(search.scored), count_text(search.pool)));
    facts << (search.exhaustive_ms
                  ? SearchTexts::tr("%1 for the walk, %2 for all of them")
                        .arg(duration_text(search.search_ms), duration_text(*search.exhaustive_ms))
                  : duration_text(search.search_ms));
    if (search.simulated)
        facts << SearchTexts::tr("%1 of them simulated in %2")
                     .arg(count_text(*search.simulated), duration_text(search.simulating_ms.value_or(0)));
    facts << SearchTexts::tr("%1 to look at the matrix").arg(duration_text(search.embedding_ms));
    if (search.blend)
        facts << blend_formula(*search.blend);
    return facts.join(QStringLiteral(" · "));
}

QString search_headline(const CandidateSearch& search, const SearchSubject& subject,
                        const std::vector<CandidateRow>& rows, TimeSource origin) {
    const auto count = static_cast<int>(std::ranges::count_if(
        search.candidates, [&search](const FoundCandidate& found) { return found.rank <= search.asked.k; }));
    const QString kind = origin == TimeSource::Simulated ? SearchTexts::tr(" (simulated)") : QString();
    const QString matrix = subject.matrix.toHtmlEscaped();
    const QString model = subject.model.toHtmlEscaped();
    const QString found =
        count == 1
            ? SearchTexts::tr("For %1 the model %2 takes this schedule for the fastest").arg(matrix, model)
            : SearchTexts::tr("For %1 the model %2 takes these %3 for the fastest")
                  .arg(matrix, model, schedules_text(count));
    const CandidateRow* best = best_of(rows);
    if (best == nullptr)
        return found + u'.';
    const ResultRow& time = best->time->row;
    if (!time.speedup_over_fixed_csr)
        return SearchTexts::tr("%1; the best takes %2%3.")
            .arg(found, duration_text(time.median_ms.value_or(0)), kind);
    const Theme& theme = current_theme();
    const QColor colour = best->time->is_in_noise             ? theme.dim_text
                          : *time.speedup_over_fixed_csr >= 1 ? theme.win
                                                              : theme.lose;
    return SearchTexts::tr("%1; the best is <span style='color:%2'>%3</span> as fast as fixed CSR%4.")
        .arg(found, colour.name(), speedup_text(*best->time), kind);
}

} // namespace sparsight
