#include "evaluation/failures/failure_machine.h"

#include "machine/probe.h"
#include "store/imagined_machines.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

Result<std::optional<FailureMachine>> described(Workspace& workspace, const std::string& fingerprint) {
    const auto record = find_machine(workspace, fingerprint);
    if (!record)
        return std::unexpected(record.error());
    if (*record)
        if (auto known = description_of(**record))
            return FailureMachine{(*record)->name, *std::move(known), false};
    return std::nullopt;
}

} // namespace

Result<FailureMachine> failure_machine(Workspace& workspace, const std::string& fingerprint) {
    if (!fingerprint.empty()) {
        auto meant = described(workspace, fingerprint);
        if (!meant)
            return std::unexpected(std::move(meant).error());
        if (*meant)
            return **std::move(meant);
    }
    auto here = probe_this_computer({.measure = false, .stop = {}, .progress = {}});
    if (!here)
        return std::unexpected(std::move(here).error());
    auto known = described(workspace, here->fingerprint());
    if (!known)
        return std::unexpected(std::move(known).error());
    FailureMachine machine = *known ? **std::move(known) : FailureMachine{here->name, *here, false};
    machine.stands_in = here->fingerprint() != fingerprint;
    return machine;
}

std::string stand_in_sentence(const FailureMachine& machine, const std::string& meant) {
    return fmt::format("{}: this computer ({}) is simulated in its place.",
                       meant.empty() ? "Nobody says which machine was recorded"
                                     : fmt::format("Nothing is known of {} but its name", meant),
                       machine.name);
}

} // namespace sparsight
