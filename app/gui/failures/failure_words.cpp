#include "gui/failures/failure_words.h"

#include "evaluation/failures/find_failures.h"
#include "gui/page/domain_words.h"
#include "gui/page/machine_words.h"
#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"

#include <QCoreApplication>
#include <cmath>
#include <ranges>

namespace sparsight {

namespace {

struct FailureTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Failures)
};

/// How many times the nearest end of the range: nothing where that is no number to multiply.
QString beyond_text(const UnfamiliarStatistic& statistic) {
    if (statistic.value > statistic.high && statistic.high > 0)
        return FailureTexts::tr(", %1 times the most").arg(significant(statistic.value / statistic.high));
    if (statistic.value < statistic.low && statistic.value > 0)
        return FailureTexts::tr(", 1/%1 of the least").arg(significant(statistic.low / statistic.value));
    return {};
}

} // namespace

QString capitalised(QString text) {
    if (!text.isEmpty() && !text.contains(u'_'))
        text[0] = text[0].toUpper();
    return text;
}

QString FailureWords::decision(const Decision& decision) const {
    return QString::fromStdString(decision.name);
}

QString FailureWords::meaning(const Decision&) const {
    return {};
}

QString FailureWords::value(const std::string& value) const {
    return QString::fromStdString(value);
}

bool FailureWords::is_order(const Decision&) const {
    return false;
}

QString FailureWords::family(const WorkloadFamily& family) const {
    return family.is_known() ? QString::fromStdString(family.title) : QString();
}

QString FailureWords::cause(const TimeCause& cause) const {
    return QString::fromStdString(cause.reason);
}

QString unfamiliar_text(const FailureCase& failure, std::size_t most) {
    QStringList names;
    for (const UnfamiliarStatistic& each : failure.unfamiliar | std::views::take(most))
        names << QString::fromStdString(to_text(each)) + beyond_text(each);
    if (const std::size_t all = failure.unfamiliar.size(); all > most)
        names << FailureTexts::tr("and %1 more").arg(count_text(static_cast<qint64>(all - most)));
    return names.join(QStringLiteral("; "));
}

QString FailureWords::kind(FailureKind kind) const {
    switch (kind) {
    case FailureKind::SlowerThanBaseline:
        return FailureTexts::tr("slower than %1").arg(against(FailureAgainst::Baseline));
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

QString FailureWords::kind_meaning(FailureKind kind) const {
    switch (kind) {
    case FailureKind::SlowerThanBaseline:
        return FailureTexts::tr("The fastest of what the model chose takes longer than %1.")
            .arg(against(FailureAgainst::Baseline));
    case FailureKind::HighRegret:
        return FailureTexts::tr(
            "The fastest of what the model chose takes far longer than the best that was tried there.");
    case FailureKind::MisRanked:
        return FailureTexts::tr("What the model ranked first is far slower than another one of its choices.");
    case FailureKind::OverConfident:
        return FailureTexts::tr("The model predicted a lead of its first choice that is not there.");
    case FailureKind::OutsideTraining:
        return FailureTexts::tr("Its choice is slow on a %1 unlike all of its training data.")
            .arg(one(words_.workload));
    }
    return {};
}

QString FailureWords::against(FailureAgainst against) const {
    switch (against) {
    case FailureAgainst::Baseline:
        return words_.baseline ? one(*words_.baseline) : FailureTexts::tr("the baseline");
    case FailureAgainst::BestKnown:
        return FailureTexts::tr("the best known");
    case FailureAgainst::OwnBest:
        return FailureTexts::tr("the best of its choice");
    }
    return {};
}

QString FailureWords::threshold() const {
    constexpr FailureOptions limits;
    const auto percent = [](double share) { return QString::number(std::lround(100 * share)); };
    const QString regret = FailureTexts::tr("more than %1 % slower than %2")
                               .arg(percent(limits.regret), against(FailureAgainst::BestKnown));
    if (!words_.baseline)
        return FailureTexts::tr("%1, beyond the noise").arg(regret);
    return FailureTexts::tr("%1, or %2 % slower than %3, beyond the noise")
        .arg(regret, percent(limits.slower_than_baseline), against(FailureAgainst::Baseline));
}

QString basis_text(DiagnosisBasis basis) {
    switch (basis) {
    case DiagnosisBasis::Measured:
        return FailureTexts::tr("measured");
    case DiagnosisBasis::Simulated:
        return FailureTexts::tr("simulated");
    case DiagnosisBasis::Statistics:
        return FailureTexts::tr("cost of the same decisions elsewhere in the table");
    case DiagnosisBasis::Recorded:
        return FailureTexts::tr("recorded");
    }
    return {};
}

QString named_text(const TimedConfiguration& timed) {
    const QString text = QString::fromStdString(timed.configuration);
    return timed.nickname.empty()
               ? text
               : QStringLiteral("%1 · %2").arg(QString::fromStdString(timed.nickname), text);
}

QString timed_text(const TimedConfiguration& timed) {
    if (timed.is_at_least)
        return QStringLiteral("≥ ") + runtime_text(timed.milliseconds);
    return timed.spread_ms.value_or(0) > 0 ? runtime_with_spread(timed.milliseconds, *timed.spread_ms)
                                           : runtime_text(timed.milliseconds);
}

QString raw_time_text(const TimedConfiguration& timed) {
    return timed.raw_ms ? FailureTexts::tr("raw time of its own turns: %1").arg(runtime_text(*timed.raw_ms))
                        : QString();
}

QString loss_text(double share) {
    return percent_text(share, current_number_style());
}

QString FailureWords::sign_sentence(const FailureSign& sign) const {
    QString text = FailureTexts::tr("%1: %2 against %3 of %4, %5, %6")
                       .arg(capitalised(kind(sign.kind)), timed_text(sign.chosen), timed_text(sign.against),
                            against(sign.held_against), slower_text(sign.lost_share()),
                            significance_text(sign.significance));
    if (sign.figure && sign.kind == FailureKind::MisRanked)
        text += FailureTexts::tr(" (Kendall’s τ of its choice %1)").arg(fixed_text(*sign.figure, 2));
    if (sign.figure && sign.kind == FailureKind::OverConfident)
        text += FailureTexts::tr(" (it predicted %1 of the other’s time)").arg(share_text(*sign.figure));
    return text + u'.';
}

QString FailureWords::sign_sentence(const FailureCase& failure, const FailureSign& sign) const {
    constexpr std::size_t most_told = 2;
    const QString outside =
        sign.kind == FailureKind::OutsideTraining ? outside_sentence(failure, most_told) : QString();
    if (outside.isEmpty())
        return sign_sentence(sign);
    const FailureSign& first = failure.main();
    const bool repeats_times = sign.kind != first.kind &&
                               sign.chosen.configuration == first.chosen.configuration &&
                               sign.against.configuration == first.against.configuration;
    return (repeats_times ? capitalised(kind(sign.kind)) + u'.' : sign_sentence(sign)) + u' ' + outside;
}

/// Empty where the workload is like those that the model was trained on, or where it is not known in what it
/// is not.
QString FailureWords::outside_sentence(const FailureCase& failure, std::size_t most_told) const {
    const QString statistics = unfamiliar_text(failure, most_told);
    return statistics.isEmpty() ? QString()
                                : FailureTexts::tr("This %1 is unlike what the model was trained on: %2.")
                                      .arg(one(words_.workload), statistics);
}

QString FailureWords::group_title(const FailureGroup& group) const {
    if (!group.decision)
        return capitalised(kind(group.kind));
    const QString name = capitalised(decision(*group.decision));
    if (is_order(*group.decision))
        return group.nickname.empty()
                   ? name
                   : FailureTexts::tr("%1 of %2").arg(name, QString::fromStdString(group.nickname));
    return group.is_one_value ? FailureTexts::tr("%1: %2").arg(name, value(group.after)) : name;
}

QString FailureWords::group_text(const FailureGroup& group) const {
    QStringList families;
    for (const FamilyCount& each : group.families)
        if (const QString name = family(each.family); !name.isEmpty())
            families << (group.families.size() == 1 ? name
                                                    : FailureTexts::tr("%1 %2").arg(each.cases).arg(name));
    const QString behind = costs_time(group.kind)
                               ? slower_text(group.lost_share)
                               : FailureTexts::tr("first choice %1")
                                     .arg(slower_text(group.lost_share, FailureTexts::tr("its best")));
    QStringList parts;
    if (group.lost_ms > 0)
        parts << FailureTexts::tr("%1, %2 lost in all").arg(behind, runtime_text(group.lost_ms));
    else
        parts << (costs_time(group.kind) ? behind : FailureTexts::tr("%1, nothing lost").arg(behind));
    if (group.decision) {
        const QString before = group.before ? value(*group.before) : FailureTexts::tr("other values");
        parts << (is_order(*group.decision) && group.is_one_value
                      ? FailureTexts::tr("%1 instead of %2").arg(value(group.after), before)
                      : FailureTexts::tr("compared with %1").arg(before));
    }
    if (group.term)
        parts << FailureTexts::tr("most of it %1").arg(cause(*group.term));
    if (group.ground == FailureGroupGround::SimulationDisagrees)
        parts << FailureTexts::tr("the simulator says %1 instead").arg(slower_text(group.simulated_share));
    else if (group.ground == FailureGroupGround::NoDiagnosis)
        parts << FailureTexts::tr("not diagnosed");
    else if (group.ground == FailureGroupGround::Rest)
        parts << (group.disagreeing == group.cases.size()
                      ? FailureTexts::tr("the simulation does not agree with the clock")
                      : FailureTexts::tr("various decisions"));
    if (!families.isEmpty())
        parts << families.join(QStringLiteral(", "));
    return parts.join(QStringLiteral(" · "));
}

QString FailureWords::group_hint(const FailureGroup& group) const {
    QStringList sentences{kind_meaning(group.kind)};
    if (group.basis)
        sentences << FailureTexts::tr("The decision: %1.").arg(basis_text(*group.basis));
    if (!group.undiagnosed.empty())
        sentences << FailureTexts::tr("Not diagnosed: %1.").arg(QString::fromStdString(group.undiagnosed));
    if (!(group.lost_ms > 0) && group.behind_ms > 0)
        sentences << FailureTexts::tr("Together they are %1 slower.").arg(runtime_text(group.behind_ms));
    return sentences.join(u' ');
}

QString misled_by_text(MisledBy part) {
    switch (part) {
    case MisledBy::Simulator:
        return FailureTexts::tr("simulator");
    case MisledBy::Correction:
        return FailureTexts::tr("correction");
    case MisledBy::Both:
        return FailureTexts::tr("both");
    case MisledBy::Neither:
        return FailureTexts::tr("neither");
    }
    return {};
}

QString misled_text(const MisleadingPart& part, const QString& model) {
    const QString known = speedup_text(part.known);
    const QString simulated = speedup_text(part.simulated);
    const QString corrected = speedup_text(part.corrected);
    QString text;
    switch (part.by()) {
    case MisledBy::Correction:
        text = FailureTexts::tr("The correction misled %1: the simulator says %2, and the correction turned "
                                "that into %3 (known: %4).")
                   .arg(model, simulated, corrected, known);
        break;
    case MisledBy::Simulator:
        text = FailureTexts::tr("The simulator misled %1: it says %2 instead of %3. The correction mended %4 "
                                "of that, to %5.")
                   .arg(model, simulated, known, share_text(*part.mended()), corrected);
        break;
    case MisledBy::Both:
        text = FailureTexts::tr("Simulator and correction misled %1: they say %2 and %3 instead of %4.")
                   .arg(model, simulated, corrected, known);
        break;
    case MisledBy::Neither:
        text = FailureTexts::tr("Neither simulator nor correction misled %1: it expects %2 (known: %3). The "
                                "search may not have offered the other one.")
                   .arg(model, corrected, known);
        break;
    }
    if (!part.distrusted)
        return text;
    const auto parameter = parse_machine_parameter(*part.distrusted);
    return text + u' ' +
           FailureTexts::tr("The correction changes most by %1: %2.")
               .arg(parameter ? parameter_words(*parameter).name : QString::fromStdString(*part.distrusted),
                    speedup_text(part.distrusted_factor));
}

QStringList FailureWords::blind_spots(const FailureCase& failure) const {
    QStringList sentences;
    if (failure.misleading)
        sentences << misled_text(*failure.misleading, QString::fromStdString(failure.model_name));
    constexpr std::size_t most_told = 4;
    if (const QString outside = outside_sentence(failure, most_told); !outside.isEmpty())
        sentences << outside;
    if (const FailureSign* sign = failure.sign(FailureKind::OverConfident); sign && sign->figure)
        sentences << FailureTexts::tr(
                         "It predicted that its first choice takes %1 of the time of %2; it takes %3.")
                         .arg(share_text(*sign->figure), against(sign->held_against),
                              share_text(1 + sign->lost_share()));
    if (const FailureSign* sign = failure.sign(FailureKind::MisRanked); sign != nullptr)
        sentences << FailureTexts::tr(
                         "It ranked a slower %1 above a faster one of its own choice: %2 above %3.")
                         .arg(one(words_.configuration), timed_text(sign->chosen), timed_text(sign->against));
    return sentences;
}

} // namespace sparsight
