#include "gui/failures/reason_words.h"

#include "gui/jobs/counted_text.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct ReasonTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ModelReasons)
};

QString from(const std::string& text) {
    return QString::fromStdString(text);
}

QString rule_text(const Anchor& anchor) {
    QStringList predicates;
    for (const ReasonPredicate& predicate : anchor.predicates)
        predicates << predicate_text(predicate);
    return predicates.join(ReasonTexts::tr(" and "));
}

QString anchor_sentence(const AnchorReason& reason) {
    if (reason.anchor && reason.anchor->predicates.empty())
        return ReasonTexts::tr(
                   "It prefers this schedule whatever else is changed (in %1 of %2 changed cases).")
            .arg(share_text(reason.anchor->precision.value), count_text(reason.anchor->precision.draws));
    if (reason.anchor)
        return ReasonTexts::tr(
                   "It prefers this schedule as long as %1: that holds in %2 of the changed cases "
                   "with it, and it covers %3 of all.")
            .arg(rule_text(*reason.anchor), share_text(reason.anchor->precision.value),
                 share_text(reason.anchor->coverage.value));
    if (reason.nearest)
        return ReasonTexts::tr("No short rule explains its choice; the nearest is %1, which holds in %2 of "
                               "the changed cases.")
            .arg(rule_text(*reason.nearest), share_text(reason.nearest->precision.value));
    return ReasonTexts::tr("No short rule explains its choice.");
}

QString certainty_sentence(const UncertaintyReason& reason) {
    QString text = ReasonTexts::tr("It took its choice for the faster one with a confidence of %1.")
                       .arg(share_text(reason.confidence));
    if (reason.checked_pairs > 0)
        text +=
            u' ' + ReasonTexts::tr("Its confidence is off by %1 on average over %2 pairs that were checked.")
                       .arg(share_text(reason.calibration_error), count_text(reason.checked_pairs));
    return text;
}

QString outside_sentence(const NearestReason& reason) {
    if (reason.is_trained)
        return ReasonTexts::tr("It has learned from this very matrix.");
    const Distances& distances = reason.matrix_distances;
    if (!distances.nearest || !distances.typical)
        return {};
    const double times = *distances.typical > 0 ? *distances.nearest / *distances.typical : 0;
    return distances.is_outside()
               ? ReasonTexts::tr("To the model this matrix is unlike all that it was trained on: the nearest "
                                 "is %1× as far off as usual.")
                     .arg(significant(times, 2))
               : ReasonTexts::tr(
                     "To the model this matrix is like others that it was trained on: the nearest "
                     "is %1× as far off as usual.")
                     .arg(significant(times, 2));
}

QString curve_sentence(const SensitivityReason& reason) {
    for (const SensitivityCurve& curve : reason.curves)
        if (curve.widest && curve.widest->better < curve.points.size() &&
            curve.widest->worse < curve.points.size())
            return ReasonTexts::tr(
                       "It misjudges %1 most: it prefers %2 to %3, which by the clock is %4 better.")
                .arg(from(curve.title), from(curve.points[curve.widest->worse].value),
                     from(curve.points[curve.widest->better].value), speedup_text(curve.widest->factor));
    return {};
}

} // namespace

QString predicate_text(const ReasonPredicate& predicate) {
    const QString value = predicate.unit.empty()
                              ? from(predicate.value)
                              : ReasonTexts::tr("%1 %2").arg(from(predicate.value), from(predicate.unit));
    switch (predicate.relation) {
    case PredicateRelation::Is:
        return ReasonTexts::tr("%1 is %2").arg(from(predicate.title), value);
    case PredicateRelation::AtMost:
        return ReasonTexts::tr("%1 at most %2").arg(from(predicate.title), value);
    case PredicateRelation::AtLeast:
        return ReasonTexts::tr("%1 at least %2").arg(from(predicate.title), value);
    case PredicateRelation::Above:
        return ReasonTexts::tr("%1 above %2").arg(from(predicate.title), value);
    }
    return {};
}

QStringList reason_sentences(const ModelReasons& reasons) {
    QStringList sentences;
    if (const auto right = reasons.is_right())
        sentences << (*right ? ReasonTexts::tr("Asked about these two alone, it prefers the faster one.")
                             : ReasonTexts::tr("Asked about these two alone, it prefers the slower one."));
    if (reasons.anchors)
        sentences << anchor_sentence(*reasons.anchors);
    if (reasons.nearest)
        sentences << outside_sentence(*reasons.nearest);
    if (reasons.uncertainty)
        sentences << certainty_sentence(*reasons.uncertainty);
    if (reasons.sensitivity)
        sentences << curve_sentence(*reasons.sensitivity);
    for (const MissingReason& missing : reasons.missing)
        sentences << ReasonTexts::tr("%1: %2.").arg(
            QString::fromUtf8(name(missing.part).data(), static_cast<qsizetype>(name(missing.part).size())),
            from(missing.why));
    sentences.removeAll(QString());
    return sentences;
}

} // namespace sparsight
