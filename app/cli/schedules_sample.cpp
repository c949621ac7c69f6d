#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/matrix_source.h"
#include "cli/sampler_option.h"
#include "collection/schedule_choice.h"
#include "command/command.h"
#include "command/options.h"
#include "command/session.h"
#include "schedule/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

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
        const auto matrix = load_named_matrix(session, options.matrix);
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

} // namespace sparsight
