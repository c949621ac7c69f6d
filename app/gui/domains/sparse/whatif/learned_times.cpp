#include "gui/domains/sparse/whatif/learned_times.h"

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "evaluation/model_reasons/predicted_times.h"

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

LearnedTimes::LearnedTimes(ResidentLearner& learner, QObject* parent)
    : QObject(parent)
    , learner_(learner)
    , key_(QStringLiteral("what-if %1").arg(reinterpret_cast<quintptr>(this))) {
    connect(&learner, &ResidentLearner::answered, this,
            [this](const QString& key, const nlohmann::ordered_json& answer) {
                if (key == key_)
                    take(answer);
            });
    connect(&learner, &ResidentLearner::refused, this, [this](const QString& key, const QString& reason) {
        if (key == key_)
            refuse(reason);
    });
}

void LearnedTimes::ask(const LearnedSubject& subject) {
    if (subject == subject_)
        return;
    subject_ = subject;
    ranking_.reset();
    problem_.clear();
    if (!subject.study) {
        learner_.cancel(key_);
        return;
    }
    const StudySubject& of = subject.study->subject;
    ResidentQuestion question{.workspace = subject.workspace,
                              .model = subject.model,
                              .machine = subject.machine,
                              .setting = QString::fromStdString(setting_of(of.op, of.dense).text)};
    for (const QString& text : subject.study->texts)
        question.pairs.emplace_back(of.matrix.toStdString(), text.toStdString());
    learner_.ask(key_, question);
}

void LearnedTimes::take(const nlohmann::ordered_json& answer) {
    const auto told = parse_predicted_times(answer, sparse_words());
    auto ranking = told ? learned_ranking(*told, subject_.study->texts.size())
                        : Result<LearnedRanking>(std::unexpected(told.error()));
    if (!ranking) {
        refuse(QString::fromStdString(ranking.error().text()));
        return;
    }
    ranking_ = *std::move(ranking);
    Q_EMIT changed();
}

void LearnedTimes::refuse(const QString& reason) {
    problem_ = reason;
    Q_EMIT changed();
}

} // namespace sparsight
