#include "store/training_states.h"

#include "store/sqlite.h"
#include "store/workspace.h"

namespace sparsight {

Result<void> save_training_state(Workspace& workspace, RunId run, std::span<const std::byte> state) {
    return workspace.database().run(
        "INSERT INTO training_states (run_id, state) VALUES (?, ?) "
        "ON CONFLICT DO UPDATE SET state = excluded.state, saved = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
        run, state);
}

Result<std::optional<StoredTrainingState>> find_training_state(Workspace& workspace, RunId run) {
    return workspace.database().first(
        [](Statement& row) {
            const auto bytes = row.blob(0);
            return StoredTrainingState{{bytes.begin(), bytes.end()}, row.text(1)};
        },
        "SELECT state, saved FROM training_states WHERE run_id = ?", run);
}

Result<void> remove_training_state(Workspace& workspace, RunId run) {
    return workspace.database().run("DELETE FROM training_states WHERE run_id = ?", run);
}

} // namespace sparsight
