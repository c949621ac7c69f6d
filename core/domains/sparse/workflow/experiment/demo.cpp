#include "domains/sparse/workflow/experiment/demo.h"

#include "base/memory.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/workflow/experiment/demo_matrices.h"
#include "domains/sparse/workflow/import/matrix_import.h"
#include "machine/machine_description.h"
#include "store/machines.h"
#include "workflow/machines/collection_job.h"
#include "workflow/machines/measuring_turn.h"
#include "workflow/machines/named_machines.h"
#include "workflow/process/learn_process.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

namespace sparsight {
namespace {

struct DemoLearning {
    CollectionRequest measuring; ///< threads, protocol
    SparseSetting setting{};
    int schedules = 100; ///< measured on each matrix to learn from
    /// To be asked what a model chooses for: never trained on, whatever was measured on them.
    std::vector<std::string> held_out;
    Seconds budget{180}; ///< for all of it
    std::uint64_t seed = 1;
    std::string created_by{}; ///< the program and its version
};

constexpr const char* split_name = "demo";
constexpr const char* meta_model = "demo-meta";
constexpr const char* tuned_model = "demo-tuned";
constexpr const char* gray_box = "demo-gray";
constexpr const char* tuned_gray_box = "demo-gray-tuned";
constexpr int fine_tuning_matrices = 10;

/// On imagined machines alone: what fine-tuning adds is then learned from this computer for the first time,
/// as on any new machine.
constexpr std::array meta_training{"--preset",     "demo",    "--method",   "fomaml",        "--epochs",
                                   "100",          "--rate",  "0.002",      "--inner-steps", "3",
                                   "--inner-rate", "0.02",    "--machines", "none",          "--simulated",
                                   "family:3",     "--split", split_name,   "--no-baseline", "--keep"};
constexpr std::array gray_box_training{"--preset", "gray-box", "--machines",    "none",
                                       "--split",  split_name, "--no-baseline", "--keep"};

constexpr double measuring_share = 0.3; ///< of the budget
constexpr double answering_share = 0.18;
// When each model has to be done, as a share of the budget: one has what those before it left over.
constexpr double meta_model_by = 0.44;
constexpr double tuned_model_by = 0.54;
constexpr double gray_box_by = 0.68;
constexpr double tuned_gray_box_by = 1 - answering_share;
// … but never less than these shares. A training that is stopped keeps its best weights; a fine-tuning has
// nothing before its end, so a slow computer exceeds the budget instead.
constexpr double least_training_share = 0.1;
constexpr double least_tuning_share = 0.6;

class Learning {
public:
    Learning(Workspace& workspace, const DomainRegistry& domains, const MeasuringDomains& measuring,
             const MachineRecord& machine, const DemoLearning& learning, Observer& observer,
             const std::stop_token& stop)
        : workspace_(workspace)
        , domains_(domains)
        , measuring_(measuring)
        , machine_(machine)
        , learning_(learning)
        , observer_(observer)
        , stop_(stop) {}

    Result<EvaluationOutcome> run() {
        // Said before minutes are spent on measuring.
        if (const auto learner = find_learner(); !learner)
            return std::unexpected(learner.error());
        auto lessons = add_demo_training_matrices(workspace_, learning_.seed);
        if (!lessons)
            return std::unexpected(lessons.error());
        lessons_ = std::move(*lessons);
        lessons_.test.insert(lessons_.test.end(), learning_.held_out.begin(), learning_.held_out.end());
        if (auto kept = save_demo_split(workspace_, lessons_, split_name); !kept)
            return std::unexpected(kept.error());
        for (const auto step : {&Learning::measure, &Learning::learn})
            if (auto done = (this->*step)(); !done)
                return std::unexpected(done.error());
        return evaluate();
    }

private:
    /// WACO's schedules, and others around the fastest of them: a model has to tell good ones apart, too.
    Result<void> measure() {
        const auto matrices = measuring_.require(sparse_domain);
        if (!matrices)
            return std::unexpected(matrices.error());
        const auto turn = measuring_turn(observer_, stop_, learning_.budget * measuring_share);
        if (!turn)
            return std::unexpected(turn.error());
        CollectionRequest request = learning_.measuring;
        request.setting = setting_of(learning_.setting.op, learning_.setting.dense);
        request.workloads = lessons_.train;
        request.workloads.insert(request.workloads.end(), lessons_.validation.begin(),
                                 lessons_.validation.end());
        const int drawn = (learning_.schedules + 1) / 2;
        for (const WantedConfigurations& wanted :
             {WantedConfigurations(SampledConfigurations{.count = drawn, .seed = learning_.seed}),
              WantedConfigurations(
                  SearchedConfigurations{.count = learning_.schedules, .seed = learning_.seed})}) {
            request.wanted = wanted;
            request.budget = *turn->budget / 2;
            const auto summary =
                collect(workspace_, **matrices, machine_.id, request, collection_progress(observer_), stop_);
            if (!summary)
                return std::unexpected(summary.error());
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped");
        }
        return {};
    }

    [[nodiscard]] std::vector<std::string> with_dense(std::vector<std::string> arguments) const {
        if (learning_.setting.op != Operator::SpMV)
            arguments.insert(arguments.end(), {"--dense", fmt::format("{}", learning_.setting.dense)});
        return arguments;
    }

    /// Out of time, it is asked to end with the best that it has.
    Result<void> make(const char* model, std::vector<std::string> arguments, double by, double least_share) {
        const TimedStop out_of_time(stop_, std::max(learning_.budget * least_share,
                                                    learning_.budget * by - Seconds(watch_.seconds())));
        const auto done = make_model({.workspace = workspace_.path().string(), .seed = learning_.seed}, model,
                                     std::move(arguments), observer_, out_of_time.token());
        if (stop_.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        if (!done && done.error().fault == Fault::Cancelled)
            return fail(Fault::Limit, fmt::format("the time for {} was over before it was trained", model));
        return done;
    }

    Result<void> train(const char* model, std::span<const char* const> settings, double by) {
        std::vector<std::string> words{"train", "--operator", std::string(name(learning_.setting.op))};
        words.insert(words.end(), settings.begin(), settings.end());
        return make(model, with_dense(std::move(words)), by, least_training_share);
    }

    Result<void> tune(const char* model, const char* tuned, const char* rivals, double by) {
        return make(tuned,
                    with_dense({"finetune", "--model", model, "--machine", machine_.fingerprint, "--matrices",
                                fmt::format("{}", fine_tuning_matrices), "--split", split_name, "--shots",
                                "1,2,5,10", "--seeds", "3", "--against", rivals}),
                    by, least_tuning_share);
    }

    Result<void> learn() {
        if (auto done = train(meta_model, meta_training, meta_model_by); !done)
            return done;
        if (auto done = tune(meta_model, tuned_model, "scratch", tuned_model_by); !done)
            return done;
        if (auto done = train(gray_box, gray_box_training, gray_box_by); !done)
            return done;
        return tune(gray_box, tuned_gray_box, "simulator,scratch", tuned_gray_box_by);
    }

    Result<EvaluationOutcome> evaluate() {
        EvaluationRequest request;
        request.models = {tuned_gray_box, tuned_model, meta_model}; // each compared with the first
        request.workloads = lessons_.test;
        request.setting = {.domain = std::string(sparse_domain), .text = {}};
        request.setting.options["dense"] = fmt::to_string(learning_.setting.dense);
        request.measuring = learning_.measuring;
        // The turns of an evaluation need most, so it has what the others left over.
        request.measuring.budget =
            std::max(learning_.budget * answering_share, learning_.budget - Seconds(watch_.seconds()));
        request.seed = learning_.seed;
        request.created_by = learning_.created_by;
        auto outcome = run_evaluation(workspace_, domains_, measuring_, request, observer_, stop_);
        if (outcome && !outcome->trained.empty())
            return fail(
                Fault::Input,
                fmt::format("the models have learned from evaluated matrices ({}, such as {}): remove "
                            "them (`sparsight-cli models remove`) and run again",
                            outcome->trained.size(), outcome->trained.front()));
        return outcome;
    }

    Workspace& workspace_;
    const DomainRegistry& domains_;
    const MeasuringDomains& measuring_;
    const MachineRecord& machine_;
    const DemoLearning& learning_;
    Observer& observer_;
    const Stopwatch watch_{}; ///< of the whole budget
    const std::stop_token& stop_;
    DemoSplit lessons_;
};

/// Errors: sparsight-learn is missing or fails; those of the workspace; Fault::Cancelled.
Result<EvaluationOutcome> learn_in_demo(Workspace& workspace, const DomainRegistry& domains,
                                        const MeasuringDomains& measuring, const MachineRecord& machine,
                                        const DemoLearning& learning, Observer& observer,
                                        const std::stop_token& stop) {
    return Learning(workspace, domains, measuring, machine, learning, observer, stop).run();
}

constexpr double looking_share = 0.3; ///< of the budget, for what is looked at; the rest is for learning

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
        request.budget = request_.is_without_learning ? request_.budget.value_or(demo_budget_without_learning)
                                                      : request_.budget.value_or(demo_budget) * looking_share;
        const auto matrices = measuring_.require(sparse_domain);
        if (!matrices)
            return std::unexpected(matrices.error());
        const auto turn = measuring_turn(observer_, stop_, request.budget);
        if (!turn)
            return std::unexpected(turn.error());
        request.budget = turn->budget;
        return collect(workspace_, **matrices, machine_.id, request, collection_progress(observer_), stop_);
    }

    void learn() {
        const DemoLearning learning{.measuring = request_.measuring,
                                    .setting = request_.setting,
                                    .schedules = request_.schedules,
                                    .held_out = looked_at_,
                                    .budget = request_.budget.value_or(demo_budget) * (1 - looking_share),
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
