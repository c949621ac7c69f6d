#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "store/machines.h"
#include "workflow/evaluation/comparison_tables.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp comparison_help{.description = R"(
Compares all machines that have times of a workload. Each number is of a pair: the
machine of the row, and the machine of the column, whose times foretell it.
  slowdown  The fastest configuration of the column is copied to the row. Its time
            there is divided by the best time there.
  tau       Kendall tau of the times: 1 is the same order, 0 is no relation.
  accuracy  share of the pairs of configurations that both machines order alike
Only configurations count that both machines have tried, and for tau and accuracy
those that ran on both. Similar machines stand together: they are clustered by tau.
Two installations of a machine (conditions such as run=2021) are compared like two
machines: no transfer can be expected to agree better than they do.)",
                                      .examples = R"(
sparsight-cli machine compare --workload gemm4096
sparsight-cli machine compare --workload gemm4096 --figure tau
sparsight-cli machine compare --workload gemm4096 --machines A100,MI50 --json
sparsight-cli machine compare --workload gemm4096 --csv pairs.csv)",
                                      .json = R"(
{"workload", parts of the setting, "sentence", "notes": [TEXT],
 "machines": [{"machine", "fingerprint", "condition", "protocol", "tried", "ran",
   "best_ms", "configuration", "nickname"}],
 "pairs": [{"on", "from", "slowdown", "fails", "kendall_tau", "pair_accuracy",
   "common", "ran", "copied"}]}, in the domain's words.
machines are in the order of similarity. on: the machine of the row, from: that of
the column. fails: the copied configuration does not run there, so slowdown is
null. What is not known is null, too.)"};

struct ComparisonForm {
    MachineComparisonRequest request{};
    MachineFigure figure = MachineFigure::Slowdown;
    std::string csv{};
};

Result<MachineFigure> figure_from(std::string_view text) {
    const auto figure = parse_machine_figure(text);
    return figure ? Result<MachineFigure>(*figure)
                  : fail(Fault::Input,
                         fmt::format("'{}' is no figure, expected slowdown, tau or accuracy", text));
}

ExitCode compare_as_asked(Session& session, Workspace& workspace, ComparisonForm& form) {
    const auto domain = choose_domain(workspace, session.domains, form.request.setting.domain);
    if (!domain)
        return session.refuse(domain.error());
    if (const auto checked = check_options(**domain, form.request.setting.options); !checked)
        return session.refuse(checked.error(), ExitCode::Usage);
    MachineComparisonRequest request = form.request;
    const auto machines = rejoined_machines(workspace, request.machines);
    if (!machines)
        return session.refuse(machines.error());
    request.machines = *machines;
    const Interruption interruption;
    const auto comparison = compare_machines(workspace, **domain, request, interruption.token());
    if (!comparison)
        return session.refuse(comparison.error(),
                              interruption.requested() ? ExitCode::Interrupted : ExitCode::SomeFailed);
    for (const std::string& note : comparison->notes)
        session.remark(note);
    if (!form.csv.empty()) {
        if (auto written = write_whole_file(form.csv, comparison_csv(**domain, *comparison)); !written)
            return session.refuse(written.error());
        session.remark(fmt::format("wrote {} to {}",
                                   counted(comparison->matrix.pairs.size(), "pair", "pairs"), form.csv));
    }
    session.answer(comparison_json(**domain, *comparison),
                   comparison_text(**domain, *comparison, form.figure));
    return ExitCode::Done;
}

} // namespace

void add_machine_compare(CLI::App& machine, Session& session) {
    CLI::App& command = add_command(
        machine, "compare", "Say what copying the fastest from machine to machine costs", comparison_help);
    const auto form = std::make_shared<ComparisonForm>();
    command
        .add_option("--workload,--matrix", form->request.workload,
                    "the workload (default: the only one of the workspace)")
        ->type_name("NAME");
    command
        .add_option("--machines", form->request.machines,
                    "only these machines (default: all that have times of it)")
        ->type_name("NAMES")
        ->delimiter(',');
    add_parsed_option(command, "--figure", form->figure, &figure_from,
                      "the figure of the table: slowdown (default), tau or accuracy")
        ->type_name("FIGURE");
    command.add_option("--csv", form->csv, "write a line for each pair of machines")->type_name("FILE");
    add_setting_options(command, session.domains, form->request.setting);
    set_action(command, session, WorkspaceUse::Read, [&session, form](Workspace& workspace) {
        return compare_as_asked(session, workspace, *form);
    });
}

} // namespace sparsight
