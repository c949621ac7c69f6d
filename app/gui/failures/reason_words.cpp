#include "gui/failures/reason_words.h"

#include "gui/page/decision_words.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct ReasonWordTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ModelReasons)
};

QString shown_text(const std::string& text) {
    return QString::fromStdString(text);
}

/// "the format of k1 of its choice"
QString subject_text(const ReasonPredicate& predicate) {
    const QString title = shown_text(predicate.title);
    switch (predicate.subject) {
    case ReasonSubject::Schedule:
        return ReasonWordTexts::tr("the %1 of its choice").arg(decision_name(shown_text(predicate.key)));
    case ReasonSubject::Against:
        return ReasonWordTexts::tr("the %1 of the other").arg(decision_name(shown_text(predicate.key)));
    case ReasonSubject::Pattern:
        return ReasonWordTexts::tr("%1 of the matrix").arg(title);
    case ReasonSubject::Machine:
        return ReasonWordTexts::tr("%1 of the machine").arg(title);
    }
    return title;
}

QString rule_text(const Anchor& anchor) {
    QStringList predicates;
    for (const ReasonPredicate& predicate : anchor.predicates)
        predicates << predicate_text(predicate);
    return predicates.join(ReasonWordTexts::tr(" and "));
}

QString anchor_sentence(const AnchorReason& reason) {
    if (reason.anchor && reason.anchor->predicates.empty())
        return ReasonWordTexts::tr("It keeps to that whatever is changed (in %1 of %2 changed cases).")
            .arg(share_text(reason.anchor->precision.value), count_text(reason.anchor->precision.draws));
    if (reason.anchor)
        return ReasonWordTexts::tr(
                   "It keeps to that as long as %1: this holds in %2 of the changed cases with it, and "
                   "it covers %3 of all.")
            .arg(rule_text(*reason.anchor), share_text(reason.anchor->precision.value),
                 share_text(reason.anchor->coverage.value));
    if (reason.nearest)
        return ReasonWordTexts::tr(
                   "No short rule explains that; the nearest is %1, which holds in %2 of the changed "
                   "cases.")
            .arg(rule_text(*reason.nearest), share_text(reason.nearest->precision.value));
    return ReasonWordTexts::tr("No short rule explains that.");
}

QString certainty_sentence(const UncertaintyReason& reason) {
    QString text = ReasonWordTexts::tr("It is sure of that to %1.").arg(share_text(reason.confidence));
    if (reason.checked_pairs > 0)
        text += u' ' +
                ReasonWordTexts::tr("Its confidence is off by %1 on average over %2 pairs that were checked.")
                    .arg(share_text(reason.calibration_error), count_text(reason.checked_pairs));
    return text;
}

QString outside_sentence(const NearestReason& reason) {
    if (reason.is_trained)
        return ReasonWordTexts::tr("It has learned from this very matrix.");
    const Distances& distances = reason.matrix_distances;
    if (!distances.nearest || !distances.typical)
        return {};
    const double times = *distances.typical > 0 ? *distances.nearest / *distances.typical : 0;
    return distances.is_outside()
               ? ReasonWordTexts::tr(
                     "To the model this matrix is unlike all that it was trained on: the nearest "
                     "is %1× as far off as usual.")
                     .arg(significant(times, 2))
               : ReasonWordTexts::tr(
                     "To the model this matrix is like others that it was trained on: the nearest "
                     "is %1× as far off as usual.")
                     .arg(significant(times, 2));
}

QString curve_sentence(const SensitivityReason& reason) {
    for (const SensitivityCurve& curve : reason.curves)
        if (curve.widest && curve.widest->better < curve.points.size() &&
            curve.widest->worse < curve.points.size())
            return ReasonWordTexts::tr(
                       "It misjudges %1 most: it prefers %2 to %3, which gains %4 more in time.")
                .arg(shown_text(curve.title), shown_text(curve.points[curve.widest->worse].value),
                     shown_text(curve.points[curve.widest->better].value),
                     speedup_text(curve.widest->factor));
    return {};
}

} // namespace

QString predicate_text(const ReasonPredicate& predicate) {
    const QString number = decision_value(shown_text(predicate.value));
    const QString value = predicate.unit.empty()
                              ? number
                              : ReasonWordTexts::tr("%1 %2").arg(number, shown_text(predicate.unit));
    switch (predicate.relation) {
    case PredicateRelation::Is:
        return ReasonWordTexts::tr("%1 is %2").arg(subject_text(predicate), value);
    case PredicateRelation::AtMost:
        return ReasonWordTexts::tr("%1 at most %2").arg(subject_text(predicate), value);
    case PredicateRelation::AtLeast:
        return ReasonWordTexts::tr("%1 at least %2").arg(subject_text(predicate), value);
    case PredicateRelation::Above:
        return ReasonWordTexts::tr("%1 above %2").arg(subject_text(predicate), value);
    }
    return {};
}

QStringList reason_sentences(const ModelReasons& reasons) {
    QStringList sentences;
    if (const auto right = reasons.is_right(); !right)
        sentences << (reasons.margin() > 0
                          ? ReasonWordTexts::tr("Asked about these two alone, it prefers its choice.")
                          : ReasonWordTexts::tr("Asked about these two alone, it prefers the other one."));
    else
        sentences << (*right
                          ? ReasonWordTexts::tr("Asked about these two alone, it prefers the faster one.")
                          : ReasonWordTexts::tr("Asked about these two alone, it prefers the slower one."));
    if (reasons.anchors)
        sentences << anchor_sentence(*reasons.anchors);
    if (reasons.nearest)
        sentences << outside_sentence(*reasons.nearest);
    if (reasons.uncertainty)
        sentences << certainty_sentence(*reasons.uncertainty);
    if (reasons.sensitivity)
        sentences << curve_sentence(*reasons.sensitivity);
    for (const MissingReason& missing : reasons.missing)
        sentences << ReasonWordTexts::tr("%1: %2.").arg(
            QString::fromUtf8(name(missing.part).data(), static_cast<qsizetype>(name(missing.part).size())),
            shown_text(missing.why));
    sentences.removeAll(QString());
    return sentences;
}

} // namespace sparsight
