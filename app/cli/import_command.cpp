#include "cli/import_command.h"

#include "base/terminal_text.h"
#include "cli/commands.h"
#include "command/options.h"
#include "command/program.h"
#include "workflow/chosen_setting.h"
#include "workflow/import/workload_import.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace sparsight {

ExitCode end_adding(const Job& job, const AddedWorkloads& workloads) {
    const auto& [verb, added, already_there, failed, is_complete, table, has_summary] = workloads;
    job.observer.clear();
    if (job.observer.tells_events())
        job.observer.end({{verb, added.size()}, {"already_there", already_there}, {"failed", failed.size()}},
                         is_complete, !is_complete);
    else
        job.session.answer({{verb, added}, {"failed", failed_json(failed)}},
                           table.empty() ? "" : table.text());
    if (has_summary && job.observer.tells_people())
        job.session.remark(fmt::format("{} {}, {} of them there before; {} failed", added.size(), verb,
                                       already_there, failed.size()));
    if (!is_complete) {
        job.observer.note(fmt::format("stopped: what is listed was {}", verb));
        return ExitCode::Interrupted;
    }
    return failed.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

ExitCode end_import(const Job& job, const Json& json, const std::string& text,
                    std::span<const Error> problems, std::size_t count, bool is_stopped) {
    job.observer.clear();
    complain_of_lines(job.observer, problems, count);
    job.observer.answer(json, text, is_stopped);
    if (is_stopped) {
        job.observer.note("stopped: what was read is imported; the same command goes on");
        return ExitCode::Interrupted;
    }
    return count == 0 ? ExitCode::Done : ExitCode::SomeFailed;
}

namespace {

constexpr CommandHelp new_help{.description = R"(
Makes an empty workspace: one file that holds workloads, machines, configurations and
measurements. An existing file is never changed. If FILE is missing, --workspace names
the new file.)",
                               .examples = R"(
sparsight-cli new experiment.sparsight
export SPARSIGHT_WORKSPACE=experiment.sparsight    # for all commands that follow)",
                               .json = R"({"workspace": FILE})"};

/// The file that is given here counts, whatever --workspace and the environment say: one makes a second
/// workspace while the first one is named.
ExitCode make_workspace(Session& session, const std::string& file) {
    const std::string path = file.empty() ? session.workspace_path() : file;
    const auto workspace = Workspace::create(path, session.program_version());
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    if (session.options.json)
        session.print_json({{"workspace", path}});
    else
        session.remark(fmt::format("made the workspace {}", path));
    return ExitCode::Done;
}

} // namespace

void add_new_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "new", "Make an empty workspace", new_help);
    const auto file = std::make_shared<std::string>();
    command.add_option("file", *file, "the new workspace")->type_name("FILE");
    set_action(command, session, [&session, file] { return make_workspace(session, *file); });
}

namespace {

constexpr CommandHelp import_help{.description = R"(
Adds workloads of files to the workspace, and the times that files hold of them. What
a file is depends on the domain: that of the workspace, or --domain.

Matrices (sparse): Matrix Market (.mtx), WACO (.csr) and DLMC (.smtx). A file may be
compressed (.gz, .bz2, .xz, .zst) or in an archive of the SuiteSparse Matrix
Collection (.tar, .tar.gz, .zip). A matrix is named after its file, without folder and
suffixes. A matrix with the same name and entries as a stored one is skipped. If its
entries differ, the file is refused: give it another name with --name. Entries that a
file states twice are added up and counted, and so are explicit zeros, which stay
entries. --waco FOLDER takes collected data in WACO's form instead: the matrix lists,
NAME.txt with "schedule = milliseconds" lines, NAME.csr. --machine names the machine
of these runtimes, and --operator and --dense say what was measured.

Sparse tensors (tensors): files of FROSTT (.tns), also compressed, of order 3 or 4.
They are recognised by their suffix. A tensor is named after its file. Entries that a
file states twice are added up and counted.

Tuning records (records): tables and logs of auto-tuners; `import-records --help`
explains them.

Basic blocks (blocks): tables of machine code with measured cycles; `import-blocks
--help` explains them.

Each file is stored when it is read. A file that can't be read is listed with line and
reason, and the others are imported (exit code 1). A missing ./workspace.sparsight is
made, unless --workspace names another file.)",
                                  .examples = R"(
sparsight-cli import cage8.mtx.gz web-Google.tar.gz
sparsight-cli import matrices/*.mtx.gz --workspace experiment.sparsight
sparsight-cli import other/cage8.mtx --name cage8-reordered
sparsight-cli import --waco collected --machine 'Xeon E5-2680 v3' --operator spmm
sparsight-cli import nell-2.tns
sparsight-cli import --domain records gemm4096.csv.xz --machines machines.csv)",
                                  .json = R"(
{"imported": [{"name", "rows", "cols", "nnz", "source", "duplicates_merged",
               "explicit_zeros", "already_there"}],
 "failed":   [{"file", "line", "error"}]}
A tensor has "sizes" in the place of "rows" and "cols", and "not_finite". line is null where no line is concerned, as in binary files. In domains other than
sparse a workload has {"name", "source", "facts", "already_there"}; of tuning records
it is what `import-records` prints, and of basic blocks what `import-blocks` prints. With --waco:
{"matrices", "patterns", "measurements", "failed_runs", "outliers",
 "failed": [{"file", "line", "error"}]})",
                                  .events = R"(
{"event": "start", "job", "files"}
{"event": "imported", and what --json has for the matrix}
{"event": "failed", "file", "line", "error"}
{"event": "end", "imported", "already_there", "failed", "seconds", "complete",
 "stopped"}  with --waco and of tuning records what --json prints)"};

struct ImportOptions {
    ImportOrder order;
    std::string domain;
    PartsOfCommand<ImportOrder> parts;
    ProgressForm progress = ProgressForm::Display;
};

/// That of --domain, or the one that the files can only be of; empty: neither.
std::string domain_of(const ImportOptions& options) {
    return options.domain.empty() ? std::string(options.parts.recognised_domain(options.order))
                                  : options.domain;
}

/// What the domain that is asked for refuses.
Result<const DomainPart<ImportOrder>*> part_of(const ImportOptions& options, const Domain& domain) {
    auto own = options.parts.of(domain);
    if (!own)
        return own;
    if (*own == nullptr && !options.order.machine.empty())
        return foreign_option("--machine", domain.name());
    if (*own != nullptr)
        if (auto checked = (*own)->check_own(options.order); !checked)
            return std::unexpected(std::move(checked).error());
    return own;
}

Result<void> check(const Session& session, const ImportOptions& options) {
    if (const auto* const source = options.parts.with_own_source(); source != nullptr) {
        const auto domain =
            session.domains.require(options.domain.empty() ? source->domain() : options.domain);
        const auto own = domain ? options.parts.of(**domain) : std::unexpected(domain.error());
        return own ? options.parts.check(options.order) : std::unexpected(own.error());
    }
    if (options.order.files.empty())
        return fail(Fault::Input, "a file to import is missing");
    if (auto checked = options.parts.check(options.order); !checked)
        return checked;
    if (std::filesystem::exists(session.workspace_path()))
        return {}; // its domain is known once it is open
    const std::string asked = domain_of(options);
    const auto domain =
        asked.empty() ? Result<const Domain*>(session.domains.all().front()) : session.domains.require(asked);
    const auto part = domain ? part_of(options, **domain) : std::unexpected(domain.error());
    return part ? Result<void>() : std::unexpected(part.error());
}

ExitCode import_described(const Job& job, const Domain& domain, const ImportOrder& order) {
    const auto imported = import_workloads(job.workspace, domain, order.files, job.observer, job.stop());
    if (!imported)
        return job.observer.refuse(imported.error(), ExitCode::Workspace);
    AddedWorkloads added{.verb = "imported",
                         .already_there = imported->known(),
                         .failed = imported->failed,
                         .is_complete = imported->files == order.files.size(),
                         .table = Table({{"name"}, {"facts"}, {"remarks"}})};
    for (const ImportedWorkload& workload : imported->imported) {
        added.added.push_back(imported_json(workload));
        added.table.add_row({workload.name, workload.facts, workload.already_there ? "already there" : ""});
    }
    return end_adding(job, added);
}

ExitCode import_as_asked(const Job& job, ImportOptions& options) {
    const auto* part = options.parts.with_own_source();
    if (part == nullptr) {
        const auto domain = choose_domain(job.workspace, job.session.domains, domain_of(options));
        if (!domain)
            return job.observer.refuse(domain.error(), ExitCode::Usage);
        const auto own = part_of(options, **domain);
        if (!own)
            return job.observer.refuse(own.error(), ExitCode::Usage);
        if (*own == nullptr)
            return import_described(job, **domain, options.order);
        part = *own;
    }
    options.order.job = &job;
    return part->run(job.session, options.order);
}

} // namespace

void add_import_command(CLI::App& app, Session& session, const Importers& importers) {
    CLI::App& command = add_command(app, "import", "Add files to the workspace", import_help);
    const auto options = std::make_shared<ImportOptions>(ImportOrder{}, "", PartsOfCommand(importers));
    command.add_option("files", options->order.files, "matrices, or tables of tuning records")
        ->type_name("FILE");
    add_domain_option(command, session.domains, options->domain);
    command.add_option("--machine", options->order.machine, "machine of the runtimes in the files")
        ->type_name("NAME");
    options->parts.add_options(command);
    add_progress_option(command, options->progress);
    set_job(
        command, session, "import", options->progress, WorkspaceUse::Make,
        [options](const Job& job) { return import_as_asked(job, *options); },
        [&session, options] { return check(session, *options); });
}

} // namespace sparsight
