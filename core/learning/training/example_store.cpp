#include "learning/training/example_store.h"

#include "learning/training/closed_form.h"
#include "model/convolution/convolution_pass.h"
#include "model/networks/gray_box.h"
#include "model/tensors/torch_runtime.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace sparsight {

namespace {

std::vector<double> chosen(const std::vector<double>& numbers, const std::vector<std::size_t>& places) {
    std::vector<double> picked;
    if (!numbers.empty())
        for (const std::size_t place : places)
            picked.push_back(numbers[place]);
    return picked;
}

/// Those of the places whose configurations ran.
std::vector<std::size_t> finite_of(const std::vector<double>& milliseconds,
                                   const std::vector<std::size_t>& places) {
    std::vector<std::size_t> finite;
    std::ranges::copy_if(places, std::back_inserter(finite),
                         [&](std::size_t place) { return std::isfinite(milliseconds[place]); });
    return finite;
}

/// Of finite times.
struct MeasuredRows {
    MeasuredRows(const std::vector<double>& milliseconds, at::Device device) {
        const double fastest = std::ranges::min(milliseconds);
        std::vector<float> logarithm;
        std::vector<float> weight;
        for (const double each : milliseconds) {
            logarithm.push_back(static_cast<float>(std::log(each / fastest)));
            weight.push_back(static_cast<float>(weight_of_slower(each / fastest)));
        }
        logarithms = at::tensor(logarithm, at::kFloat).to(device);
        weights = at::tensor(weight, at::kFloat).to(device);
    }

    at::Tensor logarithms;
    at::Tensor weights;
};

/// Without those that the simulator refuses, though they ran: their offset is no time, and a least square of
/// it would outweigh all others.
LinearRows rows_of(const LinearScore& score, const MeasuredRows& measured) {
    const at::Tensor places = at::nonzero(at::lt(score.offset, never_runs)).squeeze(1);
    const auto those = [&](const at::Tensor& rows) { return at::index_select(rows, 0, places); };
    const at::Tensor times = those(measured.logarithms.to(score.offset));
    return {those(score.inputs), times - those(score.fixed()), those(measured.weights), times};
}

} // namespace

ExampleStore::ExampleStore(const TaskSet& tasks, std::shared_ptr<const Encoder> encoder, int threads,
                           std::int64_t kept_coordinates, at::Device device)
    : tasks_(tasks)
    , encoder_(std::move(encoder))
    , threads_(threads)
    , device_(device)
    , kept_coordinates_(kept_coordinates)
    , workspaces_(std::make_shared<ConvolutionWorkspaces>())
    , calibrations_(std::make_shared<KnownCalibrations>()) {}

ExampleStore ExampleStore::store_for(std::shared_ptr<const Encoder> encoder) const {
    ExampleStore other(tasks_, std::move(encoder), threads_, kept_coordinates_, device_);
    other.calibrations_ = calibrations_;
    return other;
}

ExampleStore::Prepared& ExampleStore::prepared(std::size_t workload) {
    Prepared& of = workloads_[workload];
    of.last_use = ++uses_;
    return of;
}

void ExampleStore::has_grown(Prepared& last, std::int64_t size) {
    last.size += size;
    held_coordinates_ += size;
    while (held_coordinates_ > kept_coordinates_ && workloads_.size() > 1) {
        const auto oldest =
            std::ranges::min_element(workloads_, {}, [](const auto& entry) { return entry.second.last_use; });
        held_coordinates_ -= oldest->second.size;
        workloads_.erase(oldest);
    }
}

Result<std::shared_ptr<const EncodedWorkload>> ExampleStore::workload(std::size_t place) {
    Prepared& of = prepared(place);
    if (of.input)
        return of.input;
    const TaskWorkload& made_of = tasks_.workloads[place];
    auto payload =
        encoder_->reads_payload() ? made_of.load() : Result<std::shared_ptr<const Payload>>(nullptr);
    if (!payload)
        return std::unexpected(std::move(payload).error());
    of.input =
        encoder_->encode_workload(payload->get(), made_of.statistics, {threads_, device_, workspaces_});
    has_grown(of, of.input->kept_size());
    return of.input;
}

at::Tensor ExampleStore::machine(std::size_t task) const {
    const at::Tensor input = machine_input(*encoder_, &tasks_.tasks[task].description);
    return input.defined() ? input.to(device_) : input;
}

Result<std::shared_ptr<const EncodedConfigurations>>
ExampleStore::configurations(std::size_t task, std::size_t runtimes, const std::stop_token& stop) {
    const Task& of = tasks_.tasks[task];
    const WorkloadRuntimes& measured = of.runtimes[runtimes];
    Prepared& kept = prepared(measured.workload);
    auto& encoded = kept.configurations[{task, runtimes}];
    if (encoded)
        return encoded;
    const GrayBox* const box = encoder_->gray_box();
    if (encoder_->batches() != nullptr)
        return encoded = BatchEncoder::encode_configurations(measured.configurations.size());
    if (box == nullptr)
        return encoded = encoder_->embeds()->encode_configurations(measured.configurations, device_);
    auto known = profile(measured, stop);
    if (!known)
        return std::unexpected(std::move(known).error());
    encoded = box->encode_pairs(*std::move(known), box->physics().machine(of.description, of.threads),
                                threads_, device_);
    has_grown(kept, box->kept_size(measured.configurations.size()));
    return encoded;
}

Result<std::shared_ptr<const PhysicsProfile>> ExampleStore::profile(const WorkloadRuntimes& runtimes,
                                                                    const std::stop_token& stop) {
    Prepared& kept = prepared(runtimes.workload);
    const auto found = std::ranges::find(kept.profiles, runtimes.configurations, &Profiled::configurations);
    if (found != kept.profiles.end())
        return found->profile;
    const TaskWorkload& workload = tasks_.workloads[runtimes.workload];
    const auto payload = workload.load();
    if (!payload)
        return std::unexpected(payload.error());
    auto made = encoder_->gray_box()->physics().profile(**payload, runtimes.configurations, threads_, stop);
    if (!made)
        return fail(made.error().fault, fmt::format("{}: {}", workload.name, made.error().message));
    kept.profiles.push_back({runtimes.configurations, *made});
    has_grown(kept, (*made)->kept_size());
    return *std::move(made);
}

Result<ExampleStore::Inputs> ExampleStore::inputs(std::size_t task, std::size_t runtimes,
                                                  const std::stop_token& stop) {
    auto of_workload = workload(tasks_.tasks[task].runtimes[runtimes].workload);
    if (!of_workload)
        return std::unexpected(std::move(of_workload).error());
    auto all = configurations(task, runtimes, stop);
    if (!all)
        return std::unexpected(std::move(all).error());
    return Inputs{*std::move(of_workload), *std::move(all)};
}

void ExampleStore::use_trees(std::shared_ptr<const RowTrees> trees) {
    if (const GrayBox* const box = encoder_->gray_box(); box != nullptr && (trees || box->has_trees()))
        encoder_ = box->with_trees(std::move(trees));
}

Result<ObjectiveTerm> ExampleStore::term(Loss loss, std::size_t task, const ExampleChoice& choice) {
    const WorkloadRuntimes& runtimes = tasks_.tasks[task].runtimes[choice.runtimes];
    return guarded([&]() -> Result<ObjectiveTerm> {
        const auto all = inputs(task, choice.runtimes);
        if (!all)
            return std::unexpected(all.error());
        return [encoder = encoder_, input = all->workload, facts = machine(task),
                batch = all->configurations->select(choice.configurations), loss,
                milliseconds = chosen(runtimes.milliseconds, choice.configurations),
                spreads = chosen(runtimes.spreads, choice.configurations),
                waits = chosen(runtimes.waits, choice.configurations)](const NamedTensors& weights) {
            return ranking_loss(loss, encoder->score(weights, *input, facts, *batch),
                                {milliseconds, spreads, waits});
        };
    });
}

Result<std::vector<LinearTerm>> ExampleStore::linear_terms(std::size_t task,
                                                           std::span<const ExampleChoice> choices,
                                                           const std::stop_token& stop,
                                                           const ProgressSink& progress) {
    return guarded([&]() -> Result<std::vector<LinearTerm>> {
        const std::string stage = "reading measured " + tasks_.words.workload.many;
        std::vector<LinearTerm> terms;
        for (std::uint64_t done = 0; const ExampleChoice& choice : choices) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped while measurements were read");
            if (progress)
                progress({.stage = stage, .done = done++, .total = choices.size()});
            const WorkloadRuntimes& runtimes = tasks_.tasks[task].runtimes[choice.runtimes];
            const std::vector<std::size_t> finite = finite_of(runtimes.milliseconds, choice.configurations);
            if (finite.size() < 2)
                continue;
            const auto all = inputs(task, choice.runtimes, stop);
            if (!all)
                return std::unexpected(all.error());
            const MeasuredRows rows(chosen(runtimes.milliseconds, finite), device_);
            terms.emplace_back([encoder = encoder_, input = all->workload,
                                batch = all->configurations->select(finite),
                                rows](const NamedTensors& weights) {
                return rows_of(encoder->gray_box()->linear_score(weights, *input, *batch), rows);
            });
        }
        return terms;
    });
}

Result<Episode> ExampleStore::episode(Method method, Loss loss, const EpisodePlan& plan) {
    auto query = objective(loss, plan.task, plan.query);
    if (!query)
        return std::unexpected(std::move(query).error());
    if (method == Method::ClosedForm) {
        auto rows = linear_terms(plan.task, plan.support);
        if (!rows)
            return std::unexpected(std::move(rows).error());
        return Episode{{}, *std::move(query), *std::move(rows)};
    }
    auto support = objective(loss, plan.task, plan.support);
    if (!support)
        return std::unexpected(std::move(support).error());
    return Episode{*std::move(support), *std::move(query)};
}

Result<MachineParameters> ExampleStore::calibrate(std::size_t task, std::span<const std::size_t> workloads,
                                                  std::uint64_t seed, const std::stop_token& stop,
                                                  const ProgressSink& progress) {
    const Task& of = tasks_.tasks[task];
    const Physics& physics = encoder_->gray_box()->physics();
    CalibrationQuestion question{physics.subject(), task, {workloads.begin(), workloads.end()}, seed};
    if (const auto known = calibrations_->find(question); known != calibrations_->end())
        return known->second;
    const std::string stage = "simulating measured " + tasks_.words.configuration.many;
    std::vector<std::shared_ptr<const PhysicsProfile>> held;
    std::vector<MeasuredProfile> measured;
    for (const WorkloadRuntimes& runtimes : of.runtimes) {
        if (std::ranges::find(workloads, runtimes.workload) == workloads.end())
            continue;
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped before the machine was calibrated");
        if (progress)
            progress({.stage = stage, .done = held.size(), .total = workloads.size()});
        auto known = profile(runtimes, stop);
        if (!known)
            return std::unexpected(std::move(known).error());
        held.push_back(*std::move(known));
        const TaskWorkload& workload = tasks_.workloads[runtimes.workload];
        measured.push_back(
            {held.back().get(), workload.name, workload.family, runtimes.milliseconds, runtimes.spreads});
    }
    auto machine = physics.fit(physics.machine(of.description, of.threads), measured, seed, stop, progress);
    if (machine)
        calibrations_->emplace(std::move(question), *machine);
    return machine;
}

Result<ObjectiveTerm> ExampleStore::batch_term(Loss loss, std::size_t task,
                                               std::span<const ExampleChoice> choices) {
    return guarded([&]() -> Result<ObjectiveTerm> {
        std::vector<std::shared_ptr<const EncodedWorkload>> held;
        std::vector<double> milliseconds;
        for (const ExampleChoice& choice : choices) {
            const WorkloadRuntimes& runtimes = tasks_.tasks[task].runtimes[choice.runtimes];
            auto input = workload(runtimes.workload);
            if (!input)
                return std::unexpected(std::move(input).error());
            // One configuration, or several that are alike to the encoder.
            for (const double time : chosen(runtimes.milliseconds, choice.configurations)) {
                held.push_back(*input);
                milliseconds.push_back(time);
            }
        }
        return [encoder = encoder_, held = std::move(held), facts = machine(task), loss,
                milliseconds = std::move(milliseconds)](const NamedTensors& weights) {
            std::vector<const EncodedWorkload*> batch;
            for (const auto& each : held)
                batch.push_back(each.get());
            return ranking_loss(loss, encoder->batches()->score_batch(weights, batch, facts),
                                {milliseconds, {}, {}});
        };
    });
}

Result<std::vector<at::Tensor>> ExampleStore::scores_each(const NamedTensors& weights, std::size_t task,
                                                          std::span<const std::size_t> runtimes,
                                                          const std::stop_token& stop,
                                                          const ProgressSink& progress) {
    const std::string stage = "scoring " + tasks_.words.workload.many;
    const bool are_many_at_once = encoder_->batches() != nullptr;
    constexpr std::size_t batch_size = 256;
    std::vector<at::Tensor> scores;
    while (scores.size() < runtimes.size()) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped while " + tasks_.words.workload.many + " were scored");
        if (progress)
            progress({.stage = stage, .done = scores.size(), .total = runtimes.size()});
        const auto left = runtimes.subspan(scores.size());
        if (!are_many_at_once) {
            auto score = this->scores(weights, task, left.front());
            if (!score)
                return std::unexpected(std::move(score).error());
            scores.push_back(*std::move(score));
            continue;
        }
        const auto done = guarded([&]() -> Result<void> {
            std::vector<std::shared_ptr<const EncodedWorkload>> held;
            std::vector<const EncodedWorkload*> batch;
            for (const std::size_t each : left.first(std::min(batch_size, left.size()))) {
                auto input = workload(tasks_.tasks[task].runtimes[each].workload);
                if (!input)
                    return std::unexpected(std::move(input).error());
                batch.push_back(input->get());
                held.push_back(*std::move(input));
            }
            const c10::AutoGradMode no_graph(false);
            const at::Tensor all = encoder_->batches()->score_batch(weights, batch, machine(task));
            for (std::size_t at = 0; at < batch.size(); ++at) {
                const auto place = static_cast<std::int64_t>(at);
                const auto count = tasks_.tasks[task].runtimes[left[at]].configurations.size();
                scores.push_back(all.slice(0, place, place + 1).expand({static_cast<std::int64_t>(count)}));
            }
            return {};
        });
        if (!done)
            return std::unexpected(done.error());
    }
    return scores;
}

Result<Objective> ExampleStore::objective(Loss loss, std::size_t task,
                                          std::span<const ExampleChoice> choices) {
    Objective objective;
    if (encoder_->batches() != nullptr && predicts_times(loss) && !choices.empty()) {
        auto made = batch_term(loss, task, choices);
        if (!made)
            return std::unexpected(std::move(made).error());
        objective.push_back(*std::move(made));
        return objective;
    }
    for (const ExampleChoice& choice : choices) {
        auto made = term(loss, task, choice);
        if (!made)
            return std::unexpected(std::move(made).error());
        objective.push_back(*std::move(made));
    }
    return objective;
}

Result<at::Tensor> ExampleStore::scores(const NamedTensors& weights, std::size_t task, std::size_t runtimes) {
    return guarded([&]() -> Result<at::Tensor> {
        const auto all = inputs(task, runtimes);
        if (!all)
            return std::unexpected(all.error());
        const c10::AutoGradMode no_graph(false);
        return encoder_->score(weights, *all->workload, machine(task), *all->configurations);
    });
}

Result<PairNumbers> ExampleStore::pair_numbers(const NamedTensors& weights, std::size_t task,
                                               std::size_t runtimes, const std::stop_token& stop) {
    return guarded([&]() -> Result<PairNumbers> {
        const auto all = inputs(task, runtimes, stop);
        if (!all)
            return std::unexpected(all.error());
        return encoder_->gray_box()->pair_numbers(weights, *all->workload, *all->configurations);
    });
}

} // namespace sparsight
