#include "cli/blocks/block_commands.h"
#include "cli/commands.h"
#include "cli/records/record_commands.h"
#include "cli/sparse/hot_loop_command.h"
#include "cli/sparse/sparse_commands.h"
#include "cli/tensors/tensor_commands.h"
#include "command/program.h"
#include "domains/blocks/explanation/block_loop_analyst.h"

/// The only place of the program that names the domains.
int main(int argc, char** argv) {
    sparsight::hold_interrupts();
    sparsight::CommandLine program;
    sparsight::add_sparse(program);
    sparsight::add_records(program);
    sparsight::add_blocks(program);
    sparsight::add_tensors(program);
    // One domain compiles kernels, and another one knows machine code.
    program.commands.push_back(
        [](CLI::App& app, sparsight::Session& session, const sparsight::MeasuringDomains&) {
            sparsight::add_hot_loop_command(app, session, &sparsight::make_block_loop_analyst);
        });
    return sparsight::run_command_line(std::move(program), argc, argv);
}
