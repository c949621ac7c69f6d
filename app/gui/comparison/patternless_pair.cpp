#include "gui/comparison/patternless_pair.h"

#include "evaluation/diagnosis/decision.h"
#include "gui/page/decision_words.h"
#include "matrix/generators/generator.h"
#include "schedule/validity.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct PatternlessTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::PatternlessPair)
};

/// Larger than any split, so that no loop goes missing.
constexpr std::int64_t example_side = 4096;

Result<CsrPattern> example_pattern() {
    return generate_matrix("banded", {{"size", static_cast<double>(example_side)}}, 1);
}

QString differences(const PairSubject& subject) {
    const SuperSchedule against = canonical(subject.against);
    const SuperSchedule schedule = canonical(subject.schedule);
    QStringList lines;
    for (const Decision& decision : differing_decisions(against, schedule))
        lines << QStringLiteral("• %1: %2")
                     .arg(decision_name(QString::fromStdString(key(decision))),
                          decision_change(QString::fromStdString(value_of(decision, against)),
                                          QString::fromStdString(value_of(decision, schedule))));
    return lines.isEmpty() ? PatternlessTexts::tr("Both decide the same.") : lines.join(u'\n');
}

} // namespace

Result<std::shared_ptr<const PairStudy>> study_without_pattern(const PairSubject& subject) {
    for (const SuperSchedule& schedule : {subject.against, subject.schedule})
        if (auto valid = check(schedule); !valid)
            return std::unexpected(std::move(valid).error());
    const auto pattern = example_pattern();
    if (!pattern)
        return std::unexpected(pattern.error());
    auto study = std::make_shared<PairStudy>();
    study->subject = subject;
    study->pictures = {picture_of(subject.against, *pattern, subject.dense),
                       picture_of(subject.schedule, *pattern, subject.dense)};
    for (SchedulePicture& picture : study->pictures) {
        picture.storage.clear();
        picture.storage_problem =
            PatternlessTexts::tr("How large the storage is depends on the pattern, which is not known.");
    }
    study->no_explanation =
        PatternlessTexts::tr(
            "The pattern of %1 is not known, so nothing can be simulated: loops and trees are "
            "those of an example of %2 × %2. They differ in:\n%3")
            .arg(subject.matrix, count_text(example_side), differences(subject));
    return std::shared_ptr<const PairStudy>(std::move(study));
}

} // namespace sparsight
