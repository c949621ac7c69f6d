#include "base/process.h"
#include "command/learn_program.h"
#include "domains/records/record_table.h"
#include "domains/records/records.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/workflow/learning_settings.h"
#include "learn/commands.h"
#include "learn/sparse/sparse_commands.h"
#include "learning/decisions/decision_learning.h"

#include <unistd.h>

/// The only place of the program that names the domains.
int main(int argc, char** argv) {
    // The libraries read their settings when they are loaded, which is before main(): begin again with them.
    if (sparsight::improve_library_settings())
        ::execv("/proc/self/exe", argv); // where that fails, it is only slower
    sparsight::Learner learner;
    for (auto make : {&sparsight::make_sparse_domain, &sparsight::make_records_domain})
        (void)learner.domains.add(make()); // each has a name of its own
    learner.learning.add(std::make_unique<sparsight::SparseLearning>());
    learner.learning.add(std::make_unique<sparsight::DecisionLearning>(
        *learner.domains.find(sparsight::records_domain))); // it was added above
    learner.commands = {&sparsight::add_reasons_command, &sparsight::add_transfer_command};
    learner.presets = sparsight::sparse_presets;
    learner.foreign_models = sparsight::published_weights_files();
    return sparsight::run_learner(std::move(learner), argc, argv);
}
