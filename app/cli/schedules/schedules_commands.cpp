#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/schedules/schedule_meaning.h"
#include "cli/schedules/schedule_options.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/lowering/c_printer.h"
#include "domains/sparse/kernel/lowering/lowering.h"
#include "domains/sparse/schedule/schedule_choice.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/workflow/import/named_matrices.h"
#include "domains/sparse/workflow/import/named_schedules.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp schedules_help{.description = R"(
A SuperSchedule is the storage format of the sparse matrix and the loop schedule
of the operator together, written on one line as WACO writes it:

  SpMM   isplit ksplit jsplit  o1 … o6  f(i1) f(i0) f(k1) f(k0)  parallel threads chunk
  SpMV   isplit ksplit         o1 … o4  f(i1) f(i0) f(k1) f(k0)  parallel threads chunk
  SDDMM  isplit jsplit ksplit  o1 … o6  f(i1) f(i0) f(j1) f(j0)  parallel threads chunk

A split of 1 means "not split"; the orders are loops such as i1 or k0, outermost
first; the formats f are 1 (uncompressed) or 0 (compressed).)",
                                     .examples = R"(
sparsight-cli schedules sample --operator spmm --rows 4096 --cols 4096 --count 20
sparsight-cli schedules show '1 32 8 i1 k1 j1 k0 i0 j0 1 1 0 1 i1 2 32'
sparsight-cli schedules check collected/cage8.txt --operator spmm)",
                                     .json = {}};

} // namespace

void add_schedules_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "schedules", "Draw, explain and check SuperSchedules", schedules_help);
    command.require_subcommand(1);
    add_schedules_sample(command, session);
    add_schedules_show(command, session);
    add_schedules_check(command, session);
}

namespace {

constexpr CommandHelp schedules_check_help{.description = R"(
Says which SuperSchedules are valid and what is wrong with the others. Each
argument is a file, or else a schedule on one line (quote it). In files, lines
may end in " = milliseconds", as collected data have them; blank lines are passed
over. Exit code 1 when one is not valid.)",
                                           .examples = R"(
sparsight-cli schedules check schedules.txt --operator spmm
sparsight-cli schedules check '1 32 8 i1 k1 j1 k0 i0 j0 1 1 0 1 i1 2 32')",
                                           .json = R"(
{"valid": NUMBER, "invalid": [{"file", "line", "error"}]}
file and line are null for a schedule on the command line.)"};

struct CheckOptions {
    Operator op = Operator::SpMM;
    std::vector<std::string> arguments;
};

ExitCode check_all(Session& session, const CheckOptions& options) {
    const ScheduleVerdicts verdicts = check_schedules(options.op, options.arguments);
    Json json{{"valid", verdicts.valid}, {"invalid", Json::array()}};
    for (const Error& error : verdicts.invalid) {
        session.complain(error);
        json["invalid"].push_back(failure_json(error));
    }
    if (session.options.json)
        session.print_json(json);
    else
        session.print(fmt::format("{} valid, {} not valid\n", verdicts.valid, verdicts.invalid.size()));
    return verdicts.invalid.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_schedules_check(CLI::App& schedules, Session& session) {
    CLI::App& command =
        add_command(schedules, "check", "Say which schedules are valid", schedules_check_help);
    const auto options = std::make_shared<CheckOptions>();
    command.add_option("schedules", options->arguments, "files of schedules, or schedules")
        ->type_name("FILE|LINE")
        ->required();
    add_operator_option(command, options->op);
    set_action(command, session, [&session, options] { return check_all(session, *options); });
}

namespace {

constexpr CommandHelp schedules_sample_help{.description = R"(
Draws SuperSchedules, no two of which mean the same, and prints one a line.
Given a matrix, they are those that `collect` would measure on it with the same
--seed, --sampler and count (it measures fixed CSR besides, which is left out
here).

Samplers:
  waco     as WACO's generator of training data
  uniform  uniformly over all valid schedules for these extents)",
                                            .examples = R"(
sparsight-cli schedules sample --operator spmm --matrix cage8 --count 100 > schedules.txt
sparsight-cli schedules sample --operator spmv --rows 5000 --cols 5000 --sampler uniform)",
                                            .json = R"(["1 32 8 i1 k1 …", …])"};

struct SampleOptions {
    Operator op = Operator::SpMM;
    std::string matrix;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t dense = 256;
    SampledSchedules sampled;
    int threads = available_threads();
};

ExitCode sample(Session& session, SampleOptions options) {
    if (options.matrix.empty() && (options.rows == 0 || options.cols == 0))
        return session.refuse({Fault::Input, "give --matrix, or --rows and --cols", {}, 0}, ExitCode::Usage);
    std::string name;
    if (!options.matrix.empty()) {
        const auto matrix = load_named_matrix(session.workspace_location(), options.matrix);
        if (!matrix)
            return session.refuse(matrix.error());
        name = matrix->name;
        options.rows = matrix->pattern.rows;
        options.cols = matrix->pattern.cols;
    }
    options.sampled.seed = session.options.seed;
    const Extents sizes = extents(options.op, options.rows, options.cols, options.dense);
    const auto schedules = schedules_for(options.sampled, options.op, name, sizes, options.threads);

    Json json = Json::array();
    std::string text;
    for (std::size_t i = 1; i < schedules.size(); ++i) { // the first is fixed CSR
        const std::string line = to_text(schedules[i]);
        json.push_back(line);
        text += line + "\n";
    }
    if (session.options.json)
        session.print_json(json);
    else
        session.print(text);
    return ExitCode::Done;
}

} // namespace

void add_schedules_sample(CLI::App& schedules, Session& session) {
    CLI::App& command = add_command(schedules, "sample", "Draw schedules at random", schedules_sample_help);
    const auto options = std::make_shared<SampleOptions>();
    add_operator_option(command, options->op);
    auto* matrix =
        command
            .add_option("--matrix", options->matrix, "draw for this matrix: a file, or one of the workspace")
            ->type_name("MATRIX");
    add_extent_options(command, options->rows, options->cols);
    matrix->excludes("--rows", "--cols");
    add_dense_option(command, options->dense);
    command.add_option("--count", options->sampled.count, "how many (default 100)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    add_sampler_option(command, options->sampled.sampler);
    add_threads_option(command, options->threads, "threads written into the schedules (default: all)");
    set_action(command, session, [&session, options] { return sample(session, *options); });
}

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
    ScheduleInput schedule;
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
    const auto given = named_schedule(session.workspace_location(), options.schedule);
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
