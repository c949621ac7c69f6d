#include "store/schema.h"

#include "store/sqlite.h"

#include <array>
#include <fmt/format.h>

namespace sparsight {

namespace {

// Times are UTC, ISO 8601. Numbers of milliseconds are NULL where there is none.
constexpr std::string_view version_1 = R"sql(
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- rows, cols, nnz are 0 while a matrix is known by its name alone (imported runtimes).
CREATE TABLE matrices (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    rows INTEGER NOT NULL,
    cols INTEGER NOT NULL,
    nnz INTEGER NOT NULL,
    source TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    statistics TEXT,
    added TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

-- Apart from matrices, so that listing those does not walk through megabytes. Either a blob or a file.
CREATE TABLE patterns (
    matrix_id INTEGER PRIMARY KEY REFERENCES matrices ON DELETE CASCADE,
    structure BLOB,
    entry_values BLOB,
    file TEXT,
    CHECK ((structure IS NULL) <> (file IS NULL))
) STRICT;

CREATE TABLE machines (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    probed TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

-- text is the schedule as it was written; schedules with equal canonical text mean the same.
CREATE TABLE schedules (
    id INTEGER PRIMARY KEY,
    operator TEXT NOT NULL,
    text TEXT NOT NULL,
    canonical TEXT NOT NULL,
    threads INTEGER NOT NULL,
    is_fixed_csr INTEGER NOT NULL,
    UNIQUE (operator, text)
) STRICT;

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    parameters TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'stopped', 'failed')),
    message TEXT NOT NULL DEFAULT '',
    started TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    ended TEXT
) STRICT;

-- The operator is the schedule's.
CREATE TABLE measurements (
    id INTEGER PRIMARY KEY,
    matrix_id INTEGER NOT NULL REFERENCES matrices ON DELETE CASCADE,
    machine_id INTEGER NOT NULL REFERENCES machines ON DELETE CASCADE,
    schedule_id INTEGER NOT NULL REFERENCES schedules,
    dense INTEGER NOT NULL,
    protocol TEXT NOT NULL,
    status TEXT NOT NULL,
    median_ms REAL,
    spread_ms REAL,
    repeats INTEGER NOT NULL,
    pack_ms REAL NOT NULL,
    compile_ms REAL NOT NULL,
    bytes INTEGER NOT NULL,
    reason TEXT NOT NULL,
    run_id INTEGER REFERENCES runs ON DELETE SET NULL,
    measured TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    UNIQUE (matrix_id, machine_id, dense, protocol, schedule_id)
) STRICT;
CREATE INDEX measurements_by_machine ON measurements (machine_id);
CREATE INDEX measurements_by_schedule ON measurements (schedule_id);
CREATE INDEX measurements_by_run ON measurements (run_id);

-- value is NULL for not-a-number.
CREATE TABLE metrics (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    name TEXT NOT NULL,
    step INTEGER NOT NULL,
    value REAL,
    PRIMARY KEY (run_id, name, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    run_id INTEGER REFERENCES runs ON DELETE SET NULL,
    parent_id INTEGER REFERENCES models ON DELETE SET NULL,
    description TEXT NOT NULL,
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
CREATE TABLE weights (
    model_id INTEGER PRIMARY KEY REFERENCES models ON DELETE CASCADE,
    tensors BLOB NOT NULL
) STRICT;

CREATE TABLE splits (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE split_members (
    split_id INTEGER NOT NULL REFERENCES splits ON DELETE CASCADE,
    part TEXT NOT NULL CHECK (part IN ('total', 'train', 'validation', 'test')),
    position INTEGER NOT NULL,
    matrix_id INTEGER NOT NULL REFERENCES matrices ON DELETE CASCADE,
    PRIMARY KEY (split_id, part, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX split_members_by_matrix ON split_members (matrix_id);
)sql";

constexpr std::string_view version_2 = R"sql(
-- From where a training run that is not finished goes on (learning/training_state.h).
CREATE TABLE training_states (
    run_id INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    state BLOB NOT NULL,
    saved TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

-- What a model chose for a matrix, best first (rank 1). What became of it is in measurements.
CREATE TABLE choices (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    model_id INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
    matrix_id INTEGER NOT NULL REFERENCES matrices ON DELETE CASCADE,
    rank INTEGER NOT NULL,
    schedule_id INTEGER NOT NULL REFERENCES schedules,
    score REAL,
    PRIMARY KEY (run_id, model_id, matrix_id, rank)
) STRICT, WITHOUT ROWID;
CREATE INDEX choices_by_model ON choices (model_id);
CREATE INDEX choices_by_matrix ON choices (matrix_id);
CREATE INDEX choices_by_schedule ON choices (schedule_id);
)sql";

constexpr std::string_view version_3 = R"sql(
-- What the fastest schedules of an evaluation took when they were measured once more, in turns.
CREATE TABLE rematches (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    matrix_id INTEGER NOT NULL REFERENCES matrices ON DELETE CASCADE,
    schedule_id INTEGER NOT NULL REFERENCES schedules,
    median_ms REAL NOT NULL,
    spread_ms REAL NOT NULL,
    turns INTEGER NOT NULL,
    PRIMARY KEY (run_id, matrix_id, schedule_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX rematches_by_matrix ON rematches (matrix_id);
CREATE INDEX rematches_by_schedule ON rematches (schedule_id);
)sql";

constexpr std::string_view version_4 = R"sql(
-- Every turn has its time, so that turns can be told apart: of before there is one, the median of all. What
-- could not be measured in turns has the reason.
CREATE TABLE rematch_turns (
    run_id INTEGER NOT NULL,
    matrix_id INTEGER NOT NULL,
    schedule_id INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    median_ms REAL NOT NULL,
    PRIMARY KEY (run_id, matrix_id, schedule_id, turn),
    FOREIGN KEY (run_id, matrix_id, schedule_id) REFERENCES rematches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO rematch_turns SELECT run_id, matrix_id, schedule_id, 1, median_ms FROM rematches WHERE turns > 0;
ALTER TABLE rematches ADD COLUMN error TEXT NOT NULL DEFAULT '';
ALTER TABLE rematches DROP COLUMN median_ms;
ALTER TABLE rematches DROP COLUMN spread_ms;
ALTER TABLE rematches DROP COLUMN turns;
)sql";

constexpr std::array steps{version_1, version_2, version_3, version_4};

} // namespace

std::span<const std::string_view> schema_steps() {
    return steps;
}

Result<std::int64_t> stored_version(Database& database) {
    const auto version = database.first([](Statement& row) { return row.integer(0); }, "PRAGMA user_version");
    if (!version)
        return std::unexpected(version.error());
    return version->value_or(0);
}

Result<void> migrate(Database& database) {
    for (;;) {
        auto transaction = Transaction::begin(database);
        if (!transaction)
            return std::unexpected(std::move(transaction).error());
        // Asked under the write lock: another process may have taken the step in the meantime.
        const auto version = stored_version(database);
        if (!version)
            return std::unexpected(version.error());
        if (*version >= schema_version())
            return {};
        if (auto done = database.run_script(std::string(steps[static_cast<std::size_t>(*version)])); !done)
            return done;
        if (auto done = database.run_script(fmt::format("PRAGMA user_version = {}", *version + 1)); !done)
            return done;
        if (auto done = transaction->commit(); !done)
            return done;
    }
}

} // namespace sparsight
