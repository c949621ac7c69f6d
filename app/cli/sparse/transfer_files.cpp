#include "cli/sparse/transfer_files.h"

#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/sparse/explanation/pages/transfer_report.h"
#include "evaluation/reports/html.h"

namespace sparsight {

void add_transfer_files(CLI::App& command, TransferFiles& files) {
    command.add_option("--markdown", files.markdown, "write the tables as Markdown")->type_name("FILE");
    command.add_option("--csv", files.csv, "write every point of every seed")->type_name("FILE");
    command.add_option("--figure", files.figure, "write the curves of the pairs in the\nright order (SVG)")
        ->type_name("FILE");
    command.add_option("--report", files.report, "write a page with tables and figures (HTML)")
        ->type_name("FILE");
}

Result<void> write_transfer_files(const Session& session, const TransferFiles& files,
                                  const TransferExperiment& experiment) {
    const TransferMetric& pairs = transfer_metrics().front();
    return write_named_files(session,
                             {{files.markdown, [&] { return transfer_markdown(experiment); }},
                              {files.csv, [&] { return transfer_csv(experiment); }},
                              {files.figure, [&] { return svg_file(transfer_figure(experiment, pairs)); }},
                              {files.report, [&] { return transfer_html(experiment); }}});
}

} // namespace sparsight
