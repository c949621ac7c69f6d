#include "learning/training_length.h"

#include "learning/training_plan.h"

#include <fmt/format.h>
#include <span>
#include <utility>

namespace sparsight {

namespace {

std::int64_t count_examples(const StepPlan& step) {
    std::size_t count = 0;
    for (const EpisodePlan& episode : step)
        for (const auto* choices : {&episode.support, &episode.query})
            for (const ExampleChoice& choice : *choices)
                count += choice.schedules.size();
    return static_cast<std::int64_t>(count);
}

} // namespace

std::int64_t examples_of_full_step(const TrainingOptions& options) {
    const std::int64_t of_matrix = options.schedules_per_matrix;
    switch (options.method) {
    case Method::Supervised:
        return of_matrix;
    case Method::Report: // the same matrix before and after the step
        return of_matrix * options.tasks_per_step * 2;
    default:
        return of_matrix * options.tasks_per_step * (options.support_matrices + options.query_matrices);
    }
}

Result<TrainingLength> training_length(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                       const TrainingOptions& options, std::int64_t examples) {
    TrainingLength length;
    for (; length.steps == 0 || length.examples < examples; ++length.epochs) {
        const auto plan = plan_epoch(tasks, train, options, length.epochs);
        for (const StepPlan& step : plan) {
            if (length.steps > 0 && length.examples >= examples)
                break;
            length.examples += count_examples(step);
            ++length.steps;
        }
        if (length.examples == 0)
            return fail(Fault::Input,
                        fmt::format("there is nothing to train on by {}", name(options.method)));
    }
    return length;
}

Result<TrainingState> train_for(ExampleStore& examples, const std::vector<std::size_t>& train,
                                TrainingOptions options, const TrainingLength& length, TrainingState state,
                                const TrainingObserver& observer, const std::stop_token& stop) {
    if (state.steps >= length.steps)
        return state;
    options.epochs = length.epochs;
    options.patience = 0;
    std::stop_source enough;
    const std::stop_callback also(stop, [&] { enough.request_stop(); });
    TrainingObserver until = observer;
    until.checkpoint = [&](const TrainingState& now) -> Result<void> {
        if (now.steps >= length.steps)
            enough.request_stop();
        return observer.checkpoint ? observer.checkpoint(now) : Result<void>();
    };
    auto result =
        sparsight::train(examples, {train, {}, {}}, options, std::move(state), until, enough.get_token());
    if (!result)
        return std::unexpected(std::move(result).error());
    if (result->state.steps < length.steps)
        return fail(Fault::Cancelled, "stopped");
    return std::move(result->state);
}

} // namespace sparsight
