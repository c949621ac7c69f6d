#include "gui/candidates/search_words.h"

#include "gui/page/domain_words.h"
#include "gui/workspace/configuration_times.h"
#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"
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

QString search_method_meaning(const QString& method, const DomainWords& words) {
    const QString configurations = many(words.configuration);
    const QString configuration = one(words.configuration);
    if (is(method, "index"))
        return SearchTexts::tr(
                   "%1 that are alike to the model are linked (HNSW). The search walks along the links to "
                   "ever better ones and scores a fraction of the pool. Its recall says what it missed.")
            .arg(title_of_many(words.configuration));
    if (is(method, "exhaustive"))
        return SearchTexts::tr("Every %1 of the pool is scored: exact, and the measure of the walk.")
            .arg(configuration);
    if (is(method, "evolution"))
        return SearchTexts::tr("The whole space, beyond the pool: children of good %1 are one step away "
                               "from them, or mixtures of two.")
            .arg(configurations);
    if (is(method, "annealing"))
        return SearchTexts::tr("The whole space, beyond the pool: steps to worse %1 are taken, too, and "
                               "ever more rarely.")
            .arg(configurations);
    return SearchTexts::tr("The best of what was recorded of this %1 on the selected machine.")
        .arg(one(words.workload));
}

QString search_facts(const CandidateSearch& search, const DomainWords& words) {
    QStringList facts;
    if (search.recall && search.blend)
        facts << SearchTexts::tr("the walk found %2 of the network’s best %1")
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
        facts << SearchTexts::tr("%1 simulated in %2")
                     .arg(count_text(*search.simulated), duration_text(search.simulating_ms.value_or(0)));
    facts << SearchTexts::tr("%1 to look at the %2")
                 .arg(duration_text(search.embedding_ms), one(words.workload));
    if (search.blend)
        facts << blend_formula(*search.blend);
    return facts.join(QStringLiteral(" · "));
}

namespace {

QString coloured_speedup(const CandidateRow& row) {
    const Theme& theme = current_theme();
    const QColor colour = row.is_in_noise                             ? theme.dim_text
                          : row.time->result.speedup.value_or(0) >= 1 ? theme.win
                                                                      : theme.lose;
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), speedup_text(row));
}

/// The verdict of the turns, and then the collected figure, which is named as such.
QString sentences_in_turns(const FastestInTurns& in_turns, const CandidateRow& fastest,
                           const CandidateRow& collected, const DomainWords& words) {
    const QString baseline = one(*words.baseline);
    const QString verdict =
        fastest.is_baseline
            ? SearchTexts::tr("Measured in turns, no %1 beats %2.").arg(one(words.configuration), baseline)
        : in_turns.verdict() == Verdict::Faster
            ? SearchTexts::tr("Measured in turns, the best is %1 as fast as %2.")
                  .arg(coloured_speedup(in_turns), baseline)
            : SearchTexts::tr("Measured in turns, there is no clear winner. The first is %1 as fast as %2.")
                  .arg(coloured_speedup(in_turns), baseline);
    const QString figure = coloured_speedup(collected);
    return verdict + u' ' +
           (&collected == &fastest ? SearchTexts::tr("The collected figure is %1.").arg(figure)
                                   : SearchTexts::tr("The collected times put %1 first, with %2.")
                                         .arg(collected.name.short_form.toHtmlEscaped(), figure));
}

} // namespace

QString search_headline(const CandidateSearch& search, const SearchSubject& subject,
                        const std::vector<CandidateRow>& rows, TimeSource origin, const DomainWords& words,
                        const FastestInTurns* in_turns) {
    const auto count = std::ranges::count_if(
        search.candidates, [&search](const FoundCandidate& found) { return found.rank <= search.asked.k; });
    const QString kind = origin == TimeSource::Simulated ? SearchTexts::tr(" (simulated)") : QString();
    const QString workload = subject.workload.toHtmlEscaped();
    const QString model = subject.model.toHtmlEscaped();
    const QString found = count == 1
                              ? SearchTexts::tr("The model %1 predicts that this %2 is the fastest for %3")
                                    .arg(model, one(words.configuration), workload)
                              : SearchTexts::tr("The model %1 predicts that these %2 are the fastest for %3")
                                    .arg(model, counted(count, words.configuration), workload);
    const CandidateRow* const best = best_of(rows);
    if (best == nullptr)
        return found + u'.';
    const ConfigurationTime& time = *best->time;
    const QString milliseconds = runtime_text(time.result.median_ms.value_or(0));
    if (!words.baseline && time.ratio)
        return SearchTexts::tr("%1; the best takes %2%3, %4 the best known time.")
            .arg(found, milliseconds, kind, speedup_text(*time.ratio));
    if (!words.baseline || !time.result.speedup)
        return SearchTexts::tr("%1; the best takes %2%3.").arg(found, milliseconds, kind);
    const auto fastest = std::ranges::find_if(rows, &CandidateRow::is_fastest_in_turns);
    if (in_turns != nullptr && fastest != rows.end())
        return found + QStringLiteral(". ") + sentences_in_turns(*in_turns, *fastest, *best, words);
    return SearchTexts::tr("%1; the best is %2 as fast as %3%4.")
        .arg(found, coloured_speedup(*best), one(*words.baseline),
             kind.isEmpty() ? SearchTexts::tr(", by the times collected before") : kind);
}

QString search_noise(const std::vector<CandidateRow>& rows, const DomainWords& words) {
    const auto baseline = std::ranges::find_if(rows, &CandidateRow::is_baseline);
    const auto sentence = [](const QString& whose, const CandidateRow* row) {
        return row == nullptr || !row->is_measured()
                   ? QString()
                   : noise_sentence(whose, row->median_ms(), row->time->result.spread_ms);
    };
    QString noise =
        baseline == rows.end() || !words.baseline ? QString() : sentence(one(*words.baseline), &*baseline);
    if (noise.isEmpty())
        noise = sentence(SearchTexts::tr("the best"), best_of(rows));
    return noise.isEmpty()
               ? noise
               : SearchTexts::tr("%1 <a href='again'>Measure again</a> when the computer is idle.")
                     .arg(noise.toHtmlEscaped());
}

} // namespace sparsight
