// What sparsight-learn has for basic blocks alone.
#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class LearningDomains;
class Session;
struct Learner;
class LearningDomains;
class Session;

void add_tune_simulator_command(CLI::App& app, Session& session, const LearningDomains& domains);

/// The domain, its models, predictions for a table of blocks, and the study.
void add_blocks(Learner& learner);

void add_block_study_command(CLI::App& app, Session& session, const LearningDomains& domains);
/// Answers LearnedBlockModel of another program.
void add_block_cycles_command(CLI::App& app, Session& session, const LearningDomains& domains);

} // namespace sparsight
