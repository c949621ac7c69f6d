#include "workflow/learning/fine_tuning/finetune_run.h"

#include "learning/fine_tuning/adapted_model.h"
#include "learning/learning_domain.h"
#include "model/checkpoints/checkpoint.h"
#include "model/networks/gray_box.h"
#include "model/tensors/torch_runtime.h"
#include "store/models.h"
#include "workflow/learning/fine_tuning/stated_doubt.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

/// On what a model is tested, and how.
struct FinetuneTest {
    const LearningDomain& domain;
    ExampleStore& examples;
    const std::vector<std::size_t>& workloads;
    Loss loss;
    int threads; ///< that count patterns
    const std::stop_token& stop;
    ProgressSink progress;
};

/// Of a model as it was. Those of earlier versions may be blended with the simulator.
Result<Metrics> metrics_before(const FinetuneTest& test, const Checkpoint& checkpoint,
                               const NamedTensors& weights) {
    if (const auto& blend = checkpoint.model.blend) {
        const auto before = test.domain.blending()->report(test.examples, weights, *blend, test.loss, 0,
                                                           test.workloads, test.threads, test.stop);
        return before ? Result<Metrics>(before->by_name()) : std::unexpected(before.error());
    }
    const auto trees = trees_of(checkpoint, test.examples.encoder());
    if (!trees)
        return std::unexpected(trees.error());
    const auto before = report_adapted(test.examples, {weights, *trees}, test.loss, 0, test.workloads,
                                       test.stop, test.progress);
    return before ? Result<Metrics>(before->by_name()) : std::unexpected(before.error());
}

/// Fills in after, and what the simulator of a gray box does alone.
Result<void> test_after(const FinetuneTest& test, const AdaptedModel& adapted, FinetuneOutcome& outcome) {
    const auto after =
        report_adapted(test.examples, adapted, test.loss, 0, test.workloads, test.stop, test.progress);
    if (!after)
        return std::unexpected(after.error());
    outcome.after = after->by_name();
    if (test.examples.encoder().gray_box() == nullptr)
        return {};
    const auto alone =
        report_simulator(test.examples, adapted.weights, test.loss, 0, test.workloads, test.stop);
    if (!alone)
        return std::unexpected(alone.error());
    outcome.simulator_alone = alone->by_name();
    return {};
}

constexpr std::string_view finetuning_kind = "finetune";
/// Metrics of the test workloads before anything was learned, as test_prefix.
constexpr std::string_view before_prefix = "before/";
/// … and of the simulator of a gray box alone.
constexpr std::string_view simulator_prefix = "simulator/";
/// Before deviation_metrics(). The window reads these, since it can't read weights.
constexpr std::string_view deviation_prefix = "deviation/";

class FinetuneRun {
public:
    FinetuneRun(Workspace& workspace, const LearningDomains& domains, const FinetuneOrder& order,
                const StoredModel& model, const FinetuneData& data, Observer& observer, std::stop_token stop)
        : workspace_(workspace)
        , domains_(domains)
        , order_(order)
        , model_(model)
        , data_(data)
        , observer_(observer)
        , stop_(std::move(stop))
        , parameters_(order.settings.json()) {
        if (order.request.rows == 0) // as of runs before rows could be asked for: they are found again
            parameters_.erase("rows");
        parameters_["name"] = order.request.name;
        parameters_["domain"] = model.domain->domain().name();
        std::vector<std::vector<std::size_t>> parts{data.tuned, data.data.split.train};
        if (!order.request.shots.empty()) { // all points of a curve are of the same tests
            parts.push_back(data.data.split.test);
            if (data.is_by_row()) // runs that counted groups of rows are others
                parameters_["shot"] = "row";
        }
        if (data.is_by_row()) // runs that were tested with some of the others are others, too
            parameters_[regret_parameter] = "all";
        parameters_["data"] = identity_of(data.data.set, parts, model.encoder()->reads_machine());
        parameters_["model_ids"] = data.model_ids;
    }

    [[nodiscard]] Result<FinetuneOutcome> run() {
        auto claimed =
            claim_run(workspace_, {finetuning_kind, order_.request.name, parameters_, order_.redo});
        if (!claimed)
            return unfinished(RunEnd::Refused, std::move(claimed).error());
        if (const auto* done = std::get_if<FinishedRun>(&*claimed))
            return tell_done_before(*done);
        const auto& claim = std::get<ClaimedRun>(*claimed);
        replaces_ = claim.replaces;
        replaced_ = claim.model;
        goes_on_ = claim.resumes;
        auto outcome = finetune(claim.id);
        return outcome ? outcome : failed(claim.id, outcome.error());
    }

    [[nodiscard]] static FinetuneOutcome unfinished(RunEnd end, Error reason, std::int64_t run = 0) {
        FinetuneOutcome outcome;
        outcome.end = end;
        outcome.reason = std::move(reason);
        outcome.run = run;
        return outcome;
    }

private:
    void tell_start(RunId run, const FineTuningOptions& options, const Json& resumed_at) {
        const TrainingData& data = data_.data;
        observer_.start({{"run", static_cast<std::int64_t>(run)},
                         {"name", order_.request.name},
                         {"parent", order_.request.model},
                         {"method", name(options.rule)},
                         {"architecture", model_.checkpoint.model.architecture.name},
                         {"epochs", options.epochs},
                         {"steps_per_epoch", data_.tuned.size()},
                         {"machines", machine_names(data.set)},
                         {model_.domain->domain().words().workload.many,
                          {{"train", whole_workloads(data.set, data_.tuned).names.size()},
                           {"validation", 0},
                           {"test", whole_workloads(data.set, data_.tested()).names.size()}}},
                         {"notes", data.notes},
                         {"replaces", replaces_.empty() ? Json() : Json(replaces_)},
                         {"resumed_at", resumed_at},
                         {"parameters", parameters_}});
        if (!replaces_.empty())
            observer_.note(replaces_);
        for (const std::string& note : data.notes)
            observer_.note(note);
    }

    [[nodiscard]] Result<FinetuneOutcome> finetune(RunId run) {
        const TrainingData& data = data_.data;
        const auto options = finetuning_options(workspace_, order_.request, model_);
        if (!options)
            return std::unexpected(options.error());
        auto resumed_at = points_before(run);
        if (!resumed_at)
            return std::unexpected(std::move(resumed_at).error());
        tell_start(run, *options, *resumed_at);
        TrainingJournal journal(workspace_, run);
        const Stopwatch watch;
        const at::Device device(order_.request.device);
        ExampleStore examples(data.set, model_.encoder(), order_.request.threads, default_kept_coordinates,
                              device);
        const MetaParameters parameters = parameters_of(model_.checkpoint, device);
        const FinetuneTest test{*model_.domain,         examples, data_.tested(),  options->loss,
                                order_.request.threads, stop_,    observer_.sink()};
        auto before = metrics_before(test, model_.checkpoint, parameters.weights);
        if (!before)
            return std::unexpected(std::move(before).error());
        const auto epochs = static_cast<std::uint64_t>(options->epochs);
        const auto tell_epoch = [&](int epoch, double loss) {
            journal.add("epoch/training_loss", epoch + 1, loss);
            observer_.event("epoch", {{"epoch", epoch + 1}, {"training_loss", loss}});
            const std::string stage = fmt::format("epoch {}, loss {:.4g}", epoch + 1, loss);
            observer_.show({.stage = stage, .done = static_cast<std::uint64_t>(epoch) + 1, .total = epochs});
        };
        const auto adapted =
            adapt(examples, 0, data_.tuned, *options, parameters, tell_epoch, stop_, observer_.sink());
        if (!adapted)
            return std::unexpected(adapted.error());
        FinetuneOutcome outcome;
        outcome.run = static_cast<std::int64_t>(run);
        outcome.model = order_.request.name;
        outcome.machine = machine_name();
        outcome.words = model_.domain->domain().words();
        outcome.shot = data_.shot();
        tell_workloads(outcome);
        outcome.before = *std::move(before);
        if (data_.is_by_row())
            outcome.remarks.push_back(rows_sentence(data_));
        if (auto elsewhere = blend_scope_remark(model_.record, outcome.machine,
                                                model_.domain->domain().members(data_.data.set.setting)))
            outcome.remarks.push_back("before: " + *std::move(elsewhere));
        if (model_.checkpoint.model.blend)
            outcome.remarks.push_back(
                fmt::format("{} blends its network with the simulator; the network alone is adapted",
                            model_.record.name));
        if (auto tested = test_after(test, *adapted, outcome); !tested)
            return std::unexpected(std::move(tested).error());
        if (auto checked = state_doubt(examples, *adapted, *options, outcome); !checked)
            return std::unexpected(std::move(checked).error());
        if (auto loss = loss_remark(outcome))
            outcome.remarks.push_back(*std::move(loss));
        auto shots = run_shots(workspace_, domains_, order_.request, model_, *options, data_, examples,
                               journal, observer_, stop_);
        if (!shots)
            return std::unexpected(std::move(shots).error());
        outcome.shots = *std::move(shots);
        outcome.seconds = watch.seconds();
        const auto checkpoint = checkpoint_of(*adapted, *options, outcome);
        if (!checkpoint)
            return std::unexpected(checkpoint.error());
        if (auto kept = keep(journal, *checkpoint, outcome); !kept)
            return std::unexpected(std::move(kept).error());
        return outcome;
    }

    /// Other rules leave the doubt of the head as it was of another machine.
    [[nodiscard]] Result<void> state_doubt(ExampleStore& examples, const AdaptedModel& adapted,
                                           const FineTuningOptions& options, FinetuneOutcome& outcome) const {
        if (!is_gray_box() || options.rule != FineTuningRule::ClosedForm || data_.tuned.empty())
            return {};
        auto checked = checked_doubt(examples, {data_.tuned, data_.validated, data_.tested()}, adapted,
                                     order_.request.seed, stop_);
        if (!checked)
            return std::unexpected(std::move(checked).error());
        outcome.doubt = checked->doubt;
        outcome.reliability = std::move(checked->reliability);
        if (auto remark = doubt_remark(outcome))
            outcome.remarks.push_back(*std::move(remark));
        return {};
    }

    /// Of a run that goes on: it is adapted once more, which is quick, and computes no point of the curve
    /// twice. Null of a new one.
    [[nodiscard]] Result<Json> points_before(RunId run) {
        if (!goes_on_)
            return Json();
        const auto metrics = stored_metrics(workspace_, run);
        if (!metrics)
            return std::unexpected(metrics.error());
        return Json{{"epoch", 1}, {"step", 0}, {"points", stored_shots(*metrics).size()}};
    }

    [[nodiscard]] bool is_gray_box() const { return model_.encoder()->gray_box() != nullptr; }

    void tell_workloads(FinetuneOutcome& outcome) const {
        if (data_.is_by_row() || !order_.request.workloads.empty())
            return;
        outcome.asked = order_.request.workload_count;
        outcome.used = data_.tuned.size();
    }

    /// Of the setting, where it has one.
    [[nodiscard]] std::string machine_name() const { return data_.data.set.tasks.front().machine; }

    [[nodiscard]] Result<Checkpoint> checkpoint_of(const AdaptedModel& adapted,
                                                   const FineTuningOptions& options,
                                                   const FinetuneOutcome& outcome) const {
        WholeWorkloads learned = whole_workloads(data_.data.set, data_.tuned);
        Checkpoint checkpoint;
        checkpoint.model.architecture = model_.checkpoint.model.architecture;
        checkpoint.model.training = {
            .method = "fine-tuned",
            .machines = machine_names(data_.data.set),
            .workloads = std::move(learned.names),
            .seed = order_.request.seed,
            .metrics = outcome.after,
            .parent = model_.record.name,
            .settings = settings_in_effect(order_.settings, options),
            .remarks = outcome.remarks,
            .groups = learned.groups,
            .computed_with = computing_environment(order_.request.threads, 1, order_.request.device)};
        if (data_.is_by_row())
            checkpoint.model.training.rows = count_rows(data_.data.set.tasks.front(), data_.tuned);
        checkpoint.model.doubt = outcome.doubt;
        checkpoint.weights = to_arrays(adapted.weights);
        if (adapted.trees == nullptr)
            return checkpoint;
        auto trees = adapted.trees->save();
        if (!trees)
            return std::unexpected(std::move(trees).error());
        checkpoint.trees = *std::move(trees);
        return checkpoint;
    }

    [[nodiscard]] Result<void> keep(TrainingJournal& journal, const Checkpoint& checkpoint,
                                    const FinetuneOutcome& outcome) {
        for (const auto& [name, value] : outcome.before)
            journal.add(std::string(before_prefix) + name, 0, value);
        const Metrics deviations = deviation_metrics(checkpoint.weights);
        for (const auto& [prefix, metrics] :
             {std::pair(test_prefix, &outcome.after), std::pair(simulator_prefix, &outcome.simulator_alone),
              std::pair(deviation_prefix, &deviations)})
            for (const auto& [name, value] : *metrics)
                journal.add(std::string(prefix) + name, 0, value);
        if (outcome.reliability)
            for (const auto& [name, places] : to_numbers(*outcome.reliability))
                for (const auto& [place, value] : places)
                    journal.add(std::string(reliability_prefix) + name, place, value);
        journal.add(test_workloads_metric, 0,
                    static_cast<double>(whole_workloads(data_.data.set, data_.tested()).names.size()));
        journal.add(seconds_metric, 0, outcome.seconds);
        return store_trained_model(workspace_, journal,
                                   {order_.request.name, model_.record.id, replaced_, checkpoint, {}});
    }

    [[nodiscard]] Result<FinetuneOutcome> failed(RunId run, const Error& error) {
        const bool is_stopped = error.fault == Fault::Cancelled;
        // An error here would only hide the first one.
        [[maybe_unused]] const auto ended =
            end_run(workspace_, run, is_stopped ? RunState::Stopped : RunState::Failed,
                    is_stopped ? std::string() : error.text());
        if (!is_stopped)
            return std::unexpected(error);
        return unfinished(RunEnd::Stopped, error, static_cast<std::int64_t>(run));
    }

    [[nodiscard]] Result<FinetuneOutcome> tell_done_before(const FinishedRun& done) {
        const ModelRecord& model = done.model;
        const auto options = finetuning_options(workspace_, order_.request, model_);
        if (!options)
            return std::unexpected(options.error());
        const auto description = parse_model_description(model.description, domains_);
        if (!description)
            return std::unexpected(description.error());
        tell_start(*model.run, *options, {});
        observer_.remark(
            fmt::format("{} was fine-tuned with these settings before; --again does it anew", model.name));
        const auto metrics = stored_metrics(workspace_, *model.run);
        if (!metrics)
            return std::unexpected(metrics.error());
        FinetuneOutcome outcome;
        outcome.end = RunEnd::DoneBefore;
        outcome.run = static_cast<std::int64_t>(*model.run);
        outcome.model = model.name;
        outcome.machine = machine_name();
        outcome.words = model_.domain->domain().words();
        tell_workloads(outcome);
        outcome.remarks = description->training.remarks;
        for (const auto& [name, points] : *metrics) {
            for (const auto& [prefix, into] :
                 {std::pair(before_prefix, &outcome.before), std::pair(test_prefix, &outcome.after),
                  std::pair(simulator_prefix, &outcome.simulator_alone)})
                if (name.starts_with(prefix))
                    (*into)[name.substr(prefix.size())] = points.back().value;
            if (name == seconds_metric)
                outcome.seconds = points.back().value;
        }
        if (metrics->contains("network/ordered_pair_accuracy")) // of a blend, which has no correction
            outcome.simulator_alone.clear();
        outcome.shots = stored_shots(*metrics);
        outcome.shot = data_.shot();
        outcome.doubt = description->doubt;
        outcome.reliability = stored_reliability(*metrics);
        return outcome;
    }

    Workspace& workspace_;
    const LearningDomains& domains_;
    const FinetuneOrder& order_;
    const StoredModel& model_;
    const FinetuneData& data_;
    Observer& observer_;
    std::stop_token stop_;
    Json parameters_;
    std::string replaces_;
    std::optional<ModelRecord> replaced_;
    bool goes_on_ = false; ///< an earlier run of the same, which was left
};

} // namespace

namespace {

/// A model of workloads with a single configuration has learned their times, for they have no order: that is
/// what it learns of the new machine, unless the user says otherwise.
void learn_times_as_before(FinetuneOrder& order, const StoredModel& model) {
    const auto& settings = model.checkpoint.model.training.settings;
    const auto before = settings.find("loss");
    if (model.encoder()->batches() == nullptr || before == settings.end() || order.settings.is_given("loss"))
        return;
    if (const auto loss = parse_loss(before->second); loss && predicts_times(*loss)) {
        order.settings.take_defaults({{"loss", before->second}});
        order.request.loss = *loss;
    }
}

} // namespace

Result<FinetuneOutcome> run_finetuning(Workspace& workspace, const LearningDomains& domains,
                                       const FinetuneOrder& asked, Observer& observer,
                                       const std::stop_token& stop) {
    const auto model = load_model(workspace, domains, asked.request.model);
    if (!model)
        return std::unexpected(model.error());
    if (!is_network(model->checkpoint.model))
        return fail(Fault::Input,
                    fmt::format("{} is of trees, which can't be fine-tuned", asked.request.model));
    FinetuneOrder order = asked;
    if (auto kept = order.settings.keep_domain(model->domain->domain()); !kept)
        return FinetuneRun::unfinished(RunEnd::Refused, std::move(kept).error());
    learn_times_as_before(order, *model);
    const auto setting = read_model_setting(order.settings, *model);
    if (!setting)
        return FinetuneRun::unfinished(RunEnd::Refused, setting.error());
    const auto runtime = prepare_torch(order.request.threads);
    if (!runtime)
        return std::unexpected(runtime.error());
    auto data = finetune_data(workspace, order.request, *setting, *model, stop,
                              [&](const Progress& state) { observer.show(state); });
    if (!data)
        return std::unexpected(std::move(data).error());
    const auto options = finetuning_options(workspace, order.request, *model);
    if (!options)
        return std::unexpected(options.error());
    std::ranges::move(settings_without_effect(order.settings, order.request, *data, *options, *model),
                      std::back_inserter(data->data.notes));
    if (!runtime->warning.empty())
        data->data.notes.push_back(runtime->warning);
    if (auto note = shots_note(order.request.shots, *data); !note.empty())
        data->data.notes.push_back(std::move(note));
    return FinetuneRun(workspace, domains, order, *model, *data, observer, stop).run();
}

} // namespace sparsight
