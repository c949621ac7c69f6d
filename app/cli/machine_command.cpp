#include "base/quantity.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/machine_output.h"
#include "command/job.h"
#include "command/program.h"
#include "machine/data_sheet.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "workflow/machines/data_sheets.h"
#include "workflow/machines/measuring_turn.h"
#include "workflow/machines/named_machines.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp machine_help{.description = R"(
Measurements belong to a machine. A computer is recognised by its fingerprint:
processor, cores, caches and instruction sets that this process may use. Other
machines are simulated: they come from a preset or a file, or are drawn at random.)",
                                   .examples = R"(
sparsight-cli machine probe
sparsight-cli machine add --preset laptop --workspace experiment.sparsight
sparsight-cli machine list --workspace experiment.sparsight)",
                                   .json = {}};

constexpr CommandHelp probe_help{.description = R"(
Describes this computer, and measures its copy bandwidth, multiply-add rate and memory
latency. Each takes under two seconds; the first two are measured with one thread and
with all. The result is stored in the workspace, if there is one. A remark says if
other programs were so busy that the figures are too low.)",
                                 .examples = R"(
sparsight-cli machine probe
sparsight-cli machine probe --facts-only --json)",
                                 .json = R"(
{"fingerprint", "format", "name", "source", "date",
 "cpu": {"model", "architecture", "sockets", "cores", "threads", "clock_ghz",
         "float_lanes", "instruction_sets"},
 "caches": [{"level", "bytes", "line_bytes", "shared_by_threads", "instances"}],
 "memory": {"bytes", "numa_nodes"},
 "measured": {"copy_gb_per_s_one_thread", "copy_gb_per_s_all_threads",
              "memory_latency_ns", "fma_gflop_per_s_one_thread",
              "fma_gflop_per_s_all_threads"},
 "simulation": {"smt_gain", "l3_gb_per_s", "outstanding_misses",
                "remote_penalty", "region_ns", "chunk_ns", "noise",
                "coefficients": {PARAMETER: NUMBER, …},
                "calibration": {"doubt_left": {PARAMETER: NUMBER, …},
                                "fitted_matrices", "cross_validation"}}}
What is unknown is null.)",
                                 .events = R"({"event": "start", "job"})"};

constexpr CommandHelp list_help{.description = R"(
Lists the machines of the workspace: this computer and others that were probed,
machines whose runtimes were imported, and simulated ones.)",
                                .examples = R"(sparsight-cli machine list --workspace experiment.sparsight)",
                                .json = R"(
[{"name", "fingerprint", "probed", "description", "facts": {NAME: VALUE}}]
description is as `machine probe --json` has it, without the fingerprint, or
null where nothing more than the name is known; probed is null for a machine
that never was; facts are there where an imported sheet has some of it.)"};

template <typename T>
std::string shown(const std::optional<T>& value, std::string_view unit = "") {
    if (!value)
        return "?";
    if constexpr (requires { value->value; })
        return fmt::format("{:.4g}{}", value->value, unit);
    else if constexpr (requires { value->count(); })
        return fmt::format("{:.4g}{}", value->count(), unit);
    else
        return fmt::format("{}{}", *value, unit);
}

std::string shown_count(std::optional<int> count, std::string_view one, std::string_view many) {
    return count ? counted(*count, one, many) : fmt::format("? {}", many);
}

std::string to_text(const MachineDescription& machine) {
    std::string text = fmt::format(
        "{}\n  fingerprint       {}\n  cores             {} ({}, {})\n"
        "  clock             {}\n  float lanes       {}\n  instruction sets  {}\n"
        "  memory            {}\n",
        machine.name, machine.fingerprint(), shown(machine.cores),
        shown_count(machine.threads, "thread", "threads"), shown_count(machine.sockets, "socket", "sockets"),
        shown(machine.clock, " GHz"), shown(machine.float_lanes), fmt::join(machine.instruction_sets, " "),
        machine.memory_bytes ? format_bytes(*machine.memory_bytes) : "?");
    for (const CacheLevel& cache : machine.caches)
        text +=
            fmt::format("  cache L{}          {} × {}, shared by {}\n", cache.level, shown(cache.instances),
                        format_bytes(cache.bytes), shown_count(cache.shared_by_threads, "thread", "threads"));
    return text + fmt::format("  copy bandwidth    {} with one thread, {} with all\n"
                              "  memory latency    {}\n"
                              "  multiply-adds     {} with one thread, {} with all\n",
                              shown(machine.copy_bandwidth.one_thread, " GB/s"),
                              shown(machine.copy_bandwidth.all_threads, " GB/s"),
                              shown(machine.memory_latency, " ns"),
                              shown(machine.peak_fma.one_thread, " GFLOP/s"),
                              shown(machine.peak_fma.all_threads, " GFLOP/s"));
}

Result<void> remember(const Session& session, const MachineDescription& machine, bool is_measured) {
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    return remember_this_machine(*workspace, machine, is_measured);
}

struct ProbeForm {
    bool facts_only = false;
    ProgressForm progress = ProgressForm::Display;
};

Json probed_json(const MachineDescription& machine) {
    Json json{{"fingerprint", machine.fingerprint()}};
    json.update(machine_to_json(machine));
    return json;
}

ExitCode probe(Session& session, const ProbeForm& form) {
    const Interruption interruption;
    JobObserver observer(session, "probe", form.progress);
    observer.start(Json::object());
    const auto machine = [&]() -> Result<MachineDescription> {
        if (form.facts_only)
            return describe_this_machine();
        const auto turn = measuring_turn(observer, interruption.token());
        if (!turn)
            return std::unexpected(turn.error());
        return measure_this_machine(observer, interruption.token());
    }();
    observer.clear();
    if (!machine && interruption.requested() && observer.tells_events()) {
        observer.end(Json::object(), false, true);
        return ExitCode::Interrupted;
    }
    if (!machine)
        return observer.refuse(machine.error(),
                               interruption.requested() ? ExitCode::Interrupted : ExitCode::SomeFailed);
    if (session.names_workspace() || session.has_workspace())
        if (const auto remembered = remember(session, *machine, !form.facts_only); !remembered)
            return observer.refuse(remembered.error(), ExitCode::Workspace);
    observer.answer(probed_json(*machine), to_text(*machine));
    return ExitCode::Done;
}

Json description_json(const MachineRecord& record) {
    const auto machine = machine_from_text(record.description);
    return machine ? machine_to_json(*machine) : Json();
}

/// When it was; empty for a machine that this program never ran on.
std::string probed_text(const MachineRecord& record) {
    const auto machine = machine_from_text(record.description);
    if (!machine || machine->source != MachineSource::Probed)
        return {};
    return machine->date.value_or(record.probed);
}

void print_table(const Session& session, const std::vector<MachineRecord>& machines,
                 const std::vector<Json>& facts) {
    Table table({{"machine"},
                 {"kind"},
                 {"fingerprint"},
                 {"cores", Align::Right},
                 {"threads", Align::Right},
                 {"copy GB/s", Align::Right},
                 {"latency ns", Align::Right},
                 {"GFLOP/s", Align::Right},
                 {"probed"}});
    for (const MachineRecord& record : machines) {
        MachineDescription nothing;
        nothing.source = MachineSource::Recorded;
        const auto machine = machine_from_text(record.description).value_or(nothing);
        const MachineSource kind = machine_kind(record.fingerprint, machine.source);
        table.add_row({record.name, std::string(name(kind)), record.fingerprint, shown(machine.cores),
                       shown(machine.threads), shown(machine.copy_bandwidth.all_threads),
                       shown(machine.memory_latency), shown(machine.peak_fma.all_threads),
                       probed_text(record)});
    }
    std::string sheets;
    for (std::size_t place = 0; place < machines.size(); ++place)
        if (!facts[place].is_null())
            sheets += fmt::format("{}: {}\n", machines[place].name, sheet_text(facts[place]));
    session.print(table.text() + (sheets.empty() ? "" : "\nData sheets\n" + sheets));
}

ExitCode print_machines(Session& session, Workspace& workspace) {
    const auto machines = list_machines(workspace);
    if (!machines)
        return session.refuse(machines.error(), ExitCode::Workspace);
    const auto facts = machine_sheets(workspace, *machines);
    if (!facts)
        return session.refuse(facts.error(), ExitCode::Workspace);
    if (session.options.json) {
        Json json = Json::array();
        for (std::size_t place = 0; place < machines->size(); ++place) {
            const MachineRecord& record = (*machines)[place];
            const std::string probed = probed_text(record);
            json.push_back({{"name", record.name},
                            {"fingerprint", record.fingerprint},
                            {"probed", probed.empty() ? Json() : Json(probed)},
                            {"description", description_json(record)}});
            if (!(*facts)[place].is_null())
                json.back()["facts"] = (*facts)[place];
        }
        session.print_json(json);
    } else if (machines->empty()) {
        session.remark("the workspace knows no machines: `machine probe` and `collect` add this computer");
    } else {
        print_table(session, *machines, *facts);
    }
    return ExitCode::Done;
}

} // namespace

void add_machine_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(
        app, "machine", "Probe this computer, and list, add and calibrate machines", machine_help);
    command.require_subcommand(1);
    CLI::App& probe_command = add_command(command, "probe", "Describe and measure this computer", probe_help);
    const auto form = std::make_shared<ProbeForm>();
    probe_command.add_flag("--facts-only", form->facts_only, "measure nothing, only read the facts");
    add_progress_option(probe_command, form->progress);
    set_action(probe_command, session, [&session, form] { return probe(session, *form); });
    CLI::App& list_command = add_command(command, "list", "List the machines of the workspace", list_help);
    set_action(list_command, session, WorkspaceUse::Read,
               [&session](Workspace& workspace) { return print_machines(session, workspace); });
    add_machine_show(command, session);
    add_machine_presets(command, session);
    add_machine_add(command, session);
    add_machine_sample(command, session);
    add_machine_compare(command, session);
    add_machine_remove(command, session);
}

namespace {

constexpr CommandHelp show_help{.description = R"(
Shows a machine as simulations use it: every parameter with its unit and the origin of
its value. Stated: by the operating system, a data sheet, or whoever chose it.
Measured: by `machine probe`. Fitted: by `machine calibrate`. Typical: not known for
this machine. A calibrated machine also has the remaining doubt about each parameter:
near 100 %, the measurements do not determine it. MACHINE is a file with a machine's
JSON, a machine of the workspace, or a preset (`machine presets`). The default is this
computer as it was probed. If only a data sheet describes the machine (`machine add
--data-sheet`, or an imported table of machines), its facts are shown. ? marks a fact
that the sheet does not state: no number takes its place.)",
                                .examples = R"(
sparsight-cli machine show
sparsight-cli machine show epyc-7543
sparsight-cli machine show epyc-7543 --json
sparsight-cli machine show A100                # a machine by its data sheet)",
                                .json = R"(
{"fingerprint", what `machine probe --json` prints, "origin", "note",
 "parameters": [{"key", "value", "unit", "assumed", "origin", "doubt_left"}]}
doubt_left is 0 to 1, or null where no calibration looked at the parameter. By
a sheet alone: {"name", "facts": {NAME: VALUE}, "unknown": [NAME]}. unknown are
the fields of data sheets without a value.)"};

constexpr CommandHelp presets_help{.description = R"(
Lists machines to start from: real processors by their data sheets, typical
processors, and the two machines of the meta-learning report. Each has the source of
its numbers, and says which are estimated. --data-sheets lists those of `machine add
--data-sheet` instead: machines that tuning records are published of.)",
                                   .examples = R"(
sparsight-cli machine presets
sparsight-cli machine presets --data-sheets)",
                                   .json = R"(
[{"key", "name", "source", "note", "description"}]
description is as `machine probe --json` has it, without the fingerprint. With
--data-sheets: [{"key", "facts": {NAME: VALUE}, "unknown": [NAME]}].)"};

ExitCode show(Session& session, const std::string& text) {
    const auto named = text.empty() ? this_named_machine(session.workspace_location())
                                    : named_machine(session.workspace_location(), text);
    const Result<Json> sheet =
        text.empty() ? Result<Json>(Json()) : machine_sheet(session.workspace_location(), text);
    if (!named && sheet && !sheet->is_null()) {
        session.answer(
            {{"name", text}, {"facts", *sheet}, {"unknown", unknown_facts(*sheet)}},
            fmt::format("{}, of which only a data sheet is known\n\n{}", text, data_sheet_text(*sheet)));
        return ExitCode::Done;
    }
    if (!named)
        return session.refuse(named.error());
    const MachineDescription& machine = named->machine;
    const std::string fingerprint = named->fingerprint.empty() ? machine.fingerprint() : named->fingerprint;
    if (session.options.json) {
        Json json{{"fingerprint", fingerprint}};
        json.update(machine_to_json(machine));
        json["origin"] = named->origin;
        json["note"] = named->note;
        json["parameters"] = parameters_json(machine);
        session.print_json(json);
        return ExitCode::Done;
    }
    session.print(fmt::format("{}\n  fingerprint  {}\n  kind         {}\n  from         {}\n{}\n{}",
                              machine.name, fingerprint, name(machine_kind(fingerprint, machine.source)),
                              named->origin,
                              named->note.empty() ? "" : fmt::format("  note         {}\n", named->note),
                              parameters_text(machine)));
    return ExitCode::Done;
}

ExitCode list_sheet_presets(Session& session) {
    Json json = Json::array();
    Table table({{"preset"},
                 {"kind"},
                 {"generation"},
                 {"cores", Align::Right},
                 {"GFLOP/s", Align::Right},
                 {"GB/s", Align::Right},
                 {"unknown", Align::Right},
                 {"device"}});
    for (const DataSheet& sheet : data_sheet_presets()) {
        const Json facts = facts_of(sheet);
        const auto value = [&facts](const char* key) {
            if (!facts.contains(key))
                return std::string("?");
            return facts[key].is_string() ? facts[key].get<std::string>() : facts[key].dump();
        };
        const auto unknown = unknown_facts(facts);
        table.add_row({sheet.name, value("kind"), value("arch"), value("cores"), value("peak_fp32_gflops"),
                       value("mem_bw_gbs"), fmt::to_string(unknown.size()), value("device")});
        json.push_back({{"key", sheet.name}, {"facts", facts}, {"unknown", unknown}});
    }
    session.answer(json, table.text());
    return ExitCode::Done;
}

ExitCode list_presets(Session& session) {
    Json json = Json::array();
    Table table({{"preset"},
                 {"cores", Align::Right},
                 {"threads", Align::Right},
                 {"GHz", Align::Right},
                 {"GB/s", Align::Right},
                 {"source"}});
    for (const MachinePreset& preset : machine_presets()) {
        json.push_back({{"key", preset.key},
                        {"name", preset.machine.name},
                        {"source", preset.source},
                        {"note", preset.note},
                        {"description", machine_to_json(preset.machine)}});
        const MachineDescription& machine = preset.machine;
        table.add_row({std::string(preset.key), machine.cores ? fmt::to_string(*machine.cores) : "?",
                       machine.threads ? fmt::to_string(*machine.threads) : "?",
                       machine.clock ? fmt::format("{:.4g}", machine.clock->value) : "?",
                       machine.copy_bandwidth.all_threads
                           ? fmt::format("{:.4g}", machine.copy_bandwidth.all_threads->value)
                           : "?",
                       std::string(preset.source)});
    }
    session.answer(json, table.text());
    return ExitCode::Done;
}

} // namespace

void add_machine_show(CLI::App& machine, Session& session) {
    CLI::App& command =
        add_command(machine, "show", "Show all parameters of a machine, and their origins", show_help);
    const auto name = std::make_shared<std::string>();
    command.add_option("machine", *name, "a file, a machine of the workspace, or a preset")
        ->type_name("MACHINE");
    set_action(command, session, [&session, name] { return show(session, *name); });
}

void add_machine_presets(CLI::App& machine, Session& session) {
    CLI::App& command = add_command(machine, "presets", "List machines to start from", presets_help);
    const auto are_sheets = std::make_shared<bool>(false);
    command.add_flag("--data-sheets", *are_sheets, "list the presets of data sheets");
    set_action(command, session, [&session, are_sheets] {
        return *are_sheets ? list_sheet_presets(session) : list_presets(session);
    });
}

} // namespace sparsight
