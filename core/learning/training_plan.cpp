#include "learning/training_plan.h"

#include "base/random.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_set>

namespace sparsight {

namespace {

/// Labels of independent streams of random numbers; epochs count from 0.
constexpr std::uint64_t validation_label = std::uint64_t{1} << 63;

/// `count` of the places below `size`, or all, ascending.
std::vector<std::size_t> draw(std::size_t size, std::size_t count, Random& random) {
    std::vector<std::size_t> places(size);
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (count < size) {
        random.shuffle(places);
        places.resize(count);
        std::ranges::sort(places);
    }
    return places;
}

ExampleChoice choose(const Task& task, std::size_t runtimes, const TrainingOptions& options, Random& random) {
    return {runtimes, draw(task.runtimes[runtimes].schedules.size(),
                           static_cast<std::size_t>(options.schedules_per_matrix), random)};
}

/// Places in Task::runtimes of the matrices to train on.
std::vector<std::size_t> training_runtimes(const Task& task, const std::vector<std::size_t>& train) {
    const std::unordered_set<std::size_t> wanted(train.begin(), train.end());
    std::vector<std::size_t> places;
    for (std::size_t r = 0; r < task.runtimes.size(); ++r)
        if (wanted.contains(task.runtimes[r].matrix))
            places.push_back(r);
    return places;
}

std::vector<StepPlan> plan_supervised(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                      const TrainingOptions& options, Random& random) {
    std::vector<StepPlan> steps;
    for (std::size_t t = 0; t < tasks.tasks.size(); ++t)
        for (const std::size_t r : training_runtimes(tasks.tasks[t], train))
            steps.push_back({{t, {}, {choose(tasks.tasks[t], r, options, random)}}});
    random.shuffle(steps);
    return steps;
}

std::vector<StepPlan> plan_report(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                  const TrainingOptions& options, Random& random) {
    std::vector<StepPlan> by_matrix(tasks.matrices.size());
    for (std::size_t t = 0; t < tasks.tasks.size(); ++t)
        for (const std::size_t r : training_runtimes(tasks.tasks[t], train)) {
            const ExampleChoice choice = choose(tasks.tasks[t], r, options, random);
            by_matrix[tasks.tasks[t].runtimes[r].matrix].push_back({t, {choice}, {choice}});
        }
    std::erase_if(by_matrix, [](const StepPlan& step) { return step.empty(); });
    random.shuffle(by_matrix);
    return by_matrix;
}

struct EpisodeSize {
    std::size_t support = 0;
    std::size_t query = 0;
};

EpisodeSize episode_size(std::size_t matrices, const TrainingOptions& options) {
    const auto support = static_cast<std::size_t>(options.support_matrices);
    const auto query = static_cast<std::size_t>(options.query_matrices);
    if (matrices >= support + query)
        return {support, query};
    if (matrices < 2)
        return {};
    const std::size_t fewer =
        std::clamp<std::size_t>(matrices * support / (support + query), 1, matrices - 1);
    return {fewer, matrices - fewer};
}

EpisodePlan plan_episode(const TaskSet& tasks, std::size_t t, std::vector<std::size_t> places,
                         const TrainingOptions& options, Random& random) {
    const EpisodeSize size = episode_size(places.size(), options);
    random.shuffle(places);
    EpisodePlan episode{t, {}, {}};
    for (std::size_t p = 0; p < size.support + size.query; ++p)
        (p < size.support ? episode.support : episode.query)
            .push_back(choose(tasks.tasks[t], places[p], options, random));
    return episode;
}

std::vector<StepPlan> plan_episodes(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                    const TrainingOptions& options, Random& random) {
    std::vector<std::vector<std::size_t>> places;
    std::vector<std::size_t> usable;
    std::size_t most = 0;
    for (std::size_t t = 0; t < tasks.tasks.size(); ++t) {
        places.push_back(training_runtimes(tasks.tasks[t], train));
        most = std::max(most, places.back().size());
        if (places.back().size() >= 2)
            usable.push_back(t);
    }
    const auto each =
        static_cast<std::size_t>(options.support_matrices) + static_cast<std::size_t>(options.query_matrices);
    std::vector<StepPlan> steps(usable.empty() ? 0 : std::max<std::size_t>(1, most / each));
    for (StepPlan& step : steps)
        for (const std::size_t u :
             draw(usable.size(), static_cast<std::size_t>(options.tasks_per_step), random))
            step.push_back(plan_episode(tasks, usable[u], places[usable[u]], options, random));
    return steps;
}

} // namespace

std::vector<StepPlan> plan_epoch(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                 const TrainingOptions& options, int epoch) {
    Random random = Random(options.seed).fork(static_cast<std::uint64_t>(epoch));
    switch (options.method) {
    case Method::Supervised:
        return plan_supervised(tasks, train, options, random);
    case Method::Report:
        return plan_report(tasks, train, options, random);
    default:
        return plan_episodes(tasks, train, options, random);
    }
}

std::vector<ExampleChoice> plan_validation_support(const TaskSet& tasks, std::size_t task,
                                                   const std::vector<std::size_t>& train,
                                                   const TrainingOptions& options) {
    std::vector<ExampleChoice> support;
    if (!is_meta(options.method))
        return support;
    Random random = Random(options.seed).fork(validation_label + task);
    std::vector<std::size_t> places = training_runtimes(tasks.tasks[task], train);
    random.shuffle(places);
    places.resize(std::min(places.size(), static_cast<std::size_t>(options.support_matrices)));
    for (const std::size_t place : places)
        support.push_back(choose(tasks.tasks[task], place, options, random));
    return support;
}

} // namespace sparsight
