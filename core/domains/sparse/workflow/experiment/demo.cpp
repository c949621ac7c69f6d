#include "domains/sparse/workflow/experiment/demo.h"

#include "base/memory.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/workflow/experiment/demo_learning.h"
#include "domains/sparse/workflow/experiment/demo_matrices.h"
#include "domains/sparse/workflow/import/matrix_import.h"
#include "machine/machine_json.h"
#include "workflow/machines/collection_job.h"
#include "workflow/machines/this_machine.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr Seconds default_budget{270}; ///< with the probe and the report: within five minutes
constexpr Seconds budget_without_learning{150};
constexpr double looking_share = 0.35; ///< of the budget, for what is looked at; the rest is for learning

class Demo {
public:
    Demo(Workspace& workspace, const DomainRegistry& domains, const MeasuringDomains& measuring,
         const DemoRequest& request, Observer& observer, const std::stop_token& stop)
        : workspace_(workspace)
        , domains_(domains)
        , measuring_(measuring)
        , request_(request)
        , observer_(observer)
        , stop_(stop) {}

    Result<std::optional<DemoOutcome>> run() {
        if (const auto added = add_demo_matrices(workspace_, request_.seed); !added)
            return std::unexpected(added.error());
        import_files();
        auto machine = // measured in full the first time
            this_machine(workspace_, [&] { return measure_this_machine(observer_, stop_); });
        if (!machine && machine.error().fault == Fault::Cancelled)
            return std::nullopt;
        if (!machine)
            return std::unexpected(std::move(machine).error());
        machine_ = *std::move(machine);
        keep_freed_memory();
        if (auto found = find_matrices(); !found)
            return std::unexpected(std::move(found).error());
        auto summary = measure();
        if (!summary)
            return std::unexpected(std::move(summary).error());
        for (const CollectionFailure& failure : summary->failures)
            fail_with(failure.described());
        if (!request_.is_without_learning && !stop_.stop_requested())
            learn();
        if (auto reported = report(); !reported)
            return std::unexpected(std::move(reported).error());
        const bool is_learned = outcome_.learned && outcome_.learned->complete;
        outcome_.complete = summary->complete && (request_.is_without_learning || is_learned);
        return std::optional(std::move(outcome_));
    }

private:
    void fail_with(Error error) {
        observer_.complain(error);
        outcome_.failures.push_back(std::move(error));
    }

    void import_files() {
        for (const std::string& file : request_.files) {
            observer_.progress({.stage = fmt::format("reading {}", file)});
            auto imported = import_file(workspace_, file, "", request_.measuring.threads, stop_);
            if (!imported && imported.error().fault == Fault::Cancelled)
                return;
            if (!imported)
                fail_with(std::move(imported).error());
        }
    }

    Result<void> find_matrices() {
        const auto records = list_matrices(workspace_);
        if (!records)
            return std::unexpected(records.error());
        for (const MatrixRecord& record : *records)
            if (!is_demo_training_matrix(record.name))
                looked_at_.push_back(record.name);
        return {};
    }

    /// The turn ends with it: learning takes its own.
    Result<CollectionSummary> measure() {
        CollectionRequest request = request_.measuring;
        request.setting = setting_of(request_.setting.op, request_.setting.dense);
        request.wanted = SampledConfigurations{.count = request_.schedules, .seed = request_.seed};
        request.workloads = looked_at_;
        request.budget = request_.is_without_learning
                             ? request_.budget.value_or(budget_without_learning)
                             : request_.budget.value_or(default_budget) * looking_share;
        const auto matrices = measuring_.require(sparse_domain);
        if (!matrices)
            return std::unexpected(matrices.error());
        const auto turn = measuring_turn(observer_, stop_);
        if (!turn)
            return std::unexpected(turn.error());
        return collect(workspace_, **matrices, machine_.id, request, collection_progress(observer_), stop_);
    }

    void learn() {
        const DemoLearning learning{.measuring = request_.measuring,
                                    .setting = request_.setting,
                                    .schedules = request_.schedules,
                                    .held_out = looked_at_,
                                    .budget = request_.budget.value_or(default_budget) * (1 - looking_share),
                                    .seed = request_.seed,
                                    .created_by = request_.created_by};
        auto learned = learn_in_demo(workspace_, domains_, measuring_, machine_, learning, observer_, stop_);
        if (learned)
            outcome_.learned = *std::move(learned);
        else if (learned.error().fault != Fault::Cancelled)
            fail_with(std::move(learned).error());
    }

    Result<void> report() {
        const CollectionRequest& measuring = request_.measuring;
        const ReportScope scope{looked_at_,
                                machine_.fingerprint,
                                request_.setting.op,
                                request_.setting.dense,
                                std::string(name(measuring.protocol)),
                                measuring.threads};
        const auto description = machine_from_text(machine_.description);
        auto report =
            summarise_collection(workspace_, scope, description ? *description : MachineDescription{});
        if (!report)
            return std::unexpected(std::move(report).error());
        report->created_by = request_.created_by;
        for (const Error& error : report->left_out)
            fail_with(error);
        outcome_.report = *std::move(report);
        return {};
    }

    Workspace& workspace_;
    const DomainRegistry& domains_;
    const MeasuringDomains& measuring_;
    const DemoRequest& request_;
    Observer& observer_;
    const std::stop_token& stop_;
    MachineRecord machine_;
    std::vector<std::string> looked_at_;
    DemoOutcome outcome_;
};

} // namespace

Result<std::optional<DemoOutcome>> run_demo(Workspace& workspace, const DomainRegistry& domains,
                                            const MeasuringDomains& measuring, const DemoRequest& request,
                                            Observer& observer, const std::stop_token& stop) {
    return Demo(workspace, domains, measuring, request, observer, stop).run();
}

} // namespace sparsight
