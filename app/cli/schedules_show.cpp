#include "cli/commands.h"
#include "cli/given_schedule.h"
#include "cli/schedule_meaning.h"
#include "command/command.h"
#include "command/options.h"
#include "command/session.h"
#include "kernel/c_printer.h"
#include "kernel/jit.h"
#include "kernel/lowering.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp schedules_show_help{.description = R"(
Explains a SuperSchedule: splits, loop order, level formats, parallel loop, and
the loop nest that is compiled for it, as C. The nest depends on the extents, so
give a matrix, or --rows and --cols (4096 each where nothing is given). With a
matrix, the size of its storage is shown level by level, beside fixed CSR's.

With --c, --llvm or --assembly that code is printed and nothing else.)",
                                          .examples = R"(
sparsight-cli schedules show '1 32 8 i1 k1 j1 k0 i0 j0 1 1 0 1 i1 2 32'
sparsight-cli schedules show '1 32 8 i1 k1 j1 k0 i0 j0 1 1 0 1 i1 2 32' --matrix cage8.mtx.gz
sparsight-cli schedules show --operator spmv '1 1 i1 k1 i0 k0 1 1 0 1 i1 2 32' --assembly)",
                                          .json = R"(
{"schedule", "canonical", "operator", "splits": {"i", …}, "loops": ["i1", …],
 "formats": {"i1": "uncompressed", …}, "parallel", "threads", "chunk",
 "extents": {"i", …}, "c",
 "storage": {"levels": [{"loop", "format", "extent", "positions"}], "bytes",
             "fixed_csr_bytes", "refused"}}
storage is null without a matrix; refused is null or the reason. --llvm and
--assembly add a field of that name.)"};

struct ShowOptions {
    ScheduleForm schedule;
    bool c = false;
    bool llvm = false;
    bool assembly = false;
};

struct MachineCode {
    std::string llvm;
    std::string assembly;
};

Result<MachineCode> compile(const ShowOptions& options, const LoopNest& nest) {
    MachineCode code;
    if (!options.llvm && !options.assembly)
        return code;
    auto compiler = KernelCompiler::make();
    if (!compiler)
        return std::unexpected(std::move(compiler).error());
    if (options.llvm) {
        auto text = compiler->print_optimised(nest);
        if (!text)
            return std::unexpected(std::move(text).error());
        code.llvm = std::move(*text);
    }
    if (options.assembly) {
        auto text = compiler->print_assembly(nest);
        if (!text)
            return std::unexpected(std::move(text).error());
        code.assembly = std::move(*text);
    }
    return code;
}

void print_json(const Session& session, const ShowOptions& options, const SuperSchedule& schedule,
                const LoopNest& nest, const MachineCode& code, const std::optional<StorageFacts>& storage) {
    Json json = meaning_json(schedule);
    json["extents"] = extents_json(nest);
    json["c"] = print_c(nest);
    if (options.llvm)
        json["llvm"] = code.llvm;
    if (options.assembly)
        json["assembly"] = code.assembly;
    json["storage"] = storage ? to_json(*storage) : Json();
    session.print_json(json);
}

void print_text(const Session& session, const ShowOptions& options, const SuperSchedule& schedule,
                const LoopNest& nest, const MachineCode& code, const std::optional<StorageFacts>& storage) {
    if (options.c || options.llvm || options.assembly) {
        session.print((options.c ? print_c(nest) : std::string()) + code.llvm + code.assembly);
        return;
    }
    std::string text = meaning_text(schedule);
    if (storage)
        text += "\n" + to_text(*storage);
    session.print(text + "\n" + print_c(nest));
}

ExitCode show(Session& session, const ShowOptions& options) {
    const auto given = given_schedule(session, options.schedule);
    if (!given)
        return session.refuse(given.error());
    std::optional<StorageFacts> storage;
    if (given->pattern) {
        auto facts = storage_facts(given->schedule, *given->pattern);
        if (!facts)
            return session.refuse(facts.error());
        storage = std::move(*facts);
    }
    const LoopNest nest = lower(given->schedule, given->extents, KernelTarget::of_this_computer());
    const auto code = compile(options, nest);
    if (!code)
        return session.refuse(code.error());
    if (session.options.json)
        print_json(session, options, given->schedule, nest, *code, storage);
    else
        print_text(session, options, given->schedule, nest, *code, storage);
    return ExitCode::Done;
}

} // namespace

void add_schedules_show(CLI::App& schedules, Session& session) {
    CLI::App& command =
        add_command(schedules, "show", "Explain a schedule and show its code", schedules_show_help);
    const auto options = std::make_shared<ShowOptions>();
    add_schedule_options(command, options->schedule)->required();
    command.add_flag("--c", options->c, "only the loop nest as C");
    command.add_flag("--llvm", options->llvm, "only the optimised LLVM IR for this computer");
    command.add_flag("--assembly", options->assembly, "only the assembly for this computer");
    set_action(command, session, [&session, options] { return show(session, *options); });
}

} // namespace sparsight
