#include "base/plural.h"
#include "cli/commands.h"
#include "command/command.h"
#include "command/options.h"
#include "command/session.h"
#include "machine/machine_family.h"
#include "store/imagined_machines.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp machine_sample_help{.description = R"(
Draws machines and adds them to the workspace as simulated ones: from one core
to 128, 5 to 400 GB/s, 2 to 16 lanes, small and large caches, cheap and dear
loops, as widely and as correlated as real machines are. Machine number 12 of a
seed (--seed) is always the same, whatever --count is, and always in the same
part. The part is drawn as well: on average eight of ten machines are for
training, one is for validation and one for a test, so of few there may be none.)",
                                          .examples = R"(
sparsight-cli machine sample --count 20 --seed 7)",
                                          .json = R"(
[{"name", "fingerprint", "part", "new", "cores", "copy_gb_per_s"}]
part is "train", "validation" or "test"; new is false for a machine that the
workspace had already.)"};

constexpr std::int64_t most_machines = 100'000;

ExitCode sample(Session& session, std::int64_t count) {
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    Json json = Json::array();
    std::int64_t new_ones = 0;
    const std::uint64_t seed = session.options.seed;
    const auto stored = in_one_transaction(*workspace, [&]() -> Result<void> {
        for (std::uint64_t index = 0; index < static_cast<std::uint64_t>(count); ++index) {
            const MachineDescription machine = sampled_machine(seed, index);
            const auto added = add_machine(*workspace, machine);
            if (!added)
                return std::unexpected(added.error());
            new_ones += added->is_new ? 1 : 0;
            json.push_back({{"name", added->record.name},
                            {"fingerprint", added->record.fingerprint},
                            {"part", name(family_part(seed, index))},
                            {"new", added->is_new},
                            {"cores", machine.cores.value_or(0)},
                            {"copy_gb_per_s", machine.copy_bandwidth.all_threads->value}});
        }
        return {};
    });
    if (!stored)
        return session.refuse(stored.error());
    if (session.options.json)
        session.print_json(json);
    else
        session.remark(fmt::format("added {}{}", counted(new_ones, "machine", "machines"),
                                   new_ones < count
                                       ? fmt::format("; the workspace had the other {}", count - new_ones)
                                       : std::string()));
    return ExitCode::Done;
}

} // namespace

void add_machine_sample(CLI::App& machine, Session& session) {
    CLI::App& command = add_command(machine, "sample", "Add machines drawn from a family to the workspace",
                                    machine_sample_help);
    const auto count = std::make_shared<std::int64_t>(1);
    command.add_option("--count", *count, "how many (default 1)")
        ->type_name("N")
        ->check(whole_numbers(1, most_machines));
    set_action(command, session, [&session, count] { return sample(session, *count); });
}

} // namespace sparsight
