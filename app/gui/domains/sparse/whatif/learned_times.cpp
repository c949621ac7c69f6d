#include "gui/domains/sparse/whatif/learned_times.h"

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "workflow/explanation/learned_times.h"

#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

/// The place among models_that_tell(); nothing where it has none.
std::optional<int> order_of(const KnownModel& model, const QString& machine) {
    const bool is_adapted = model.method == QLatin1String("fine-tuned");
    if (!model.is_gray_box())
        return 2;
    if (!is_adapted)
        return 1;
    return model.machines.contains(machine) ? std::optional(0) : std::nullopt;
}

} // namespace

QStringList models_that_tell(const StoredLearning& learning, const Domain& domain, const Setting& setting,
                             const QString& machine) {
    QStringList names;
    if (machine.isEmpty())
        return names;
    for (const int order : {0, 1, 2})
        for (const KnownModel& model : learning.models)
            if (order_of(model, machine) == order && model.is_for(domain, setting))
                names << model.name;
    return names;
}

void LearnedTimes::ask(const LearnedSubject& subject) {
    if (subject == subject_)
        return;
    subject_ = subject;
    ranking_.reset();
    problem_.clear();
    if (!subject.study) {
        answers_.cancel();
        return;
    }
    const StudySubject& of = subject.study->subject;
    LearnedTimesQuestion question{subject.workspace.toStdString(),
                                  subject.model.toStdString(),
                                  subject.machine.toStdString(),
                                  setting_of(of.op, of.dense),
                                  {}};
    for (const QString& text : subject.study->texts)
        question.pairs.emplace_back(of.matrix.toStdString(), text.toStdString());
    answers_.ask(
        [question = std::move(question)](const std::stop_token& stop) -> Result<LearnedRanking> {
            auto told = ask_for_learned_times(question, sparse_words(), {}, stop);
            if (!told)
                return std::unexpected(std::move(told).error());
            return learned_ranking(*std::move(told), question.pairs.size());
        },
        [this, subject](Result<LearnedRanking> told, bool is_newest) {
            if (is_newest)
                take(subject, std::move(told));
        });
}

void LearnedTimes::take(const LearnedSubject& of, Result<LearnedRanking> told) {
    if (of != subject_)
        return;
    if (told)
        ranking_ = *std::move(told);
    else
        problem_ = QString::fromStdString(told.error().text());
    Q_EMIT changed();
}

} // namespace sparsight
