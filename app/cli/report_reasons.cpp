#include "cli/report_reasons.h"

#include "cli/learner_child.h"
#include "evaluation/failures/reason_sections.h"
#include "evaluation/model_reasons/model_reasons_json.h"

#include <fmt/format.h>

namespace sparsight {

Result<std::vector<ReportSection>> model_sections(const Session& session, const std::string& model,
                                                  const ExplainRequest& request, Seconds budget,
                                                  std::span<const std::byte> picture,
                                                  const std::stop_token& stop) {
    std::vector<std::string> arguments{"reasons",
                                       "--model",
                                       model,
                                       "--matrix",
                                       request.matrix,
                                       "--schedule",
                                       request.schedule,
                                       "--against",
                                       request.against,
                                       "--budget",
                                       fmt::format("{:.0f}ms", Milliseconds(budget).count())};
    if (dense_index(request.op))
        arguments.insert(arguments.end(), {"--dense", fmt::format("{}", request.dense)});
    if (!request.machine.empty())
        arguments.insert(arguments.end(), {"--machine", request.machine});
    const auto answer = follow_learner(session, std::move(arguments), [](const Json&) {}, stop);
    if (!answer)
        return std::unexpected(answer.error());
    const auto reasons = parse_model_reasons(*answer);
    if (!reasons)
        return std::unexpected(reasons.error());
    return reason_sections(*reasons, picture);
}

} // namespace sparsight
