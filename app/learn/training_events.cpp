#include "learn/training_events.h"

#include <fstream>
#include <unistd.h>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds step_interval{50};

} // namespace

Json start_json(const TrainRequest& request, const TrainingData& data, const TrainingStart& start) {
    const bool is_network = request.network.has_value();
    return {{"run", static_cast<std::int64_t>(start.run)},
            {"name", request.name},
            {"method", is_network ? std::string(name(request.options.method)) : "trees"},
            {"architecture", is_network ? std::string(name(*request.network)) : "trees"},
            {"epochs", is_network ? request.options.epochs : 0},
            {"steps_per_epoch", start.steps_per_epoch},
            {"machines", machine_names(data.set)},
            {"matrices",
             {{"train", data.split.train.size()},
              {"validation", data.split.validation.size()},
              {"test", data.split.test.size()}}},
            {"split", request.split.empty() ? request.name : request.split},
            {"notes", data.notes},
            {"replaces", start.replaces.empty() ? Json() : Json(start.replaces)},
            {"resumed_at", start.resumed_at},
            {"parameters", start.parameters}};
}

Json validation_json(const TaskSet& set, const std::vector<RankingReport>& tasks,
                     const RankingReport& overall) {
    Json json{{"overall", overall.by_name()}};
    for (std::size_t task = 0; task < tasks.size(); ++task)
        json[set.tasks[task].machine] = tasks[task].by_name();
    return json;
}

std::uint64_t occupied_memory() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t all = 0;
    std::uint64_t resident = 0;
    file >> all >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void StepEvents::add(const StepReport& step, double seconds) {
    if (!events_.are_told())
        return;
    if (step.epoch != epoch_)
        flush();
    epoch_ = step.epoch;
    seconds_ = seconds;
    losses_.push_back(step.loss);
    gradient_norms_.push_back(step.gradient_norm);
    if (Clock::now() - told_ >= step_interval)
        flush();
}

void StepEvents::flush() {
    if (losses_.empty())
        return;
    events_.tell("steps", {{"first", done_ + 1},
                           {"losses", losses_},
                           {"gradient_norms", gradient_norms_},
                           {"epoch", epoch_ + 1},
                           {"seconds", seconds_}});
    done_ += static_cast<std::int64_t>(losses_.size());
    losses_.clear();
    gradient_norms_.clear();
    told_ = Clock::now();
}

} // namespace sparsight
