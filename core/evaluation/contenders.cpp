#include "evaluation/contenders.h"

#include "evaluation/known_times.h"
#include "schedule/meaning.h"
#include "schedule/text.h"
#include "store/choices.h"
#include "store/workspace.h"

#include <algorithm>
#include <span>
#include <utility>

namespace sparsight {

namespace {

class Contenders {
public:
    void add(SuperSchedule schedule) {
        schedule = tried_meaning(std::move(schedule));
        if (std::ranges::find(schedules_, schedule) == schedules_.end())
            schedules_.push_back(std::move(schedule));
    }
    [[nodiscard]] std::vector<SuperSchedule> take() { return std::move(schedules_); }

private:
    std::vector<SuperSchedule> schedules_;
};

/// Of those that were measured, the fastest first.
std::vector<SuperSchedule> fastest_of(std::span<const ChosenSchedule> chosen, const KnownTimes& times) {
    std::vector<std::pair<double, const SuperSchedule*>> timed;
    for (const ChosenSchedule& each : chosen)
        if (const ResultRow* row = times.find(each.schedule);
            row != nullptr && row->status == MeasurementStatus::Measured && row->median_ms)
            timed.emplace_back(*row->median_ms, &each.schedule);
    std::ranges::stable_sort(timed, {}, &std::pair<double, const SuperSchedule*>::first);
    std::vector<SuperSchedule> fastest;
    for (const auto& [ms, schedule] : std::span(timed).first(std::min(timed.size(), contenders_of_a_model)))
        fastest.push_back(*schedule);
    return fastest;
}

} // namespace

Result<std::vector<SuperSchedule>> contenders(Workspace& workspace, const EvaluationScope& scope,
                                              const MatrixRecord& matrix) {
    const auto times = KnownTimes::read(workspace, {matrix.name, scope.machine.fingerprint, scope.op,
                                                    scope.op == Operator::SpMV ? 1 : scope.dense,
                                                    scope.protocol, scope.threads});
    if (!times)
        return std::unexpected(times.error());
    if (times->fixed_csr() == nullptr)
        return std::vector<SuperSchedule>{};
    Contenders found;
    found.add(fixed_csr(scope.op, 1));
    for (const ModelId model : scope.models) {
        const auto chosen = list_choices(workspace, scope.run, model, matrix.id);
        if (!chosen)
            return std::unexpected(chosen.error());
        const std::span<const ChosenSchedule> best(*chosen);
        const auto fastest =
            fastest_of(best.first(std::min(best.size(), static_cast<std::size_t>(scope.k))), *times);
        if (fastest.empty())
            return std::vector<SuperSchedule>{};
        for (const SuperSchedule& schedule : fastest)
            found.add(schedule);
        const ResultRow* const first = times->find(chosen->front().schedule);
        if (first != nullptr && first->status == MeasurementStatus::Measured)
            found.add(chosen->front().schedule); // how wrong the model was about it is asked, too
    }
    for (const ResultRow* row : times->fastest(contenders_of_all))
        if (const auto schedule = parse_schedule(scope.op, row->schedule))
            found.add(*schedule);
    return found.take();
}

} // namespace sparsight
