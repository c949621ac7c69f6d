#include "gui/candidates/candidate_reasons.h"

#include "evaluation/diagnosis/decision.h"
#include "gui/page/decision_words.h"
#include "schedule/distance.h"
#include "schedule/text.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <limits>

namespace sparsight {

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
                for (const Decision& decision : differing_decisions(*schedules[before], *schedules.back()))
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
