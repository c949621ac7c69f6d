// sparsight-learn with the toy domain alone.
#include "learn/commands.h"
#include "learning/decisions/decision_learning.h"
#include "toy/lock_domain.h"

int main(int argc, char** argv) {
    sparsight::Learner learner;
    (void)learner.domains.add(sparsight::toy::make_lock_domain()); // there is no other one
    learner.learning.add(std::make_unique<sparsight::DecisionLearning>(*learner.domains.all().front()));
    return sparsight::run_learner(std::move(learner), argc, argv);
}
