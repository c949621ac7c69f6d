#include "gui/domains/sparse/comparison/pair_study.h"

#include "base/parallel.h"
#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/schedule/schedule_decision.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "evaluation/diagnosis/smallest_change.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_parameters.h"
#include "machine/probe/probe.h"
#include "store/machines.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>

namespace sparsight {

MachineRequest::MachineRequest(const WorkspaceSession& session, const QString& fingerprint)
    : is_here_(fingerprint.isEmpty() || fingerprint == session.this_machine()) {
    const MachineRecord* const record =
        session.machine(fingerprint.isEmpty() ? session.this_machine() : fingerprint);
    if (record == nullptr)
        return;
    name_ = QString::fromStdString(record->name);
    known_ = description_of(*record);
}

SimulatedMachine MachineRequest::resolve() const {
    if (known_)
        return {name_, *known_, false};
    const auto here = probe_this_computer({.measure = false, .stop = {}, .progress = {}});
    MachineDescription machine = here ? *here : MachineDescription{};
    const QString name = QString::fromStdString(machine.name);
    return {name, std::move(machine), !is_here_};
}

Result<Explanation> explain_pair(const PairSubject& subject, const CsrPattern& pattern,
                                 const MachineDescription& machine, const std::stop_token& stop) {
    const ProfiledPattern profiled(pattern);
    const MachineParameters parameters = parameters_with_threads(machine, subject.threads);
    const int threads = std::min(static_cast<int>(parameters[MachineParameter::Threads]), maximum_threads);
    ExplanationRequest request{.from = subject.against,
                               .to = subject.schedule,
                               .dense = subject.dense,
                               .machine = machine,
                               .threads = available_threads(),
                               .kernel_threads = subject.threads};
    request.from.threads = request.to.threads = threads;
    request.blame.stop = stop;
    SimulatedClock clock(profiled, subject.dense, parameters, request.threads);
    return explain(profiled, clock, request);
}

Result<std::shared_ptr<const PairStudy>> study_pair(const PairSubject& subject, const CsrPattern& pattern,
                                                    const MachineRequest& request,
                                                    const std::stop_token& stop) {
    auto study = std::make_shared<PairStudy>();
    study->subject = subject;
    const SimulatedMachine simulated = request.resolve();
    study->machine = simulated.name;
    study->machine_stands_in = simulated.stands_in;
    study->simulation_error = simulation_error(simulated.machine);
    const auto explanation = explain_pair(subject, pattern, simulated.machine, stop);
    if (explanation)
        study->explanation = explanation_values(*explanation, false);
    else if (explanation.error().fault == Fault::Cancelled)
        return std::unexpected(explanation.error());
    else
        study->no_explanation = QString::fromStdString(explanation.error().text());
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "cancelled");
    study->pictures = {picture_of(subject.against, pattern, subject.dense),
                       picture_of(subject.schedule, pattern, subject.dense)};
    return study;
}

namespace {

struct PatternlessTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::PatternlessPair)
};

/// Larger than any split, so that no loop disappears.
constexpr std::int64_t example_side = 4096;

Result<CsrPattern> example_pattern() {
    return generate_matrix("banded", {{"size", static_cast<double>(example_side)}}, 1);
}

QString differences(const PairSubject& subject) {
    const SuperSchedule against = canonical(subject.against);
    const SuperSchedule schedule = canonical(subject.schedule);
    QStringList lines;
    for (const ScheduleDecision& decision : differing_decisions(against, schedule))
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
        PatternlessTexts::tr("The pattern of %1 is not known, so nothing can be simulated. Loops and trees "
                             "are those of a %2 × %2 example. They differ in:\n%3")
            .arg(subject.matrix, count_text(example_side), differences(subject));
    return std::shared_ptr<const PairStudy>(std::move(study));
}

} // namespace sparsight
