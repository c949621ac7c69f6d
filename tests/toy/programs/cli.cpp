// sparsight-cli with the toy domain alone.
#include "cli/commands.h"
#include "toy/lock_domain.h"
#include "toy/lock_measuring.h"

int main(int argc, char** argv) {
    sparsight::DomainRegistry domains;
    (void)domains.add(sparsight::toy::make_lock_domain()); // there is no other one
    sparsight::MeasuringDomains measuring;
    measuring.add(sparsight::toy::make_lock_measuring());
    return sparsight::run_command_line(std::move(domains), measuring, {}, argc, argv);
}
