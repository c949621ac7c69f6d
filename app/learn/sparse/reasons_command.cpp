#include "command/options.h"
#include "domains/sparse/explanation/reasons/model_reasons.h"
#include "domains/sparse/explanation/reasons/model_reasons_json.h"
#include "domains/sparse/explanation/reasons/model_reasons_text.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/workflow/learning/reasons/reasons_search.h"
#include "learn/sparse/sparse_commands.h"
#include "store/models.h"
#include "workflow/learning/models/model_storage.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace sparsight {
namespace {

Result<ReasonPart> read_part(std::string_view text) {
    if (const auto part = parse_reason_part(text))
        return *part;
    return fail(Fault::Input, fmt::format("'{}' is no part: expected anchors, sensitivity, nearest, "
                                          "uncertainty or saliency",
                                          text));
}

class SparseReasons final : public DomainPart<AskedReasons> {
public:
    [[nodiscard]] std::string_view domain() const override { return sparse_domain; }

    void add_options(CLI::App& command) override {
        command
            .add_option_function<std::vector<std::string>>(
                "--only",
                [this](const std::vector<std::string>& words) {
                    for (const std::string& word : words) {
                        const auto part = read_part(word);
                        if (!part)
                            throw CLI::ValidationError("--only", part.error().message);
                        request_.parts.push_back(*part);
                    }
                },
                "this part alone; may be given several times")
            ->type_name("PART")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        command.add_option("--cells", request_.cells, "of the pattern in each direction (default 16)")
            ->type_name("N")
            ->check(whole_numbers(1, 64));
    }

    [[nodiscard]] ExitCode run(Session& session, AskedReasons& asked) const override {
        JobObserver& observer = *asked.observer;
        auto workspace = session.open_workspace(WorkspaceAccess::Read);
        if (!workspace)
            return observer.refuse(workspace.error(), ExitCode::Workspace);
        const auto request = as_asked(*workspace, asked);
        if (!request)
            return observer.refuse(request.error(), ExitCode::Usage);
        observer.start({{"model", request->model}, {"matrix", request->matrix}});
        const auto reasons =
            find_model_reasons(*workspace, *asked.domains, *request, asked.stop, observer.sink());
        observer.clear();
        if (!reasons)
            return observer.refuse(reasons.error());
        const std::array setting{SettingMember{.key = "dense", .title = {}, .value = reasons->dense}};
        if (const auto model = model_record(*workspace, request->model))
            if (const auto elsewhere = blend_scope_remark(*model, reasons->machine, setting))
                session.remark(*elsewhere);
        observer.answer(model_reasons_json(*reasons), model_reasons_text(*reasons));
        return ExitCode::Done;
    }

private:
    [[nodiscard]] Result<ReasonsRequest> as_asked(Workspace& workspace, const AskedReasons& asked) const {
        const ChoiceQuestion& question = asked.question;
        const auto model = load_model(workspace, *asked.domains, question.model);
        if (!model)
            return std::unexpected(model.error());
        const auto setting = setting_for(*model, question.setting);
        if (!setting)
            return std::unexpected(setting.error());
        ReasonsRequest request = request_;
        request.model = question.model;
        request.matrix = question.workload;
        request.schedule = question.configuration;
        if (!question.against.empty())
            request.against = question.against;
        request.machine = question.machine;
        request.dense = sparse_setting(*setting).dense;
        request.budget = question.budget;
        request.seed = question.seed;
        request.threads = question.threads;
        return request;
    }

    ReasonsRequest request_; ///< the parts and the cells
};

} // namespace

std::shared_ptr<DomainPart<AskedReasons>> make_sparse_reasons() {
    return std::make_shared<SparseReasons>();
}

} // namespace sparsight
