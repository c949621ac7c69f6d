// What sparsight-learn does, sparsight-cli hands over to it: the same process becomes that program, so that
// signals, outputs and exit codes are its own.
#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class Session;

/// Its commands, for the list of commands and for hints at misspelled ones.
void add_learner_commands(CLI::App& app);

/// Whether the command line has one of its commands.
[[nodiscard]] bool is_for_learner(int argc, char** argv);

/// The exit code for when it can't be started; otherwise there is no return. It is looked for beside this
/// program, then on PATH.
[[nodiscard]] int become_learner(Session& session, char** argv);

} // namespace sparsight
