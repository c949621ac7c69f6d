#include "workflow/learning/search/search_job.h"

#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/storage/pattern_storage.h"
#include "domains/sparse/storage/schedules.h"
#include "model/tensors/torch_runtime.h"
#include "search/graph_walk.h"
#include "store/blend_scope.h"
#include "workflow/learning/search/model_search.h"
#include "workflow/learning/search/schedule_pool.h"
#include "workflow/learning/training/derived_workloads.h"
#include "workflow/learning/training/model_storage.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

Result<std::vector<MatrixRecord>> matrices_of(Workspace& workspace, const SearchRequest& options) {
    std::vector<MatrixRecord> records;
    for (const std::string& name : options.matrices) {
        auto record = find_matrix(workspace, name);
        if (!record)
            return std::unexpected(std::move(record).error());
        if (!*record)
            return fail(Fault::Input, fmt::format("the workspace has no matrix '{}'", name));
        records.push_back(**std::move(record));
    }
    return records;
}

/// One search, from when all that it needs is known to be there.
class SearchJob {
public:
    SearchJob(Workspace& workspace, const LearningDomains& domains, const SearchRequest& options,
              Observer& observer, std::stop_token stop)
        : workspace_(workspace)
        , domains_(domains)
        , options_(options)
        , observer_(observer)
        , stop_(std::move(stop)) {}

    [[nodiscard]] Result<SearchOutcome> run(const std::function<void(const SearchedMatrix&)>& on_choice) {
        const auto model = load_model(workspace_, domains_, options_.model);
        if (!model)
            return std::unexpected(model.error());
        op_ = model_operator(model->checkpoint.model);
        const auto matrices = matrices_of(workspace_, options_);
        if (!matrices)
            return std::unexpected(matrices.error());
        auto machine = search_target(workspace_, options_.machine, op_, options_.dense);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        machine_ = *std::move(machine);
        if (auto checked = check_description(*model); !checked)
            return std::unexpected(std::move(checked).error());
        if (const auto elsewhere =
                blend_scope_remark(model->record, machine_.name, dense_index(op_) ? options_.dense : 1))
            observer_.remark(*elsewhere);
        ChoiceSettings settings = options_.choice;
        choose_method(settings, matrices->size());
        settings.seed = options_.seed;
        settings.schedule_threads = machine_.threads;
        if (settings.method == ChoiceMethod::Recorded && !machine_.recorded)
            return fail(Fault::Input,
                        "--method recorded needs a --machine that has runtimes of this operator "
                        "and dense extent");
        if (settings.method == ChoiceMethod::Recorded) // recorded runtimes are of so many threads
            settings.schedule_threads = machine_.recorded->threads;
        observer_.start(
            {{"model", options_.model}, {"matrices", matrices->size()}, {"method", name(settings.method)}});
        auto prepared = prepare(*model, settings);
        if (!prepared)
            return std::unexpected(std::move(prepared).error());
        SearchOutcome outcome{options_.model, op_, dense_index(op_) ? options_.dense : 1, {}, {}};
        for (const MatrixRecord& matrix : *matrices) {
            auto chosen = choose(*model, matrix, settings);
            if (chosen) {
                outcome.matrices.push_back({matrix.name, *std::move(chosen)});
                on_choice(outcome.matrices.back());
            } else if (chosen.error().fault == Fault::Cancelled) {
                return std::unexpected(std::move(chosen).error());
            } else {
                tell_failure(matrix, chosen.error());
                outcome.failures.push_back({matrix.name, chosen.error().text()});
            }
        }
        return outcome;
    }

private:
    /// What is asked for; else what suits the machine, and of the pool the sooner way. A map is to show a
    /// walk.
    void choose_method(ChoiceSettings& settings, std::size_t matrices) const {
        if (options_.method) {
            settings.method = *options_.method;
        } else if (machine_.is_recorded && machine_.recorded) {
            settings.method = ChoiceMethod::Recorded;
        } else {
            // The largest pool that there may be is where a walk gains most.
            const bool walks =
                settings.mapped || is_graph_search_faster({.schedules = PoolRequest{}.largest,
                                                           .width = static_cast<std::size_t>(settings.width),
                                                           .queries = matrices});
            settings.method = walks ? ChoiceMethod::Index : ChoiceMethod::Exhaustive;
            settings.instead_of_walk = !walks;
        }
    }

    [[nodiscard]] Extents extents_of(const MatrixRecord& matrix) const {
        return extents(op_, matrix.rows, matrix.cols, options_.dense);
    }

    /// A network that was trained with descriptions of machines would take a missing one for a strange one.
    [[nodiscard]] Result<void> check_description(const StoredModel& model) const {
        if (!is_network(model.checkpoint.model) || !model.encoder()->reads_machine() || machine_.description)
            return {};
        return fail(Fault::Input,
                    fmt::format("the model {} reads the description of a machine, and the workspace has "
                                "none of this computer: expected --machine",
                                options_.model));
    }

    void tell_failure(const MatrixRecord& matrix, const Error& error) {
        observer_.complain(
            {error.fault, fmt::format("{}: {}", matrix.name, error.message), error.file, error.line});
        observer_.event("failure", {{"matrix", matrix.name}, {"error", error.text()}});
    }

    /// What is the same for all matrices.
    [[nodiscard]] Result<void> prepare(const StoredModel& model, const ChoiceSettings& settings) {
        if (settings.method == ChoiceMethod::Recorded)
            return {};
        auto pools = SchedulePools::read(workspace_, {.op = op_,
                                                      .dense = options_.dense,
                                                      .threads = machine_.threads,
                                                      .machine = machine_.id,
                                                      .seed = options_.seed});
        if (!pools)
            return std::unexpected(std::move(pools).error());
        auto siblings = DerivedWorkloads::read(workspace_, *model.domain, settings.threads);
        if (!siblings)
            return std::unexpected(std::move(siblings).error());
        pools_ = *std::move(pools);
        siblings_ = *std::move(siblings);
        return {};
    }

    [[nodiscard]] std::vector<SuperSchedule> pool_for(const MatrixRecord& matrix) const {
        return pools_ ? pools_->pool_for(extents_of(matrix), siblings_->ids_with_derived(matrix.name))
                      : std::vector<SuperSchedule>{};
    }

    /// An index takes a while: matrices of one pool share it.
    [[nodiscard]] Result<const ModelSearch*>
    search_over(const StoredModel& model, std::vector<SuperSchedule> pool, const ChoiceSettings& settings) {
        const auto known = std::ranges::find(searches_, pool, &PreparedSearch::pool);
        if (known != searches_.end())
            return known->search.get();
        auto search = ModelSearch::prepare(model.checkpoint, domains_, options_.model, pool, settings, stop_,
                                           observer_.sink());
        if (!search)
            return std::unexpected(std::move(search).error());
        if (searches_.empty() && search->settings().method != settings.method)
            observer_.remark("trees have no index: all schedules of the pool are scored");
        // The first one is kept: most matrices that were never measured share it.
        if (searches_.size() > 1)
            searches_.pop_back();
        searches_.push_back({std::move(pool), std::make_unique<ModelSearch>(*std::move(search))});
        return searches_.back().search.get();
    }

    [[nodiscard]] Result<MatrixChoice> choose(const StoredModel& model, const MatrixRecord& matrix,
                                              const ChoiceSettings& settings) {
        if (stop_.stop_requested())
            return fail(Fault::Cancelled, "stopped between two matrices");
        const auto pattern = load_pattern(workspace_, matrix.id);
        if (!pattern)
            return std::unexpected(pattern.error());
        const auto search = search_over(model, pool_for(matrix), settings);
        if (!search)
            return std::unexpected(search.error());
        std::vector<SuperSchedule> recorded;
        if (machine_.recorded)
            if (const auto found = machine_.recorded->schedules.find(matrix.id);
                found != machine_.recorded->schedules.end())
                recorded = found->second;
        auto choice = (*search)->choose(*pattern, extents_of(matrix),
                                        machine_.description ? &*machine_.description : nullptr, recorded,
                                        stop_, observer_.sink());
        if (!choice)
            return choice;
        if (auto stored = store(model.record.id, matrix.id, *choice); !stored)
            return std::unexpected(std::move(stored).error());
        return choice;
    }

    [[nodiscard]] Result<void> store(ModelId model, WorkloadId matrix, const MatrixChoice& choice) {
        if (!options_.run)
            return {};
        std::vector<ChosenSchedule> chosen;
        chosen.reserve(choice.candidates.size());
        for (const ScoredSchedule& each : choice.candidates)
            chosen.push_back({each.schedule, each.score});
        return record_choices(workspace_, static_cast<RunId>(*options_.run), model, matrix, chosen);
    }

    Workspace& workspace_;
    const LearningDomains& domains_;
    const SearchRequest& options_;
    Observer& observer_;
    std::stop_token stop_;
    Operator op_ = Operator::SpMM;
    SearchTarget machine_;
    std::optional<SchedulePools> pools_;
    std::optional<DerivedWorkloads> siblings_;
    struct PreparedSearch {
        std::vector<SuperSchedule> pool;
        std::unique_ptr<ModelSearch> search;
    };
    std::vector<PreparedSearch> searches_;
};

} // namespace

Result<SearchOutcome> run_search(Workspace& workspace, const LearningDomains& domains,
                                 const SearchRequest& request, Observer& observer,
                                 const std::function<void(const SearchedMatrix&)>& on_choice,
                                 const std::stop_token& stop) {
    if (const TorchRuntime runtime = prepare_torch(request.choice.threads); !runtime.warning.empty())
        observer.remark(runtime.warning);
    return SearchJob(workspace, domains, request, observer, stop).run(on_choice);
}

} // namespace sparsight
