#include "base/process.h"
#include "domains/records/record_source.h"
#include "domains/records/records.h"
#include "domains/tensors/tensor_domain.h"
#include "learn/blocks/block_commands.h"
#include "learn/commands.h"
#include "learn/loading_watch.h"
#include "learn/records/record_presets.h"
#include "learn/sparse/sparse_commands.h"
#include "learning/decisions/decision_learning.h"

#include <unistd.h>

namespace {

/// They learn from their facts and decisions alone.
void add_records(sparsight::Learner& learner) {
    (void)learner.domains.add(sparsight::make_records_domain()); // each has a name of its own
    learner.learning.add(
        std::make_unique<sparsight::DecisionLearning>(*learner.domains.find(sparsight::records_domain)));
    learner.presets.insert(learner.presets.end(), sparsight::record_presets.begin(),
                           sparsight::record_presets.end());
}

/// Likewise.
void add_tensors(sparsight::Learner& learner) {
    (void)learner.domains.add(sparsight::make_tensor_domain());
    learner.learning.add(
        std::make_unique<sparsight::DecisionLearning>(*learner.domains.find(sparsight::tensors_domain)));
}

/// What stands in this section runs before the libraries do.
using Initializer = void (*)();
[[gnu::used, gnu::section(".preinit_array")]] const Initializer before_libraries = sparsight::begin_loading;

} // namespace

/// The only place of the program that names the domains.
int main(int argc, char** argv) {
    sparsight::end_loading();
    // The libraries read their settings when they are loaded, which is before main(): begin again with them.
    if (sparsight::improve_library_settings())
        ::execv("/proc/self/exe", argv); // where that fails, it is only slower
    sparsight::Learner learner;
    sparsight::add_sparse(learner);
    add_records(learner);
    sparsight::add_blocks(learner);
    add_tensors(learner);
    return sparsight::run_learner(std::move(learner), argc, argv);
}
