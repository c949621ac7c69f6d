#include "gui/domains/sparse/failures/failure_words.h"

#include "gui/domains/sparse/comparison/time_terms.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/jobs/job_texts.h"
#include "gui/page/machine_words.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <ranges>

namespace sparsight {

namespace {

struct FailureTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Failures)
};

QString capitalised(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

QString from(const std::string& text) {
    return QString::fromStdString(text);
}

QString decision_of(const Decision& decision) {
    return decision_name(from(decision.key));
}

/// How many times the nearest end of the range: nothing where that is no number to multiply.
QString beyond_text(const UnfamiliarStatistic& statistic) {
    if (statistic.value > statistic.high && statistic.high > 0)
        return FailureTexts::tr(", %1 times the most").arg(significant(statistic.value / statistic.high));
    if (statistic.value < statistic.low && statistic.value > 0)
        return FailureTexts::tr(", 1/%1 of the least").arg(significant(statistic.low / statistic.value));
    return {};
}

} // namespace

QString unfamiliar_text(const FailureCase& failure, std::size_t most) {
    QStringList names;
    for (const UnfamiliarStatistic& each : failure.unfamiliar | std::views::take(most))
        names << from(to_text(each)) + beyond_text(each);
    if (const std::size_t all = failure.unfamiliar.size(); all > most)
        names << FailureTexts::tr("and %1 more").arg(count_text(static_cast<qint64>(all - most)));
    return names.join(QStringLiteral("; "));
}

QString kind_text(FailureKind kind) {
    switch (kind) {
    case FailureKind::SlowerThanCsr:
        return FailureTexts::tr("slower than fixed CSR");
    case FailureKind::HighRegret:
        return FailureTexts::tr("far from the best known");
    case FailureKind::MisRanked:
        return FailureTexts::tr("ranked wrongly");
    case FailureKind::OverConfident:
        return FailureTexts::tr("over-confident");
    case FailureKind::OutsideTraining:
        return FailureTexts::tr("unlike its training");
    }
    return {};
}

QString kind_meaning(FailureKind kind) {
    switch (kind) {
    case FailureKind::SlowerThanCsr:
        return FailureTexts::tr("The fastest of what the model chose takes longer than fixed CSR.");
    case FailureKind::HighRegret:
        return FailureTexts::tr(
            "The fastest of what the model chose takes far longer than the best that was tried there.");
    case FailureKind::MisRanked:
        return FailureTexts::tr("What the model put first is far slower than another one of its own choice.");
    case FailureKind::OverConfident:
        return FailureTexts::tr("The model foresaw a lead of its first choice that is not there.");
    case FailureKind::OutsideTraining:
        return FailureTexts::tr("It loses on a pattern unlike all that it was trained on.");
    }
    return {};
}

QString against_text(FailureAgainst against) {
    switch (against) {
    case FailureAgainst::FixedCsr:
        return FailureTexts::tr("fixed CSR");
    case FailureAgainst::BestKnown:
        return FailureTexts::tr("the best known");
    case FailureAgainst::OwnBest:
        return FailureTexts::tr("the best of its choice");
    }
    return {};
}

QString significance_text(Significance significance) {
    switch (significance) {
    case Significance::BeyondNoise:
        return FailureTexts::tr("beyond noise");
    case Significance::WithinNoise:
        return FailureTexts::tr("within noise");
    case Significance::NoiseUnknown:
        return FailureTexts::tr("noise unknown");
    }
    return {};
}

QString significance_meaning(Significance significance) {
    switch (significance) {
    case Significance::BeyondNoise:
        return FailureTexts::tr("The difference is larger than both spreads together.");
    case Significance::WithinNoise:
        return FailureTexts::tr("The difference is no larger than both spreads together.");
    case Significance::NoiseUnknown:
        return FailureTexts::tr("One of both times comes without a spread.");
    }
    return {};
}

QString family_text(PatternFamily family) {
    switch (family) {
    case PatternFamily::Unknown:
        return FailureTexts::tr("unknown pattern");
    case PatternFamily::HyperSparse:
        return FailureTexts::tr("mostly empty rows");
    case PatternFamily::Blocked:
        return FailureTexts::tr("dense blocks");
    case PatternFamily::Banded:
        return FailureTexts::tr("banded");
    case PatternFamily::PowerLaw:
        return FailureTexts::tr("power law");
    case PatternFamily::NearDiagonal:
        return FailureTexts::tr("mostly near the diagonal");
    case PatternFamily::SkewedRows:
        return FailureTexts::tr("some long rows");
    case PatternFamily::UniformRows:
        return FailureTexts::tr("rows of about one length");
    case PatternFamily::DenseBySizes:
        return FailureTexts::tr("dense (by sizes alone)");
    case PatternFamily::TallBySizes:
        return FailureTexts::tr("tall (by sizes alone)");
    case PatternFamily::WideBySizes:
        return FailureTexts::tr("wide (by sizes alone)");
    case PatternFamily::FewBySizes:
        return FailureTexts::tr("few entries a row (by sizes alone)");
    case PatternFamily::ManyBySizes:
        return FailureTexts::tr("many entries a row (by sizes alone)");
    case PatternFamily::ModerateBySizes:
        return FailureTexts::tr("4 to 32 entries a row (by sizes alone)");
    }
    return {};
}

QString basis_text(DiagnosisBasis basis) {
    switch (basis) {
    case DiagnosisBasis::Measured:
        return FailureTexts::tr("measured");
    case DiagnosisBasis::Simulated:
        return FailureTexts::tr("simulated");
    case DiagnosisBasis::Statistics:
        return FailureTexts::tr("by what the same decisions cost elsewhere in the table");
    case DiagnosisBasis::Recorded:
        return FailureTexts::tr("recorded");
    }
    return {};
}

QString timed_text(const TimedSchedule& timed) {
    if (timed.is_at_least)
        return QStringLiteral("≥ ") + duration_text(timed.milliseconds);
    return timed.spread_ms.value_or(0) > 0 ? duration_with_spread(timed.milliseconds, *timed.spread_ms)
                                           : duration_text(timed.milliseconds);
}

QString loss_text(double share) {
    return percent_text(share, current_number_style());
}

QString sign_sentence(const FailureSign& sign) {
    QString text = FailureTexts::tr("%1: %2 against %3 of %4, %5, %6")
                       .arg(capitalised(kind_text(sign.kind)), timed_text(sign.chosen),
                            timed_text(sign.against), against_text(sign.held_against),
                            loss_text(sign.lost_share()), significance_text(sign.significance));
    if (sign.figure && sign.kind == FailureKind::MisRanked)
        text += FailureTexts::tr(" (Kendall’s τ of its choice %1)").arg(fixed_text(*sign.figure, 2));
    if (sign.figure && sign.kind == FailureKind::OverConfident)
        text += FailureTexts::tr(" (it foresaw %1 of the other’s time)").arg(share_text(*sign.figure));
    return text + u'.';
}

QString sign_sentence(const FailureCase& failure, const FailureSign& sign) {
    constexpr std::size_t most_told = 2;
    const QString unlike =
        sign.kind == FailureKind::OutsideTraining ? unfamiliar_text(failure, most_told) : QString();
    return unlike.isEmpty() ? sign_sentence(sign)
                            : FailureTexts::tr("%1 Unlike in %2.").arg(sign_sentence(sign), unlike);
}

QString story_title(const FailureGroup& story) {
    if (!story.decision)
        return capitalised(kind_text(story.kind));
    const QString name = capitalised(decision_of(*story.decision));
    return story.is_one_value ? FailureTexts::tr("%1: %2").arg(name, decision_value(from(story.after)))
                              : name;
}

QString story_text(const FailureGroup& story) {
    QStringList families;
    for (const FamilyCount& family : story.families)
        families << (story.families.size() == 1 ? family_text(pattern_family(family.family))
                                                : FailureTexts::tr("%1 %2")
                                                      .arg(family.cases)
                                                      .arg(family_text(pattern_family(family.family))));
    const QString share = loss_text(story.lost_share);
    const QString behind = costs_time(story.kind) ? FailureTexts::tr("loses %1").arg(share)
                                                  : FailureTexts::tr("first choice %1 behind").arg(share);
    QStringList parts;
    if (story.lost_ms > 0)
        parts << FailureTexts::tr("%1, %2 lost in all").arg(behind, duration_text(story.lost_ms));
    else
        parts << (costs_time(story.kind) ? behind : FailureTexts::tr("%1, nothing lost").arg(behind));
    if (story.decision)
        parts << FailureTexts::tr("against %1").arg(decision_value(from(story.before)));
    if (story.term)
        parts << FailureTexts::tr("most of it %1")
                     .arg(time_term_words(static_cast<TimeTerm>(story.term->index)).name);
    if (story.ground == FailureGroupGround::SimulationDisagrees)
        parts << FailureTexts::tr("the simulator says %1 instead").arg(loss_text(story.simulated_share));
    else if (story.ground == FailureGroupGround::NoDiagnosis)
        parts << FailureTexts::tr("not diagnosed");
    else if (story.ground == FailureGroupGround::Rest)
        parts << (story.disagreeing == story.cases.size()
                      ? FailureTexts::tr("the simulation does not agree with the clock")
                      : FailureTexts::tr("various decisions"));
    if (!families.isEmpty())
        parts << families.join(QStringLiteral(", "));
    return parts.join(QStringLiteral(" · "));
}

QString statistic_text(const std::string& name) {
    return from(name).replace(u'_', u' ');
}

QString story_hint(const FailureGroup& story) {
    QStringList sentences{kind_meaning(story.kind)};
    if (story.basis)
        sentences << FailureTexts::tr("The decision: %1.").arg(basis_text(*story.basis));
    if (!story.undiagnosed.empty())
        sentences << FailureTexts::tr("Not diagnosed: %1.").arg(from(story.undiagnosed));
    if (!(story.lost_ms > 0) && story.behind_ms > 0)
        sentences
            << FailureTexts::tr("All of them together are %1 behind.").arg(duration_text(story.behind_ms));
    return sentences.join(u' ');
}

QStringList blind_spots(const FailureCase& failure) {
    QStringList sentences;
    if (!failure.unfamiliar.empty()) {
        constexpr std::size_t most_told = 4;
        sentences << FailureTexts::tr("The pattern lies outside of what the model was trained on: %1.")
                         .arg(unfamiliar_text(failure, most_told));
    }
    if (const FailureSign* sign = failure.sign(FailureKind::OverConfident); sign && sign->figure)
        sentences << FailureTexts::tr(
                         "Its scores foresaw that its first choice takes %1 of the time of %2; it "
                         "takes %3.")
                         .arg(share_text(*sign->figure), against_text(sign->held_against),
                              share_text(1 + sign->lost_share()));
    if (const FailureSign* sign = failure.sign(FailureKind::MisRanked); sign != nullptr)
        sentences << FailureTexts::tr(
                         "It had a better one among its own choice and put it behind: %1 against "
                         "%2.")
                         .arg(timed_text(sign->against), timed_text(sign->chosen));
    return sentences;
}

} // namespace sparsight
