#include "gui/domains/sparse/candidates/candidate_rows.h"

#include "domains/sparse/schedule/schedule_decision.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/page/domain_words.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/record_model.h"

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

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::optional<SuperSchedule> schedule_of(Operator op, const std::string& text) {
    const auto parsed = parse_schedule(op, text);
    return parsed ? std::optional(canonical(*parsed)) : std::nullopt;
}

std::optional<double> time_of(const CandidateRow& row) {
    return row.time ? row.time->row.median_ms : std::nullopt;
}

std::optional<double> speedup_of(const CandidateRow& row) {
    return row.time ? row.time->row.speedup_over_fixed_csr : std::nullopt;
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
    return row.time->row.status == MeasurementStatus::Measured ? origin_text(row.origin)
                                                               : status_text(row.time->row.status);
}

RecordColumn<CandidateRow> rank_column() {
    return value_column<CandidateRow>(
        CandidatesTable::tr("Rank"),
        CandidatesTable::tr(
            "By the predicted score among those that were chosen: 1 is what the model takes for the "
            "fastest. Fixed CSR is always there, behind the others where it is none of them."),
        [](const CandidateRow& row) { return std::optional(row.found.rank); },
        [](int rank) { return count_text(rank); });
}

RecordColumn<CandidateRow> schedule_column() {
    auto column = text_column<CandidateRow>(
        CandidatesTable::tr("Schedule"),
        CandidatesTable::tr(
            "Loops from the outside in, i4 within blocks of 4 rows · formats of the levels, U "
            "uncompressed, C compressed · chunk. The tooltip, copies and exports have WACO’s text "
            "form."),
        [](const CandidateRow& row) {
            const auto schedule = schedule_of(row.op, row.found.schedule.toStdString());
            return row.is_fixed_csr ? CandidatesTable::tr("fixed CSR")
                   : schedule       ? schedule_abbreviation(*schedule)
                                    : row.found.schedule;
        });
    column.hint = [](const CandidateRow& row) {
        const auto schedule = schedule_of(row.op, row.found.schedule.toStdString());
        return row.found.schedule +
               (schedule ? QLatin1Char('\n') + QString::fromStdString(describe(*schedule)) : QString());
    };
    column.raw = [](const CandidateRow& row) { return QVariant(row.found.schedule); };
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
        CandidatesTable::tr("The network’s score, by which the map is walked; lower is faster. Beside it the "
                            "simulated time makes up the score."),
        [](const CandidateRow& row) { return row.found.network; },
        [](double score) { return significant(score); });
    column.export_title = QStringLiteral("network_score");
    return column;
}

RecordColumn<CandidateRow> simulated_column() {
    auto column = value_column<CandidateRow>(
        CandidatesTable::tr("Simulated"),
        CandidatesTable::tr("What the simulator, calibrated by the measurements of the fine-tuning, takes it "
                            "to need. Nothing was run for it."),
        [](const CandidateRow& row) { return row.found.simulated_ms; },
        [](double milliseconds) { return duration_text(milliseconds); });
    column.export_title = QStringLiteral("simulated_ms");
    return column;
}

RecordColumn<CandidateRow> why_column() {
    RecordColumn<CandidateRow> column;
    column.title = CandidatesTable::tr("Why");
    column.tooltip = CandidatesTable::tr(
        "Scores may be wrong, and of schedules that are alike they are wrong together. So not the first ones "
        "by score are chosen, but those of which the fastest can be expected to be fastest: best scores, and "
        "hedges, with the decisions in which they differ from the chosen one that is most alike. A quarter "
        "of the places is the simulator’s choice alone: a network may be sure of what it has hardly seen. "
        "Sorted by the place by score.");
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
        CandidatesTable::tr("Median of the runs; for one that was given up, a lower bound"), &time_of,
        [](double milliseconds) { return duration_text(milliseconds); });
    column.export_title = QStringLiteral("median_ms");
    column.text = [time = column.text](const CandidateRow& row) {
        if (!time_of(row))
            return time(row);
        if (row.time->row.status == MeasurementStatus::GaveUp)
            return QStringLiteral("> ") + time(row);
        return row.origin == TimeSource::Simulated ? CandidatesTable::tr("%1 sim").arg(time(row)) : time(row);
    };
    column.hint = [](const CandidateRow& row) {
        if (!row.time)
            return CandidatesTable::tr("Not measured on this matrix yet");
        return row.time->row.median_ms
                   ? duration_with_spread(*row.time->row.median_ms, row.time->row.spread_ms.value_or(unknown))
                   : QString::fromStdString(row.time->row.reason);
    };
    return column;
}

RecordColumn<CandidateRow> speedup_column() {
    auto column = value_column<CandidateRow>(
        CandidatesTable::tr("Speedup"),
        CandidatesTable::tr(
            "Time of fixed CSR over the time of this schedule, on the same matrix, threads and "
            "protocol; ~ where they lie within their spread"),
        &speedup_of, [](double speedup) { return speedup_text(speedup); });
    column.export_title = QStringLiteral("speedup_over_fixed_csr");
    column.text = [](const CandidateRow& row) {
        if (!row.time)
            return unknown_text();
        const QString text = speedup_text(*row.time);
        return row.origin == TimeSource::Simulated ? CandidatesTable::tr("%1 sim").arg(text) : text;
    };
    column.hint = [](const CandidateRow& row) {
        const auto speedup = speedup_of(row);
        if (!speedup)
            return QString();
        const QString percent = percent_text(*speedup - 1);
        return row.time->is_in_noise
                   ? CandidatesTable::tr("%1, which is within the spread of the two").arg(percent)
                   : percent;
    };
    column.colour = [](const CandidateRow& row) -> QVariant {
        const auto speedup = speedup_of(row);
        if (!speedup || row.is_fixed_csr)
            return {};
        if (row.time->is_in_noise)
            return current_theme().dim_text;
        return *speedup >= 1 ? current_theme().win : current_theme().lose;
    };
    return column;
}

RecordColumn<CandidateRow> status_column() {
    auto column = text_column<CandidateRow>(
        CandidatesTable::tr("Status"),
        CandidatesTable::tr("Whether it was run, was recorded elsewhere, or is a prediction alone"),
        &state_of);
    column.hint = [](const CandidateRow& row) {
        if (!row.time)
            return CandidatesTable::tr("“Measure these” runs it on this computer.");
        const QString meaning = status_meaning(row.time->row.status);
        return row.time->row.reason.empty()
                   ? meaning
                   : meaning + QLatin1Char('\n') + QString::fromStdString(row.time->row.reason);
    };
    column.colour = [](const CandidateRow& row) -> QVariant {
        if (!row.time)
            return current_theme().dim_text;
        const bool is_ours = row.time->row.status == MeasurementStatus::Mismatch ||
                             row.time->row.status == MeasurementStatus::Failed;
        return is_ours ? QVariant(current_theme().error) : QVariant();
    };
    return column;
}

} // namespace

std::vector<CandidateRow> candidate_rows(const CandidateSearch& search,
                                         const std::vector<RankedResult>& results, TimeSource origin) {
    std::unordered_map<SuperSchedule, const RankedResult*> times;
    for (const RankedResult& result : results)
        if (const auto schedule = schedule_of(result.row.op, result.row.schedule))
            times.try_emplace(*schedule, &result); // the fastest result comes first
    std::vector<CandidateRow> rows;
    for (const FoundCandidate& found : search.candidates) {
        CandidateRow row{.found = found, .op = search.setting.op, .origin = origin};
        if (const auto schedule = schedule_of(row.op, found.schedule.toStdString())) {
            row.is_fixed_csr = is_fixed_csr(*schedule);
            if (const auto known = times.find(*schedule); known != times.end())
                row.time = *known->second;
        }
        rows.push_back(std::move(row));
    }
    explain_choice(rows, search.simulated.value_or(0));
    return rows;
}

const CandidateRow* best_of(const std::vector<CandidateRow>& rows) {
    const CandidateRow* best = nullptr;
    for (const CandidateRow& row : rows) {
        const bool has_time =
            row.time && row.time->row.status == MeasurementStatus::Measured && row.time->row.median_ms;
        if (has_time && !row.is_fixed_csr &&
            (best == nullptr || *row.time->row.median_ms < *best->time->row.median_ms))
            best = &row;
    }
    return best;
}

CandidatesModel::CandidatesModel(QObject* parent)
    : RecordModel(
          {rank_column(), schedule_column(), score_column(), network_column(), simulated_column(),
           why_column(), time_column(), speedup_column(), status_column()},
          [](const CandidateRow& row) { return row.found.schedule; }, parent) {}

namespace {

struct Reasons {
    Q_DECLARE_TR_FUNCTIONS(sparsight::CandidatesModel)
};

QString differences(const CandidateRow& row) {
    QStringList names;
    for (const QString& key : row.differs)
        names << decision_name(key);
    return names.join(QStringLiteral(", "));
}

} // namespace

void explain_choice(std::vector<CandidateRow>& rows, qint64 simulated) {
    std::vector<std::optional<SuperSchedule>> schedules;
    for (CandidateRow& row : rows) {
        const auto parsed = parse_schedule(row.op, row.found.schedule.toStdString());
        schedules.push_back(parsed ? std::optional(canonical(*parsed)) : std::nullopt);
        row.simulated = simulated;
        if (row.found.reason != ChosenBy::Difference || !schedules.back())
            continue;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t before = 0; before + 1 < schedules.size(); ++before) {
            const double distance =
                schedules[before] ? decision_distance(*schedules[before], *schedules.back()) : least;
            if (distance < least) {
                least = distance;
                row.nearest = rows[before].found.rank;
                row.differs.clear();
                for (const ScheduleDecision& decision :
                     differing_decisions(*schedules[before], *schedules.back()))
                    row.differs << QString::fromStdString(key(decision));
            }
        }
    }
}

QString choice_reason(const CandidateRow& row) {
    if (!row.found.place)
        return row.is_fixed_csr ? Reasons::tr("what is compared with") : QString();
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
        return row.is_fixed_csr ? Reasons::tr("Fixed CSR is always measured beside what was chosen.")
                                : QString();
    const QString place = Reasons::tr("Place %1 of %2 by the score.")
                              .arg(count_text(*row.found.place), count_text(row.simulated));
    if (row.found.reason == ChosenBy::Second)
        return place + u' ' +
               Reasons::tr(
                   "The simulator alone chose it: the network may be sure of what it has hardly seen, "
                   "so a quarter of the places does without it.");
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
