#include "cli/commands.h"
#include "cli/explanation/sparse_diagnosis.h"
#include "collection/measuring_domain.h"
#include "domains/records/records.h"
#include "domains/sparse/clock/schedule_measurement.h"
#include "domains/sparse/sparse_domain.h"

/// The only place of the program that names the domains.
int main(int argc, char** argv) {
    sparsight::DomainRegistry domains;
    for (auto make : {&sparsight::make_sparse_domain, &sparsight::make_records_domain})
        (void)domains.add(make()); // each has a name of its own
    sparsight::MeasuringDomains measuring;
    measuring.add(sparsight::make_sparse_measuring());
    sparsight::DiagnosingDomains diagnosing;
    diagnosing.push_back(sparsight::make_sparse_diagnosis());
    return sparsight::run_command_line(std::move(domains), measuring, diagnosing, argc, argv);
}
