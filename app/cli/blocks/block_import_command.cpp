#include "base/text.h"
#include "cli/blocks/block_commands.h"
#include "command/job.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/exchange/block_import.h"
#include "store/workloads.h"
#include "workflow/chosen_setting.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {
namespace {

constexpr CommandHelp import_blocks_help{.description = R"(
Adds basic blocks of x86-64 to the workspace, with their measured cycles, from tables of
comma-separated values, also compressed. The first line names the columns, in any order:
  hex           machine code as hexadecimal digits; needed
  block_id      the block's name; without it, its code
  tp_MACHINE    cycles per 100 iterations on this machine (as in BHive); may be empty
  may_alias     1: other addresses may have disturbed the measurement
  group_id      blocks of one group differ in constants alone; a split keeps them
                on one side
  group_in_other_split
                1: a held-out set has blocks of the same group; no model learns from it
  applications  where the block is from
Other columns are passed over.

Each block is decoded. A line that is no code, or that can't be read, is listed, and
all others are imported (exit code 1). A stopped import can simply be started again:
stored blocks stay, and a changed time replaces the stored one. Of several lines of one
block the first is stored.

--table has ports and latencies of instructions (see `block predict --help`); they are
stored with each of the machines that it knows. A model corrects the bound that they
give.)",
                                         .examples = R"(
sparsight-cli import-blocks blocks.csv.xz
sparsight-cli import-blocks blocks.csv.xz --table ports.csv
sparsight-cli import-blocks blocks.csv.xz --only-machines hsw,skl --without-aliasing)",
                                         .json = R"(
{"blocks", "groups", "machines", "measurements", "already_there", "replaced",
 "aliasing", "held_out_groups", "ports_of": [MACHINE], "repeated", "problems", "failed": [{"file", "line", "error"}]}
already_there and replaced count measurements; aliasing are blocks that were left out;
held_out_groups are blocks that no model learns from;
problems counts all lines that failed, of which "failed" has the first thousand.)",
                                         .events = R"(
{"event": "start", "job", "files"}
{"event": "failed", "file", "line", "error"})"};

Json to_json(const BlockImportReport& report) {
    return {{"blocks", report.blocks},
            {"groups", report.groups},
            {"machines", report.machines},
            {"measurements", report.measurements},
            {"already_there", report.already_there},
            {"replaced", report.replaced},
            {"aliasing", report.aliasing},
            {"held_out_groups", report.apart},
            {"ports_of", report.machines_with_ports},
            {"repeated", report.repeated},
            {"problems", report.problem_count},
            {"failed", failed_json(report.first_problems)}};
}

std::string to_text(const BlockImportReport& report) {
    std::string text = fmt::format(
        "Imported {} in {}, with {} on {}.\n"
        "Already stored: {}. Replaced: {}. Left out for aliasing: {}. Repeated lines: {}. "
        "Problems: {}.\n",
        counted(report.blocks, "block", "blocks"), counted(report.groups, "group", "groups"),
        counted(report.added(), "new time", "new times"), counted(report.machines, "machine", "machines"),
        report.already_there, report.replaced, report.aliasing, report.repeated, report.problem_count);
    if (report.apart > 0)
        text += fmt::format("No model learns from {}, as a held-out set has blocks of their groups.\n",
                            counted(report.apart, "block", "blocks"));
    if (!report.machines_with_ports.empty())
        text += fmt::format("Ports of instructions are stored with {}.\n",
                            fmt::join(report.machines_with_ports, ", "));
    return text;
}

ExitCode import_files(const Job& job, const BlockImportRequest& request) {
    // A workspace without anything opens with what it gets first.
    const auto before = workload_names(job.workspace);
    const auto domain = job.session.domains.require(blocks_domain);
    if (before && before->empty() && domain)
        if (const auto kept = keep_domain(job.workspace, **domain); !kept)
            return job.observer.refuse(kept.error());
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return job.observer.refuse(decoder.error());
    const auto report = import_blocks(job.workspace, *decoder, request, job.observer, job.stop());
    if (!report)
        return job.observer.refuse(report.error());
    return end_import(job, to_json(*report), to_text(*report), report->first_problems,
                      static_cast<std::size_t>(report->problem_count), report->is_stopped);
}

class BlockImporter final : public DomainPart<ImportOrder> {
public:
    std::string_view domain() const override { return blocks_domain; }

    void add_options(CLI::App& command) override {
        command
            .add_option("--only-machines", request_.machines,
                        "machines whose times are imported (default: all)")
            ->type_name("A,B")
            ->delimiter(',');
        command
            .add_option("--table", request_.port_tables,
                        "ports and latencies of instructions, to store with the\nmachines")
            ->type_name("FILE");
        command.add_flag("--without-aliasing", request_.leaves_out_aliasing,
                         "leave out blocks whose measurement may be disturbed");
    }

    ExitCode run(Session& /*session*/, ImportOrder& order) const override {
        BlockImportRequest request = request_;
        request.files.assign(order.files.begin(), order.files.end());
        if (!order.machine.empty())
            request.machines = {order.machine};
        return import_files(*order.job, request);
    }

private:
    BlockImportRequest request_;
};

struct ImportBlocksOptions {
    std::shared_ptr<DomainPart<ImportOrder>> importer;
    ImportOrder order;
    ProgressForm progress = ProgressForm::Display;
};

} // namespace

std::shared_ptr<DomainPart<ImportOrder>> make_block_importer() {
    return std::make_shared<BlockImporter>();
}

void add_import_blocks(CLI::App& app, Session& session, std::shared_ptr<DomainPart<ImportOrder>> importer) {
    CLI::App& command =
        add_command(app, "import-blocks", "Add basic blocks to the workspace", import_blocks_help);
    const auto options = std::make_shared<ImportBlocksOptions>();
    options->importer = std::move(importer);
    command.add_option("files", options->order.files, "tables of blocks")->type_name("FILE")->required();
    options->importer->add_options(command);
    add_progress_option(command, options->progress);
    set_job(command, session, "import-blocks", options->progress, WorkspaceUse::Make,
            [&session, options](const Job& job) {
                options->order.job = &job;
                return options->importer->run(session, options->order);
            });
}

} // namespace sparsight
