// The command `experiment blocks`.
#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class Session;

/// Part of `experiment`.
void add_block_study(CLI::App& experiment, Session& session);

} // namespace sparsight
