#include "gui/failures/blame_picture.h"

#include "widgets/look/number_text.h"
#include "widgets/look/runtime_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

struct PictureTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Failures)
};

/// Of the longer time: a smaller rest is not seen beside it.
constexpr double least_visible = 0.002;

QString time_title(TimeSource times) {
    switch (times) {
    case TimeSource::Measured:
        return PictureTexts::tr("measured time");
    case TimeSource::Recorded:
        return PictureTexts::tr("recorded time");
    case TimeSource::Simulated:
        return PictureTexts::tr("simulated time");
    }
    return {};
}

} // namespace

WaterfallPicture blame_picture(const FailureCase& failure, const FailureWords& words,
                               const BlameSide& against, const BlameSide& chosen) {
    WaterfallPicture picture;
    if (!failure.diagnosis)
        return picture;
    const FailureSign& sign = failure.main();
    picture.axis.title = time_title(failure.times);
    picture.axis.unit = QStringLiteral("ms");
    picture.hatched = failure.diagnosis->basis != DiagnosisBasis::Measured &&
                      failure.diagnosis->basis != DiagnosisBasis::Recorded;
    picture.from = {against.key, against.title, sign.against.milliseconds, 0, false, ChartColour::Reference};
    picture.to = {chosen.key,       chosen.title, sign.chosen.milliseconds, 0, sign.chosen.is_at_least,
                  ChartColour::Lose};
    double explained_ms = 0;
    for (const BlamedDecision& blamed : failure.diagnosis->decisions) {
        explained_ms += blamed.milliseconds;
        WaterfallBar bar;
        bar.key = QString::fromStdString(blamed.decision.key);
        bar.label = words.decision(blamed.decision);
        bar.change = QStringLiteral("%1 → %2").arg(words.value(blamed.before), words.value(blamed.after));
        bar.amount = blamed.milliseconds;
        bar.is_significant = blamed.is_significant;
        if (blamed.error_ms)
            bar.uncertainty = *blamed.error_ms;
        bar.note = words.meaning(blamed.decision);
        picture.steps.push_back(std::move(bar));
    }
    // The decisions explain times of these two alone; what other turns tell of either stands before them.
    const auto by_other_turns = [](const TimedConfiguration& time) {
        return time.raw_ms ? time.milliseconds - *time.raw_ms : 0;
    };
    const double told_ms = by_other_turns(sign.chosen) - by_other_turns(sign.against);
    if (sign.chosen.raw_ms || sign.against.raw_ms) {
        const TimedConfiguration& of = sign.chosen.raw_ms ? sign.chosen : sign.against;
        WaterfallBar told;
        told.key = QStringLiteral("told-by-other-turns");
        told.label = PictureTexts::tr("told by other turns");
        told.change = QStringLiteral("%1 → %2").arg(runtime_text(*of.raw_ms), runtime_text(of.milliseconds));
        told.amount = told_ms;
        told.note =
            PictureTexts::tr("Turns that did not choose it tell the time of the evaluation. Its own turns "
                             "flatter it.");
        picture.steps.insert(picture.steps.begin(), std::move(told));
    }
    const double rest_ms = sign.lost_ms() - told_ms - explained_ms;
    if (std::abs(rest_ms) > least_visible * std::max(sign.chosen.milliseconds, sign.against.milliseconds)) {
        WaterfallBar rest;
        rest.key = QStringLiteral("not-explained");
        rest.label = PictureTexts::tr("not explained");
        rest.amount = rest_ms;
        rest.is_significant = false;
        rest.note = PictureTexts::tr("The decisions do not add up to the loss: their times are of another "
                                     "occasion, or of a simulation.");
        picture.steps.push_back(std::move(rest));
    }
    return picture;
}

} // namespace sparsight
