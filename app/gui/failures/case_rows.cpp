#include "gui/failures/case_rows.h"

#include "gui/failures/failure_words.h"
#include "gui/page/decision_words.h"
#include "widgets/look/theme.h"
#include "widgets/table/record_columns.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct CaseTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Failures)
};

QString dearest_decision(const FailureCase& failure) {
    if (!failure.diagnosis)
        return unknown_text();
    if (!failure.diagnosis->simulation_agrees)
        return CaseTexts::tr("the simulator says ×%1, not ×%2")
            .arg(significant(failure.diagnosis->simulated_factor),
                 significant(1 + failure.main().lost_share()));
    const BlamedDecision& top = failure.diagnosis->top();
    return CaseTexts::tr("%1: %2").arg(decision_name(QString::fromStdString(key(top.decision))),
                                       decision_value(QString::fromStdString(top.after)));
}

/// Whoever runs all of the choice and keeps the fastest loses nothing by a wrong order.
std::optional<double> lost_ms_of(const FailureCase& failure) {
    const double lost = failure.lost_ms();
    return lost > 0 ? std::optional(lost) : std::nullopt;
}

/// Of what the model put first, or of the fastest of its choice.
std::optional<double> rank_of(const FailureCase& failure) {
    const auto& rank = failure.main().chosen.rank;
    return rank ? std::optional<double>(*rank) : std::nullopt;
}

std::vector<RecordColumn<FailureCase>> case_columns() {
    auto share = value_column<FailureCase>(
        CaseTexts::tr("Lost"), CaseTexts::tr("How much longer it takes than what it is held against"),
        [](const FailureCase& failure) { return std::optional(failure.main().lost_share()); }, &loss_text);
    share.export_title = QStringLiteral("lost_share");
    share.colour = [](const FailureCase& failure) -> QVariant {
        return failure.main().significance == Significance::NoiseUnknown ? QVariant()
                                                                         : QVariant(current_theme().lose);
    };
    share.hint = [](const FailureCase& failure) { return sign_sentence(failure, failure.main()); };
    auto lost = value_column<FailureCase>(
        CaseTexts::tr("Lost time"),
        CaseTexts::tr("How much longer the fastest of the choice takes, at most of all that it is held "
                      "against. Of a wrong ranking nothing: the better one was chosen, too"),
        &lost_ms_of, [](double milliseconds) { return duration_text(milliseconds); });
    lost.export_title = QStringLiteral("lost_ms");
    auto rank = value_column<FailureCase>(
        CaseTexts::tr("Rank"), CaseTexts::tr("Of the chosen schedule in the order of the model, from 1"),
        &rank_of, [](double place) { return count_text(static_cast<qint64>(place)); });
    rank.export_title = QStringLiteral("rank");
    auto kind =
        text_column<FailureCase>(CaseTexts::tr("Failure"), CaseTexts::tr("The gravest way it fails"),
                                 [](const FailureCase& failure) { return kind_text(failure.main().kind); });
    kind.hint = [](const FailureCase& failure) {
        const FailureSign* const outside = failure.sign(FailureKind::OutsideTraining);
        const QString meaning = kind_meaning(failure.main().kind);
        return outside == nullptr ? meaning : meaning + u'\n' + sign_sentence(failure, *outside);
    };
    auto decision = text_column<FailureCase>(CaseTexts::tr("Dearest decision"),
                                             CaseTexts::tr("That costs most of it"), &dearest_decision);
    decision.hint = [](const FailureCase& failure) {
        return failure.diagnosis ? basis_text(failure.diagnosis->basis)
                                 : QString::fromStdString(failure.undiagnosed);
    };
    auto noise = text_column<FailureCase>(CaseTexts::tr("Noise"), {}, [](const FailureCase& failure) {
        return significance_text(failure.main().significance);
    });
    noise.hint = [](const FailureCase& failure) { return significance_meaning(failure.main().significance); };
    return {text_column<FailureCase>(
                CaseTexts::tr("Matrix"), {},
                [](const FailureCase& failure) { return QString::fromStdString(failure.matrix); }),
            std::move(share),
            std::move(lost),
            std::move(rank),
            std::move(kind),
            std::move(decision),
            text_column<FailureCase>(CaseTexts::tr("Family"), CaseTexts::tr("What kind of pattern it is"),
                                     [](const FailureCase& failure) { return family_text(failure.family); }),
            text_column<FailureCase>(
                CaseTexts::tr("Model"), {},
                [](const FailureCase& failure) { return QString::fromStdString(failure.model_name); }),
            std::move(noise)};
}

} // namespace

QString key_of(const FailureCase& failure) {
    return QString::fromStdString(failure.matrix) + u'|' + QString::fromStdString(failure.model_name) + u'|' +
           QString::number(failure.line);
}

CasesModel::CasesModel(QObject* parent)
    : RecordModel(case_columns(), [](const FailureCase& failure) { return key_of(failure); }, parent) {}

} // namespace sparsight
