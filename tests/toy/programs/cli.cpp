// sparsight-cli with the toy domain alone.
#include "cli/commands.h"
#include "toy/lock_domain.h"
#include "toy/lock_measuring.h"

int main(int argc, char** argv) {
    sparsight::CommandLine program;
    (void)program.domains.add(sparsight::toy::make_lock_domain()); // there is no other one
    program.measuring.add(sparsight::toy::make_lock_measuring());
    program.simulating.push_back(sparsight::toy::make_lock_simulating());
    return sparsight::run_command_line(std::move(program), argc, argv);
}
