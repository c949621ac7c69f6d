#include "domains/blocks/workflow/study_training.h"

#include "domains/blocks/block_domain.h"
#include "domains/blocks/learning/block_payload.h"
#include "learning/fine_tuning/fine_tuning.h"
#include "model/cost_model.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/training/model_training.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <set>
#include <unordered_map>

namespace sparsight {
namespace {

constexpr double iterations = 100;

/// Of this process on all cores: with one thread, what the wall clock would tell if nothing else ran.
double core_time() {
    std::timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Those with a time on one of the machines of the set, on this side.
std::vector<std::size_t> places_on(const TaskSet& set, const std::vector<const StudyBlock*>& block_of,
                                   StudySide side) {
    std::set<std::size_t> places;
    for (const Task& task : set.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes)
            if (block_of[runtimes.workload] != nullptr && block_of[runtimes.workload]->side == side)
                places.insert(runtimes.workload);
    return {places.begin(), places.end()};
}

double weights_of(const Checkpoint& checkpoint) {
    double count = 0;
    for (const NamedArray& array : checkpoint.weights)
        count += static_cast<double>(array.values.size());
    return count;
}

} // namespace

StudyTraining::StudyTraining(Workspace& workspace, const LearningDomain& domain, const StudyBlocks& blocks,
                             const StudySizes& sizes, int threads, TaskSet set)
    : workspace_(workspace)
    , domain_(domain)
    , blocks_(blocks)
    , sizes_(sizes)
    , threads_(threads)
    , set_(std::move(set)) {
    std::unordered_map<std::string, const StudyBlock*> by_name;
    for (const StudyBlock& block : blocks_.blocks)
        by_name.emplace(block.name, &block);
    for (const TaskWorkload& workload : set_.workloads) {
        const auto found = by_name.find(workload.name);
        block_of_.push_back(found == by_name.end() ? nullptr : found->second);
    }
}

Result<StudyTraining> StudyTraining::open(Workspace& workspace, const LearningDomain& domain,
                                          const StudyBlocks& blocks, const StudySizes& sizes, int threads,
                                          Observer& observer, const std::stop_token& stop) {
    TaskRequest request{
        .setting = {std::string(blocks_domain), {}}, .threads = threads, .goal = LearningGoal::Times};
    for (const std::string& machine : blocks.machines)
        request.sources.push_back({.machine = machine});
    auto tasks = domain.tasks(workspace, request, stop, observer.sink());
    if (!tasks)
        return std::unexpected(std::move(tasks).error());
    return StudyTraining(workspace, domain, blocks, sizes, threads, std::move(tasks->set));
}

/// The machines that the cell learns from; of the target the drawn blocks alone.
TrainingData StudyTraining::data_of(const StudyCell& cell) const {
    TrainingData data;
    data.set = set_;
    std::erase_if(data.set.tasks, [&](const Task& task) {
        return task.machine_name() != cell.target &&
               std::ranges::find(cell.machines, task.machine_name()) == cell.machines.end();
    });
    if (!cell.target.empty()) {
        const auto machine = static_cast<std::size_t>(std::ranges::find(blocks_.machines, cell.target) -
                                                      blocks_.machines.begin());
        const std::vector<std::string> names = blocks_.drawn(machine, cell.shots, cell.seed);
        const std::set<std::string> drawn(names.begin(), names.end());
        for (Task& task : data.set.tasks)
            if (task.machine_name() == cell.target)
                std::erase_if(task.runtimes, [&](const WorkloadRuntimes& runtimes) {
                    return !drawn.contains(set_.workloads[runtimes.workload].name);
                });
        std::erase_if(data.set.tasks, [](const Task& task) { return task.runtimes.empty(); });
    }
    data.split.train = places_on(data.set, block_of_, StudySide::Train);
    data.split.validation = places_on(data.set, block_of_, StudySide::Validation);
    return data;
}

TrainRequest StudyTraining::request_of(const StudyCell& cell) const {
    TrainRequest request;
    request.name = describe(cell);
    request.machines = cell.machines;
    request.setting = set_.setting;
    request.domain = &domain_;
    request.architecture = cell.model;
    request.width = cell.width;
    request.baseline = false;
    request.threads = threads_;
    request.options = domain_.usual_training();
    request.options.seed = cell.seed;
    if (cell.epochs > 0)
        request.options.epochs = cell.epochs;
    if (cell.model.starts_with("ithemal"))
        request.options.rate = 2e-3; // of 40 epochs; GRANITE's keeps its paper's 1e-3
    if (cell.way == meta_base) {
        request.options.method = Method::Fomaml;
        request.options.inner = {.steps = 3, .rate = 0.05};
        request.options.support_workloads = request.options.query_workloads =
            request.options.workloads_per_step;
        request.options.tasks_per_step = static_cast<int>(cell.machines.size());
    }
    return request;
}

Result<TrainedCell> StudyTraining::run(const StudyCell& cell, const ClaimedCell& claimed, Observer& observer,
                                       const std::stop_token& stop) const {
    if (cell.model == bound_cell)
        return bound(cell);
    if (!cell.is_network())
        return trees(cell, observer, stop);
    return cell.target.empty() ? network(cell, claimed, observer, stop) : adapted(cell, observer, stop);
}

Result<StudyTraining::TestBlocks> StudyTraining::test_blocks(const std::string& machine) const {
    TestBlocks test;
    for (const Task& task : set_.tasks) {
        if (task.machine_name() != machine)
            continue;
        for (const WorkloadRuntimes& runtimes : task.runtimes) {
            const StudyBlock* const block = block_of_[runtimes.workload];
            if (block == nullptr || block->side != StudySide::Test)
                continue;
            auto payload = set_.workloads[runtimes.workload].load();
            if (!payload)
                return std::unexpected(std::move(payload).error());
            test.ids.push_back(block->id);
            test.payloads.push_back(*std::move(payload));
        }
    }
    return test;
}

Result<TrainedCell> StudyTraining::bound(const StudyCell& cell) const {
    TrainedCell done;
    double seconds = 0;
    for (const std::string& machine : cell.machines) {
        const auto test = test_blocks(machine);
        if (!test)
            return std::unexpected(test.error());
        const double before = core_time();
        for (std::size_t at = 0; at < test->ids.size(); ++at) {
            const auto& payload = static_cast<const BlockPayload&>(*test->payloads[at]);
            if (const auto table = payload.known()->find(machine))
                done.result.predicted[machine].emplace(test->ids[at],
                                                       payload.known()->of(payload.block(), *table).cycles());
        }
        seconds += core_time() - before;
        done.result.figures[std::string(blocks_predicted)] +=
            static_cast<double>(done.result.predicted[machine].size());
    }
    done.result.figures[std::string(inference_seconds)] = seconds;
    return done;
}

Result<void> StudyTraining::predict(const StudyCell& cell, const Checkpoint& checkpoint, CellResult& result,
                                    const std::stop_token& stop) const {
    constexpr std::size_t at_once = 1000;
    const auto model = make_cost_model(checkpoint, domain_);
    if (!model)
        return std::unexpected(model.error());
    double seconds = 0;
    double predicted = 0;
    for (const std::string& name : cell.tested()) {
        const auto test = test_blocks(name);
        if (!test)
            return std::unexpected(test.error());
        MachineDescription machine;
        machine.name = name;
        for (std::size_t first = 0; first < test->ids.size(); first += at_once) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "the study was stopped");
            const auto some =
                std::span(test->payloads).subspan(first, std::min(at_once, test->ids.size() - first));
            const double before = core_time();
            const auto scores = (*model)->score_each(some, Configuration(), &machine, threads_);
            if (!scores)
                return std::unexpected(scores.error());
            seconds += core_time() - before;
            for (std::size_t at = 0; at < some.size(); ++at)
                result.predicted[name].emplace(test->ids[first + at],
                                               std::exp(static_cast<double>((*scores)[at])) /
                                                   time_of_cycles(iterations).count());
        }
        predicted += static_cast<double>(test->ids.size());
    }
    result.figures[std::string(inference_seconds)] = seconds;
    result.figures[std::string(blocks_predicted)] = predicted;
    if (!checkpoint.weights.empty())
        result.figures[std::string(weights_count)] = weights_of(checkpoint);
    return {};
}

Result<TrainedCell> StudyTraining::trees(const StudyCell& cell, Observer& observer,
                                         const std::stop_token& stop) const {
    const TrainRequest request = request_of(cell);
    const TrainingData data = data_of(cell);
    const Stopwatch watch;
    const double before = core_time();
    const auto trained = train_and_test_trees(request, data, stop, observer.sink());
    if (!trained)
        return std::unexpected(trained.error());
    TrainedCell done;
    done.result.figures[std::string(wall_seconds)] = watch.seconds();
    done.result.figures[std::string(core_seconds)] = core_time() - before;
    double rows = 0;
    for (const Task& task : data.set.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes)
            rows += std::ranges::binary_search(data.split.train, runtimes.workload) ? 1 : 0;
    done.result.figures[std::string(blocks_trained)] = rows;
    auto checkpoint = checkpoint_of(request, data, *trained);
    if (!checkpoint)
        return std::unexpected(std::move(checkpoint).error());
    if (auto predicted = predict(cell, *checkpoint, done.result, stop); !predicted)
        return std::unexpected(std::move(predicted).error());
    if (cell.target.empty())
        done.model = *std::move(checkpoint);
    return done;
}

Result<TrainedCell> StudyTraining::network(const StudyCell& cell, const ClaimedCell& claimed,
                                           Observer& observer, const std::stop_token& stop) const {
    const TrainRequest request = request_of(cell);
    const TrainingData data = data_of(cell);
    auto start = start_of_network(request, data, nullptr);
    if (!start)
        return std::unexpected(std::move(start).error());
    TrainingJournal journal(workspace_, claimed.run);
    NetworkTraining training(request, data, *std::move(start), journal, observer);
    if (auto begun = training.begin(claimed.state); !begun)
        return std::unexpected(std::move(begun).error());
    const double before = core_time();
    const Stopwatch watch;
    const auto end = training.run(stop, {});
    if (!end)
        return std::unexpected(end.error());
    if (*end == TrainingEnd::Stopped)
        return fail(Fault::Cancelled, "the study was stopped");
    TrainedCell done;
    const double seconds = training.seconds();
    done.result.figures[std::string(wall_seconds)] = seconds;
    // Parts before a pause took as much of the core as this one.
    done.result.figures[std::string(core_seconds)] =
        seconds * std::min(1.0, (core_time() - before) / std::max(watch.seconds(), 1e-9));
    double blocks = 0;
    for (const Task& task : data.set.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes)
            blocks += std::ranges::binary_search(data.split.train, runtimes.workload) ? 1 : 0;
    done.result.figures[std::string(blocks_trained)] = blocks * training.state().epoch;
    Checkpoint checkpoint = training.checkpoint({});
    if (auto predicted = predict(cell, checkpoint, done.result, stop); !predicted)
        return std::unexpected(std::move(predicted).error());
    done.model = std::move(checkpoint);
    return done;
}

Result<Checkpoint> StudyTraining::base_model(const StudyCell& cell) const {
    const StudyRecord record(workspace_, blocks_);
    const auto stored = require_model(workspace_, record.model_name(base_of(cell, sizes_, blocks_.machines)));
    if (!stored)
        return std::unexpected(stored.error());
    const auto bytes = load_weights(workspace_, stored->id);
    if (!bytes)
        return std::unexpected(bytes.error());
    return parse_checkpoint(*bytes, domain_);
}

Result<TrainedCell> StudyTraining::adapted(const StudyCell& cell, Observer& observer,
                                           const std::stop_token& stop) const {
    constexpr int scratch_epochs = 60; // as `finetune` has it
    StudyCell alone = cell;
    alone.machines.clear();
    const TrainingData data = data_of(alone);
    Checkpoint checkpoint;
    FineTuningOptions options{.loss = domain_.usual_training().loss, .seed = cell.seed};
    if (cell.way == from_scratch) {
        const auto start = start_of_network(request_of(cell), data, nullptr);
        if (!start)
            return std::unexpected(start.error());
        checkpoint.model.architecture = start->encoder->architecture();
        checkpoint.weights = start->weights;
        options.epochs = scratch_epochs;
    } else {
        auto base = base_model(cell);
        if (!base)
            return std::unexpected(std::move(base).error());
        checkpoint = *std::move(base);
    }
    TrainedCell done;
    const Stopwatch watch;
    const double before = core_time();
    if (!data.split.train.empty()) {
        const auto encoder = domain_.encoder(checkpoint.model.architecture);
        if (!encoder)
            return std::unexpected(encoder.error());
        ExampleStore examples(data.set, *encoder, threads_);
        const FineTuningObserver told = [&](int epoch, double) {
            observer.progress({.stage = "fine-tuning",
                               .done = static_cast<std::uint64_t>(epoch) + 1,
                               .total = static_cast<std::uint64_t>(options.epochs)});
        };
        const auto weights = fine_tune(examples, 0, data.split.train, options,
                                       parameters_of(checkpoint, at::Device(at::kCPU)), told, stop);
        if (!weights)
            return std::unexpected(weights.error());
        checkpoint.weights = to_arrays(*weights);
    }
    done.result.figures[std::string(wall_seconds)] = watch.seconds();
    done.result.figures[std::string(core_seconds)] = core_time() - before;
    done.result.figures[std::string(blocks_trained)] =
        static_cast<double>(data.split.train.size()) * options.epochs;
    if (auto predicted = predict(cell, checkpoint, done.result, stop); !predicted)
        return std::unexpected(std::move(predicted).error());
    return done;
}

} // namespace sparsight
