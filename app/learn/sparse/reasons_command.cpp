#include "command/options.h"
#include "domains/sparse/explanation/reasons/model_reasons.h"
#include "domains/sparse/explanation/reasons/model_reasons_json.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/workflow/learning/reasons/reasons_search.h"
#include "evaluation/model_reasons/misleading_part.h"
#include "learn/sparse/sparse_commands.h"
#include "model/networks/gray_box.h"
#include "store/models.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/reasons/time_prediction.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace sparsight {
namespace {

constexpr PartHelp reasons_help{.description = R"(

The configurations of matrices are schedules: best, csr (fixed CSR, the default of
--against) or a text. --machine may be a preset. Variants also change the pattern, and
the machine if the model reads it. The answer has these further parts, each with a
share of --budget; --only selects some:
  sensitivity  one thing varied at a time: each decision, the pattern, parts of the
               machine and, of models that read statistics, each statistic; beside it
               measured or simulated times, and where both part
  nearest      what it learned from that is most alike, with runtimes, and whether
               the matrix is farther off than those are from each other
  uncertainty  how sure it may be of its choice, and how often it was right when it
               was as sure as that, by known times
  saliency     which cells of the pattern move its choice: each is taken away in turn
Of a gray box that prefers the slower schedule it says which part misled it: its
simulator, or the correction that it learned (see `failures`).)",
                                .examples = R"(
sparsight-cli reasons --model first --matrix cage8 --schedule best
sparsight-cli reasons --model first --matrix cage8 --schedule '1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 64 4096' --only anchors
sparsight-cli reasons --model first --matrix cage8 --schedule best --against csr --json)",
                                .json = R"(
Of matrices:
{"model", "architecture", "operator", "dense", "matrix", "machine", "seed",
 "reads_machine", "schedule", "against", "schedule_score", "against_score",
 "times": TIMES, "margin", "right",
 "anchors": the same, and {"pattern_draws", "patterns", "machines"},
 "sensitivity": {"curves": [{"kind", "key", "title", "unit", "read", "points":
   [{"value", "number", "present", "margin", "times": TIMES, "schedule"}],
   "kendall_tau", "widest": {"better", "worse", "factor"}, "with_times",
   "wrong_sides", "swing"}], "complete"},
 "nearest": {"space", "trained", "missing", "is_trained", "matrix_distances":
   DISTANCES, "matrices": [{"matrix", "distance", "margin", "schedule_ms",
   "against_ms", "simulated_schedule_ms", "simulated_against_ms", "best_ms",
   "best_schedule"}], "schedules", "schedule_distances", "against_distances",
   "schedule": [{"schedule", "distance", "matrices",
   "median_speedup"}], "against": the same, "machine", "simulated_on"},
 "uncertainty": {"method", "margin", "deviation", "confidence", "scale",
   "fitted_pairs", "fitted_matrices", "held_out", "checked_pairs",
   "checked_matrices", "calibration_error", "bins": [{"lowest", "highest",
   "predicted", "observed": SHARE}], "machine"},
 "saliency": {"row_edges", "column_edges", "margin", "removed_share", "cells":
   [{"row", "column", "entries", "support"}], "complete"},
 "missing": [{"part", "why"}]}
TIMES: {"schedule_ms", "against_ms", "origin": measured or simulated, "log2_gain"}
DISTANCES: {"nearest", "typical", "far", "outside"}
better and worse are places in points. The event start has "matrix". A gray box that
prefers the slower schedule has "misled", as `failures` prints it.)"};

class SparseReasons final : public DomainPart<AskedReasons> {
public:
    [[nodiscard]] std::string_view domain() const override { return sparse_domain; }

    [[nodiscard]] PartHelp help() const override { return reasons_help; }
    void add_options(CLI::App& command) override {
        command
            .add_option_function<std::vector<std::string>>(
                "--only",
                [this](const std::vector<std::string>& words) {
                    for (const std::string& word : words) {
                        const auto part = read_reason_part(word);
                        if (!part)
                            throw CLI::ValidationError("--only", part.error().message);
                        request_.parts.push_back(*part);
                    }
                },
                "only this part; may be given several times")
            ->type_name("PART")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        command.add_option("--cells", request_.cells, "cells of the pattern in each direction (default 16)")
            ->type_name("N")
            ->check(whole_numbers(1, 64));
    }

    [[nodiscard]] ExitCode run(Session& session, AskedReasons& asked) const override {
        JobObserver& observer = *asked.observer;
        Workspace& workspace = *asked.workspace;
        const auto request = as_asked(workspace, asked);
        if (!request)
            return observer.refuse(request.error(), ExitCode::Usage);
        const auto reasons =
            find_model_reasons(workspace, *asked.domains, *request, asked.stop, observer.sink());
        observer.clear();
        if (!reasons)
            return observer.refuse(reasons.error());
        const std::array setting{SettingMember{.key = "dense", .title = {}, .value = reasons->dense}};
        if (const auto model = require_model(workspace, request->model))
            if (const auto elsewhere = blend_scope_remark(*model, reasons->machine, setting))
                session.remark(*elsewhere);
        Json json = model_reasons_json(*reasons);
        std::string text = model_reasons_text(*reasons);
        const auto misled = what_misled(asked, *reasons);
        if (!misled && misled.error().fault == Fault::Cancelled)
            return observer.refuse(misled.error());
        if (!misled) // such as by a machine that is none of the workspace
            session.remark("what misled the model is not known: " + misled.error().text());
        else if (const auto& part = *misled) {
            json["misled"] = misleading_part_json(*part);
            text += "\n" + misled_sentence(*part, reasons->model) + "\n";
        }
        observer.answer(json, text);
        return ExitCode::Done;
    }

private:
    /// Of a gray box that prefers the slower schedule, by measured times.
    [[nodiscard]] static Result<std::optional<MisleadingPart>> what_misled(const AskedReasons& asked,
                                                                           const ModelReasons& reasons) {
        const auto [schedule_ms, against_ms] = std::pair(reasons.times.schedule_ms, reasons.times.against_ms);
        if (reasons.architecture != gray_box_architecture || reasons.is_right().value_or(true) ||
            reasons.times.origin != TimeOrigin::Measured || !schedule_ms || !against_ms)
            return std::optional<MisleadingPart>();
        PredictionQuestion question{
            .query = asked.question.query,
            .pairs = {{reasons.matrix, reasons.schedule}, {reasons.matrix, reasons.against}}};
        Observer nobody;
        const auto told = predict_times(*asked.workspace, *asked.domains, question, nobody, asked.stop);
        if (!told)
            return std::unexpected(told.error());
        const auto& times = told->times.workloads.front().times;
        return reasons.margin() > 0 ? misleading_part(times[0], times[1], *schedule_ms / *against_ms)
                                    : misleading_part(times[1], times[0], *against_ms / *schedule_ms);
    }

    [[nodiscard]] Result<ReasonsRequest> as_asked(Workspace& workspace, const AskedReasons& asked) const {
        const ChoiceQuestion& question = asked.question;
        const auto model = load_model(workspace, *asked.domains, question.query.model);
        if (!model)
            return std::unexpected(model.error());
        const auto setting = setting_for(*model, question.query.setting);
        if (!setting)
            return std::unexpected(setting.error());
        ReasonsRequest request = request_;
        request.model = question.query.model;
        request.matrix = question.workload;
        request.schedule = question.configuration;
        if (!question.against.empty())
            request.against = question.against;
        request.machine = question.query.machine;
        request.dense = sparse_setting(*setting).dense;
        request.budget = question.budget;
        request.seed = question.seed;
        request.threads = question.query.threads;
        return request;
    }

    ReasonsRequest request_; ///< the parts and the cells
};

} // namespace

std::shared_ptr<DomainPart<AskedReasons>> make_sparse_reasons() {
    return std::make_shared<SparseReasons>();
}

} // namespace sparsight
