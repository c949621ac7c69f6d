#include "gui/candidates/candidate_rows.h"

#include "gui/page/domain_words.h"
#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/record_model.h"
#include "workflow/evaluation/stored_results.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace sparsight {

namespace {

struct CandidatesTable {
    Q_DECLARE_TR_FUNCTIONS(sparsight::CandidatesModel)
};

std::optional<double> speedup_of(const CandidateRow& row) {
    return row.time ? row.time->result.speedup : std::nullopt;
}

QString origin_text(TimeSource origin) {
    switch (origin) {
    case TimeSource::Measured:
        return CandidatesTable::tr("measured");
    case TimeSource::Recorded:
        return CandidatesTable::tr("recorded");
    case TimeSource::Simulated:
        return CandidatesTable::tr("simulated");
    }
    return {};
}

QString state_of(const CandidateRow& row) {
    if (!row.time)
        return CandidatesTable::tr("predicted only");
    return row.time->result.status == MeasurementStatus::Measured ? origin_text(row.origin)
                                                                  : status_text(row.time->result.status);
}

QString no_time_text(const CandidateRow& row) {
    return row.origin == TimeSource::Measured
               ? CandidatesTable::tr("It was not measured on this computer yet.")
               : CandidatesTable::tr("No time of it is known on this machine.");
}

/// What a simulator says is never taken for measured.
QString with_origin(const CandidateRow& row, const QString& text) {
    return row.origin == TimeSource::Simulated ? CandidatesTable::tr("%1 sim").arg(text) : text;
}

RecordColumn<CandidateRow> rank_column(const DomainWords& words) {
    const QString tooltip =
        words.baseline
            ? CandidatesTable::tr("Place by predicted score among those chosen: the model predicts that 1 is "
                                  "the fastest. %1 is always there, last where it was not chosen.")
                  .arg(title_of_one(*words.baseline))
            : CandidatesTable::tr("Place by predicted score: the model predicts that 1 is the fastest.");
    return value_column<CandidateRow>(
        CandidatesTable::tr("Rank"), tooltip,
        [](const CandidateRow& row) { return std::optional(row.found.rank); },
        [](int rank) { return count_text(rank); });
}

QString tip_of(const CandidateRow& row) {
    return row.name.in_full.isEmpty() ? row.found.configuration : row.name.in_full;
}

RecordColumn<CandidateRow> configuration_column(const DomainWords& words) {
    auto column = text_column<CandidateRow>(title_of_one(words.configuration), {},
                                            [](const CandidateRow& row) { return row.name.short_form; });
    column.hint = &tip_of;
    column.raw = [](const CandidateRow& row) { // copies and exports have the text, too
        return QVariant(row.name.short_form == row.found.configuration
                            ? row.found.configuration
                            : QStringLiteral("%1 · %2").arg(row.name.short_form, row.found.configuration));
    };
    return column;
}

RecordColumn<CandidateRow> code_column(const QString& meaning) {
    auto column = text_column<CandidateRow>(CandidatesTable::tr("Code"), meaning,
                                            [](const CandidateRow& row) { return row.found.configuration; });
    column.hint = &tip_of;
    column.colour = [](const CandidateRow&) { return QVariant(current_theme().dim_text); };
    return column;
}

RecordColumn<CandidateRow> score_column() {
    auto column = value_column<CandidateRow>(
        CandidatesTable::tr("Score"),
        CandidatesTable::tr("Only the order has a meaning: lower is faster. It is no time."),
        [](const CandidateRow& row) {
            return std::isfinite(row.found.score) ? std::optional(row.found.score) : std::nullopt;
        },
        [](double score) { return significant(score); });
    column.export_title = QStringLiteral("score");
    return column;
}

RecordColumn<CandidateRow> network_column() {
    auto column = value_column<CandidateRow>(
        CandidatesTable::tr("Network"),
        CandidatesTable::tr("The network’s score, by which the map is walked; lower is faster. It and the "
                            "time simulated by the model make up the score."),
        [](const CandidateRow& row) { return row.found.network; },
        [](double score) { return significant(score); });
    column.export_title = QStringLiteral("network_score");
    return column;
}

RecordColumn<CandidateRow> simulated_column() {
    auto column = value_column<CandidateRow>(
        CandidatesTable::tr("Simulated by the model"),
        CandidatesTable::tr("The model has a simulator of its own, which its fine-tuning calibrated. Other "
                            "pages simulate with the calibration of the machine, so their times differ. "
                            "Nothing was run."),
        [](const CandidateRow& row) { return row.found.simulated_ms; },
        [](double milliseconds) { return runtime_text(milliseconds); });
    column.export_title = QStringLiteral("simulated_ms");
    return column;
}

RecordColumn<CandidateRow> why_column(const DomainWords& words) {
    RecordColumn<CandidateRow> column;
    column.title = CandidatesTable::tr("Why");
    column.tooltip =
        CandidatesTable::tr(
            "Scores may be wrong, and those of similar %1 are wrong together. So the list holds the best "
            "scores, and hedges that differ from them. A hedge names the decisions in which it differs from "
            "the most similar one chosen. The simulator alone chooses a quarter of the places: a network may "
            "be sure of what it has hardly seen. Sorted by the place by score.")
            .arg(many(words.configuration));
    column.alignment = Qt::AlignLeft | Qt::AlignVCenter;
    column.text = &choice_reason;
    column.hint = &choice_reason_in_full;
    column.raw = [](const CandidateRow& row) {
        return row.found.place ? QVariant::fromValue(*row.found.place) : QVariant();
    };
    column.export_title = QStringLiteral("place_by_score");
    column.colour = [](const CandidateRow& row) -> QVariant {
        const bool is_usual = row.found.reason.value_or(ChosenBy::Score) == ChosenBy::Score;
        return is_usual ? QVariant(current_theme().dim_text) : QVariant();
    };
    return column;
}

RecordColumn<CandidateRow> time_column() {
    auto column = value_column<CandidateRow>(
        CandidatesTable::tr("Time"),
        CandidatesTable::tr("Median of the runs; a lower bound where it was abandoned"),
        [](const CandidateRow& row) { return row.median_ms(); },
        [](double milliseconds) { return runtime_text(milliseconds); });
    column.export_title = QStringLiteral("median_ms");
    column.text = [time = column.text](const CandidateRow& row) {
        if (!row.median_ms())
            return time(row);
        if (row.time->result.status == MeasurementStatus::GaveUp)
            return QStringLiteral("> ") + time(row);
        return with_origin(row, time(row));
    };
    column.hint = [](const CandidateRow& row) {
        if (!row.time)
            return no_time_text(row);
        const ResultRecord& result = row.time->result;
        if (!result.median_ms)
            return QString::fromStdString(result.reason);
        const QString time = runtime_with_spread(
            *result.median_ms, result.spread_ms.value_or(std::numeric_limits<double>::quiet_NaN()));
        return row.time->ratio ? CandidatesTable::tr("%1, %2 the best known time")
                                     .arg(time, speedup_text(*row.time->ratio))
                               : time;
    };
    return column;
}

RecordColumn<CandidateRow> speedup_column(const DomainWords& words) {
    auto column = value_column<CandidateRow>(
        CandidatesTable::tr("Speedup"),
        CandidatesTable::tr("Time of %1 over the time of this %2 (same %3, threads and protocol); ~ marks a "
                            "difference within the spread")
            .arg(one(*words.baseline), one(words.configuration), one(words.workload)),
        &speedup_of, [](double speedup) { return speedup_text(speedup); });
    column.export_title =
        QString::fromStdString("speedup_over_" + words.baseline->one).toLower().replace(u' ', u'_');
    column.text = [](const CandidateRow& row) {
        return row.time ? with_origin(row, speedup_text(row)) : unknown_text();
    };
    column.hint = [](const CandidateRow& row) {
        const auto speedup = speedup_of(row);
        if (!speedup)
            return QString();
        const QString percent = percent_text(*speedup - 1);
        return row.is_in_noise ? CandidatesTable::tr("%1, which may be noise").arg(percent) : percent;
    };
    column.colour = [](const CandidateRow& row) -> QVariant {
        const auto speedup = speedup_of(row);
        if (!speedup || row.is_baseline)
            return {};
        if (row.is_in_noise)
            return current_theme().dim_text;
        return *speedup >= 1 ? current_theme().win : current_theme().lose;
    };
    return column;
}

RecordColumn<CandidateRow> regret_column() {
    auto column = value_column<CandidateRow>(
        CandidatesTable::tr("Ratio to best"),
        CandidatesTable::tr("Its time over the best known time: 1.00× is no regret"),
        [](const CandidateRow& row) { return row.time ? row.time->ratio : std::nullopt; },
        [](double ratio) { return speedup_text(ratio); });
    column.export_title = QStringLiteral("ratio_to_best");
    return column;
}

RecordColumn<CandidateRow> status_column() {
    auto column = text_column<CandidateRow>(
        CandidatesTable::tr("Status"),
        CandidatesTable::tr("Whether it was run, was recorded elsewhere, or is a prediction alone"),
        &state_of);
    column.hint = [](const CandidateRow& row) {
        if (!row.time)
            return no_time_text(row);
        const ResultRecord& result = row.time->result;
        const QString meaning = status_meaning(result.status);
        return result.reason.empty() ? meaning
                                     : meaning + QLatin1Char('\n') + QString::fromStdString(result.reason);
    };
    column.colour = [](const CandidateRow& row) -> QVariant {
        if (!row.time)
            return current_theme().dim_text;
        const bool is_ours = row.time->result.status == MeasurementStatus::Mismatch ||
                             row.time->result.status == MeasurementStatus::Failed;
        return is_ours ? QVariant(current_theme().error) : QVariant();
    };
    return column;
}

std::vector<RecordColumn<CandidateRow>> columns_of(const DomainWords& words,
                                                   const std::vector<ShownDecision>& decisions,
                                                   const QString& code_meaning) {
    std::vector<RecordColumn<CandidateRow>> columns{
        rank_column(words), configuration_column(words),
        score_column(),     network_column(),
        simulated_column(), why_column(words),
        time_column(),      words.baseline ? speedup_column(words) : regret_column(),
        status_column()};
    if (!code_meaning.isEmpty())
        columns.push_back(code_column(code_meaning));
    qsizetype place = 0;
    for (const ShownDecision& decision : decisions)
        columns.push_back(decision_column(decision, place++, &CandidateRow::values));
    return columns;
}

/// The times of a set by what their configurations mean; of several texts that mean the same, the fastest.
std::unordered_map<Configuration, const ConfigurationTime*> times_of(const ConfigurationCodec& codec,
                                                                     const TimeSet& set) {
    std::unordered_map<Configuration, const ConfigurationTime*> times;
    for (const ConfigurationTime& time : set.times)
        if (const auto parsed = codec.parse(time.result.configuration))
            times.try_emplace(parsed->configuration, &time);
    return times;
}

/// Absent where the text can't be read.
std::optional<Configuration> meaning_of(const ConfigurationCodec& codec, const std::string& text) {
    auto parsed = codec.parse(text);
    return parsed ? std::optional(std::move(parsed->configuration)) : std::nullopt;
}

/// Says for every hedge which configuration ranked before it is most like it, and in what they differ.
void explain_hedges(const ConfigurationSpace& space, const std::vector<Configuration>& found,
                    std::vector<CandidateRow>& rows) {
    const std::vector<double> distances = space.distances(found);
    for (std::size_t place = 1; place < rows.size(); ++place) {
        if (rows[place].found.reason != ChosenBy::Difference)
            continue;
        const auto row = distances.begin() + static_cast<std::ptrdiff_t>(place * found.size());
        const auto nearest =
            static_cast<std::size_t>(std::min_element(row, row + static_cast<std::ptrdiff_t>(place)) - row);
        rows[place].nearest = rows[nearest].found.rank;
        for (const DecisionChange& change : space.changes(found[nearest], found[place]))
            rows[place].differs << QString::fromStdString(change.decision.name);
    }
}

} // namespace

CandidateTable candidate_table(const CandidateSearch& search, const CandidateContext& context) {
    CandidateTable table;
    const auto codec = context.domain.codec(search.setting);
    if (!codec)
        return table;
    const auto& baseline = context.domain.words().baseline;
    const auto times = times_of(**codec, context.times);
    const auto fastest =
        context.in_turns == nullptr ? std::nullopt : meaning_of(**codec, context.in_turns->configuration);
    std::vector<Configuration> found;
    QStringList texts;
    for (const FoundCandidate& candidate : search.candidates)
        texts << candidate.configuration;
    std::vector<ConfigurationName> names;
    if (context.name)
        names = context.name(search.setting, texts);
    for (std::size_t place = 0; place < search.candidates.size(); ++place) {
        const FoundCandidate& candidate = search.candidates[place];
        const std::string text = candidate.configuration.toStdString();
        CandidateRow row{.found = candidate, .origin = context.origin};
        row.simulated = search.simulated.value_or(0);
        row.name = context.name ? names[place] : ConfigurationName{candidate.configuration, {}};
        const auto parsed = (*codec)->parse(text);
        if (!parsed)
            continue; // of a later version of this program
        const auto written = context.domain.written(search.setting, text);
        row.is_baseline = baseline && written && written->is_baseline;
        if (row.is_baseline)
            row.name.short_form = one(*baseline);
        if (const auto known = times.find(parsed->configuration); known != times.end()) {
            row.time = *known->second;
            row.is_in_noise = row.time->rank > 0 && is_speedup_in_noise(row.time->result);
        }
        row.is_fastest_in_turns = fastest == parsed->configuration;
        if (!context.name)
            row.values = values_of(**codec, parsed->configuration, table.decisions);
        found.push_back(parsed->configuration);
        table.rows.push_back(std::move(row));
    }
    if (context.space != nullptr)
        explain_hedges(*context.space, found, table.rows);
    return table;
}

const CandidateRow* best_of(const std::vector<CandidateRow>& rows) {
    const CandidateRow* best = nullptr;
    for (const CandidateRow& row : rows)
        if (row.is_measured() && !row.is_baseline && (best == nullptr || row.time->rank < best->time->rank))
            best = &row;
    return best;
}

QString speedup_text(const CandidateRow& row) {
    const auto speedup = speedup_of(row);
    if (!speedup)
        return unknown_text();
    return (row.is_in_noise ? QStringLiteral("~") : QString()) + speedup_text(*speedup);
}

CandidatesModel::CandidatesModel(const DomainWords& words, const std::vector<ShownDecision>& decisions,
                                 const QString& code_meaning, QObject* parent)
    : RecordModel(
          columns_of(words, decisions, code_meaning),
          [](const CandidateRow& row) { return row.found.configuration; }, parent) {}

namespace {

struct Reasons {
    Q_DECLARE_TR_FUNCTIONS(sparsight::CandidatesModel)
};

QString differences(const CandidateRow& row) {
    return row.differs.join(QStringLiteral(", "));
}

} // namespace

QString choice_reason(const CandidateRow& row) {
    if (!row.found.place)
        return row.is_baseline ? Reasons::tr("what is compared with") : QString();
    if (!row.found.reason)
        return Reasons::tr("place %1").arg(count_text(*row.found.place));
    switch (*row.found.reason) {
    case ChosenBy::Score:
        return Reasons::tr("best score");
    case ChosenBy::Difference:
        return row.differs.isEmpty() ? Reasons::tr("hedge") : Reasons::tr("hedge: %1").arg(differences(row));
    case ChosenBy::Second:
        return Reasons::tr("simulator’s choice");
    }
    return {};
}

QString choice_reason_in_full(const CandidateRow& row) {
    if (!row.found.place)
        return row.is_baseline
                   ? Reasons::tr(
                         "It is what the others are compared with, and is always measured beside them.")
                   : QString();
    const QString place = Reasons::tr("Place %1 of %2 by the score.")
                              .arg(count_text(*row.found.place), count_text(row.simulated));
    if (row.found.reason == ChosenBy::Second)
        return place + u' ' +
               Reasons::tr(
                   "The simulator alone chose it. The network can be over-confident about what is unlike its "
                   "training data, so a quarter of the places ignores it.");
    if (row.found.reason != ChosenBy::Difference)
        return place;
    const QString why = Reasons::tr("Others score better and were left out: they are so like chosen "
                                    "ones that they would disappoint together with them.");
    const QString how = row.nearest == 0 || row.differs.isEmpty()
                            ? QString()
                            : Reasons::tr("It differs from rank %1, the most alike before it, in: %2.")
                                  .arg(count_text(row.nearest), differences(row));
    return QStringList{place, why, how}.join(u' ').trimmed();
}

} // namespace sparsight
