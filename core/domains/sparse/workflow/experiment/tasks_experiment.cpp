#include "domains/sparse/workflow/experiment/tasks_experiment.h"

#include "base/quantity.h"
#include "domains/sparse/workflow/learning_settings.h"

#include <cstdint>
#include <string_view>

namespace sparsight {

namespace {

Json without(Json event, std::string_view member) {
    event.erase(member);
    return event;
}

/// Its time left is the learner's own.
void show(const Json& event, Observer& observer) {
    const auto left = event.find("seconds_left");
    const std::string stage = event.value("stage", "");
    observer.show({.stage = stage,
                   .done = event.value("done", std::uint64_t{0}),
                   .total = event.value("total", std::uint64_t{0}),
                   .left = left != event.end() && left->is_number()
                               ? std::optional(Seconds(left->get<double>()))
                               : std::nullopt});
}

void tell(const Json& event, Observer& observer) {
    const std::string what = event.value("event", "");
    if (what == "start") {
        observer.start(without(without(event, "event"), "job"));
        for (const Json& note : event.value("notes", Json::array()))
            if (note.is_string())
                observer.note(note.get<std::string>());
    } else if (what == "progress") {
        observer.event(what, without(event, "event"));
        show(event, observer);
    } else if (what == "point") {
        observer.event(what, without(event, "event"));
    }
}

} // namespace

Result<TasksOutcome> compare_tasks(const LearnerSetting& setting,
                                   const std::vector<std::pair<std::string, std::string>>& options,
                                   Observer& observer, const std::stop_token& stop) {
    std::vector<std::string> arguments{std::string(transfer_command)};
    for (const auto& [option, value] : options)
        arguments.insert(arguments.end(), {option, value});
    auto end = follow_learner(
        setting, std::move(arguments), [&](const Json& event) { tell(event, observer); }, stop);
    if (!end)
        return std::unexpected(std::move(end).error());
    const bool is_stopped = end->value("stopped", false);
    return TasksOutcome{*std::move(end), is_stopped};
}

} // namespace sparsight
