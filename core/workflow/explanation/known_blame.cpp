#include "workflow/explanation/known_blame.h"

#include "evaluation/known_times.h"
#include "evaluation/recorded_clock.h"
#include "store/workloads.h"

#include <fmt/format.h>

namespace sparsight {

Result<Blame> blame_between(const ConfigurationSpace& space, const ConfigurationCodec& codec, Clock& clock,
                            const std::string& against, const std::string& configuration,
                            const BlameOptions& options) {
    const auto from = codec.parse(against);
    const auto to = codec.parse(configuration);
    if (!from || !to)
        return std::unexpected((from ? to : from).error());
    auto hybrids = space.between(from->configuration, to->configuration);
    if (!hybrids)
        return std::unexpected(std::move(hybrids).error());
    return find_blame(*std::move(hybrids), clock, options);
}

Result<Blame> blame_by_known_times(Workspace& workspace, const Domain& domain,
                                   const KnownBlameRequest& request, const std::stop_token& stop) {
    const auto workload = find_workload(workspace, domain.name(), request.times.workload);
    if (!workload)
        return std::unexpected(workload.error());
    if (!*workload)
        return fail(Fault::Input, fmt::format("the workspace has no {} {}", domain.words().workload.one,
                                              request.times.workload));
    const auto space = space_of(workspace, domain, request.setting, **workload);
    if (!space)
        return std::unexpected(space.error());
    const auto codec = domain.codec(request.setting);
    if (!codec)
        return std::unexpected(codec.error());
    const auto times = KnownTimes::read(workspace, **codec, request.times);
    if (!times)
        return std::unexpected(times.error());
    KnownTimesClock clock(*times, *codec);
    return blame_between(**space, **codec, clock, request.against, request.configuration,
                         {.exact_up_to = most_listed_decisions, .stop = stop}); // look-ups are cheap
}

} // namespace sparsight
