#include "cli/commands.h"
#include "command/command.h"

#include <CLI/CLI.hpp>

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
    CLI::App& command = add_command(app, "schedules", "Draw, explain and check SuperSchedules", schedules_help);
    command.require_subcommand(1);
    add_schedules_sample(command, session);
    add_schedules_show(command, session);
    add_schedules_check(command, session);
}

} // namespace sparsight
