#include "base/parallel.h"
#include "base/quantity.h"
#include "base/terminal_text.h"
#include "cli/sparse/schedule_costs.h"
#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/workflow/import/named_matrices.h"
#include "domains/sparse/workflow/import/named_schedules.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <span>
#include <string>

namespace sparsight {
namespace {

std::vector<std::string> names_of(std::span<const LoopIndex> loops) {
    std::vector<std::string> names;
    names.reserve(loops.size());
    for (const LoopIndex loop : loops)
        names.push_back(name(loop));
    return names;
}

std::string_view name(LevelFormat format) {
    return format == LevelFormat::Compressed ? "compressed" : "uncompressed";
}

std::string splits_text(const SuperSchedule& schedule) {
    std::vector<std::string> parts;
    for (const Index index : indices(schedule.op))
        parts.push_back(schedule.is_split(index)
                            ? fmt::format("{0} = {1}·{0}1 + {0}0", letter(index), schedule.split(index))
                            : fmt::format("{} not split", letter(index)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// pos and crd arrays of 4-byte numbers; an uncompressed level stores nothing. In double, as an exploding
/// format has more positions than an integer holds.
double level_bytes(const StorageFacts& storage, std::size_t level) {
    if (storage.format.levels[level].format == LevelFormat::Uncompressed)
        return 0;
    const double parents = level == 0 ? 1 : static_cast<double>(storage.size.positions[level - 1]);
    return 4 * (parents + 1 + static_cast<double>(storage.size.positions[level]));
}

std::string bytes_text(double bytes) {
    constexpr double most = 1.8e19;
    return bytes < most ? format_bytes(static_cast<std::uint64_t>(bytes)) : "over 16 EiB";
}

std::string meaning_text(const SuperSchedule& schedule) {
    std::vector<std::string> formats;
    for (const LoopIndex level : existing_levels(schedule))
        formats.push_back(fmt::format("{} {}", name(level), name(schedule.format(level))));
    return fmt::format("{}: {}\n\n"
                       "operator  {}: {}\n"
                       "code      {}\n"
                       "splits    {}\n"
                       "loops     {}  (outermost first)\n"
                       "A stored  {}\n"
                       "parallel  {}, in chunks of {}, on {} {}\n",
                       nickname(schedule), describe(schedule), name(schedule.op),
                       description(schedule.op).formula, to_text(schedule), splits_text(schedule),
                       fmt::join(names_of(existing_loops(schedule)), " → "), fmt::join(formats, ", "),
                       name(schedule.parallel), schedule.chunk, schedule.threads,
                       schedule.threads == 1 ? "thread" : "threads");
}

Json meaning_json(const SuperSchedule& schedule) {
    Json splits = Json::object();
    for (const Index index : indices(schedule.op))
        splits[std::string(1, letter(index))] = schedule.split(index);
    Json formats = Json::object();
    for (const LoopIndex level : existing_levels(schedule))
        formats[name(level)] = name(schedule.format(level));
    return {{"schedule", to_text(schedule)},
            {"canonical", to_text(canonical(schedule))},
            {"nickname", nickname(schedule)},
            {"operator", name(schedule.op)},
            {"splits", splits},
            {"loops", names_of(existing_loops(schedule))},
            {"formats", formats},
            {"parallel", name(schedule.parallel)},
            {"threads", schedule.threads},
            {"chunk", schedule.chunk}};
}

std::string to_text(const StorageFacts& storage) {
    Table table({{"level"},
                 {"format"},
                 {"extent", Align::Right},
                 {"positions", Align::Right},
                 {"size", Align::Right}});
    for (std::size_t l = 0; l < storage.format.levels.size(); ++l) {
        const StorageLevel& level = storage.format.levels[l];
        table.add_row({name(level.loop), std::string(name(level.format)), fmt::to_string(level.extent),
                       fmt::to_string(storage.size.positions[l]), bytes_text(level_bytes(storage, l))});
    }
    const std::int64_t values = storage.size.positions.back();
    table.add_row({"values", "", "", fmt::to_string(values), bytes_text(4 * static_cast<double>(values))});
    std::string text = fmt::format(
        "{}\nstorage   {}, {:.3g} times fixed CSR's {}\n", table.text(), format_bytes(storage.size.bytes),
        static_cast<double>(storage.size.bytes) / static_cast<double>(storage.csr_bytes),
        format_bytes(storage.csr_bytes));
    if (storage.refusal)
        text += fmt::format("          too large to be measured: {}\n", storage.refusal->message);
    return text;
}

Json to_json(const StorageFacts& storage) {
    Json levels = Json::array();
    for (std::size_t l = 0; l < storage.format.levels.size(); ++l)
        levels.push_back({{"loop", name(storage.format.levels[l].loop)},
                          {"format", name(storage.format.levels[l].format)},
                          {"extent", storage.format.levels[l].extent},
                          {"positions", storage.size.positions[l]}});
    return {{"levels", levels},
            {"bytes", storage.size.bytes},
            {"fixed_csr_bytes", storage.csr_bytes},
            {"refused", storage.refusal ? Json(storage.refusal->message) : Json()}};
}

constexpr CommandHelp schedules_help{.description = R"(
A SuperSchedule is the storage format of the sparse matrix together with the loop
schedule of the operator. It is one line in WACO's form:

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
Says which SuperSchedules are valid and what is wrong with the others. Each argument
is a file, or else a schedule on one line (quote it). Lines of files may end in " =
milliseconds", as in collected data; blank lines are skipped. Exit code 1 when one is
not valid.)",
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
    session.answer(json, fmt::format("{} valid, {} not valid\n", verdicts.valid, verdicts.invalid.size()));
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
Draws SuperSchedules without duplicates, and prints one a line. If a matrix is given,
`collect` measures the same ones with the same --seed, --sampler and count (and fixed
CSR, which is left out here).

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
    session.answer(json, text);
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
Explains a SuperSchedule: splits, loop order, level formats, parallel loop, and the
loop nest that is compiled for it, as C. The nest depends on the extents, so give a
matrix, or --rows and --cols (4096 each where nothing is given). If a matrix is given,
the size of its storage is shown level by level, next to that of fixed CSR.

--c, --llvm and --assembly print only that code. --costs prints the loop nest with the
simulated milliseconds of each line on a matrix. Instructions belong to the line that
executes them, cache lines to the line that loads them, and thread costs to the
parallel loop. The hot loop has the cycles of an iteration by LLVM's machine-code
analyser, and its assembly follows. --count runs the kernel here and adds what the
processor counts, where the system allows it.)",
                                          .examples = R"(
sparsight-cli schedules show '1 32 8 i1 k1 j1 k0 i0 j0 1 1 0 1 i1 2 32'
sparsight-cli schedules show '1 32 8 i1 k1 j1 k0 i0 j0 1 1 0 1 i1 2 32' --matrix cage8.mtx.gz
sparsight-cli schedules show --operator spmv '1 1 i1 k1 i0 k0 1 1 0 1 i1 2 32' --assembly
sparsight-cli schedules show '1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32' --matrix cage8.mtx.gz --costs --machine epyc-7543)",
                                          .json = R"(
{"schedule", "canonical", "nickname", "operator", "splits": {"i", …}, "loops": ["i1", …],
 "formats": {"i1": "uncompressed", …}, "parallel", "threads", "chunk",
 "extents": {"i", …}, "c",
 "storage": {"levels": [{"loop", "format", "extent", "positions"}], "bytes",
             "fixed_csr_bytes", "refused"}}
storage is null without a matrix; refused is null or the reason. --llvm and
--assembly add a field of that name. --costs adds
 "costs": {"machine", "ms", "terms": {TERM: MS}, "lines": [{"code", "ms", "share",
   "terms", "runs", "instructions": {PARAMETER: COUNT}, "cycles", "l2_bytes",
   "l3_bytes", "memory_bytes"}], "hot_loop": {"cpu", "line", "loop",
   "instructions", "cycles", "multiply_adds", "vector_bits", "bottleneck",
   "assembly"}, "not_analysed"}
The ms of the lines add up to those of the whole; instructions, cycles and bytes
are of one run, over all threads. --count adds "counted": {"cycles",
"instructions", "cache_misses"}, or null and "no_counters", the reason.)"};

struct ScheduleShowOptions {
    ScheduleInput schedule;
    bool c = false;
    bool llvm = false;
    bool assembly = false;
    CostsForm costs;
};

struct MachineCode {
    std::string llvm;
    std::string assembly;
};

Result<MachineCode> compile(const ScheduleShowOptions& options, const LoopNest& nest) {
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

void print_json(const Session& session, const ScheduleShowOptions& options, const SuperSchedule& schedule,
                const LoopNest& nest, const MachineCode& code, const std::optional<StorageFacts>& storage,
                const std::optional<CountedCosts>& costs) {
    Json json = meaning_json(schedule);
    json["extents"] = extents_json(nest);
    json["c"] = print_c(nest);
    if (options.llvm)
        json["llvm"] = code.llvm;
    if (options.assembly)
        json["assembly"] = code.assembly;
    if (costs)
        add_costs_json(json, *costs, options.costs.count);
    json["storage"] = storage ? to_json(*storage) : Json();
    session.print_json(json);
}

void print_text(const Session& session, const ScheduleShowOptions& options, const SuperSchedule& schedule,
                const LoopNest& nest, const MachineCode& code, const std::optional<StorageFacts>& storage,
                const std::optional<CountedCosts>& costs) {
    if (costs) {
        session.print(costs_text(*costs) + code.llvm + code.assembly);
        return;
    }
    if (options.c || options.llvm || options.assembly) {
        session.print((options.c ? print_c(nest) : std::string()) + code.llvm + code.assembly);
        return;
    }
    std::string text = meaning_text(schedule);
    if (storage)
        text += "\n" + to_text(*storage);
    session.print(text + "\n" + print_c(nest));
}

ExitCode show_schedule(Session& session, const ScheduleShowOptions& options) {
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
    std::optional<CountedCosts> costs;
    if (options.costs.costs) {
        auto found = costs_of(session, options.costs, *given);
        if (!found)
            return session.refuse(found.error());
        costs = std::move(*found);
    }
    if (session.options.json)
        print_json(session, options, given->schedule, nest, *code, storage, costs);
    else
        print_text(session, options, given->schedule, nest, *code, storage, costs);
    return ExitCode::Done;
}

} // namespace

void add_schedules_show(CLI::App& schedules, Session& session) {
    CLI::App& command =
        add_command(schedules, "show", "Explain a schedule and show its code", schedules_show_help);
    const auto options = std::make_shared<ScheduleShowOptions>();
    add_schedule_options(command, options->schedule)->required();
    command.add_flag("--c", options->c, "only the loop nest as C");
    command.add_flag("--llvm", options->llvm, "only the optimised LLVM IR for this computer");
    command.add_flag("--assembly", options->assembly, "only the assembly for this computer");
    add_costs_options(command, options->costs);
    set_action(command, session, [&session, options] { return show_schedule(session, *options); });
}

} // namespace sparsight
