#include "gui/comparison/pair_study.h"

#include "base/parallel.h"
#include "evaluation/diagnosis/counterfactual.h"
#include "evaluation/diagnosis/explanation.h"
#include "evaluation/diagnosis/simulated_evaluator.h"
#include "machine/machine_parameters.h"
#include "schedule/validity.h"

#include <algorithm>

namespace sparsight {

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
    SimulatedEvaluator evaluator(profiled, subject.dense, parameters, request.threads);
    return explain(profiled, evaluator, request);
}

Result<std::shared_ptr<const PairStudy>> study_pair(const PairSubject& subject, const CsrPattern& pattern,
                                                    const MachineRequest& request,
                                                    const std::stop_token& stop) {
    auto study = std::make_shared<PairStudy>();
    study->subject = subject;
    const SimulatedMachine simulated = request.resolve();
    study->machine = simulated.name;
    study->machine_stands_in = simulated.stands_in;
    const auto explanation = explain_pair(subject, pattern, simulated.machine, stop);
    if (explanation)
        study->explanation = shown_explanation(*explanation, false);
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

} // namespace sparsight
