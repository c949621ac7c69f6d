#include "store/schema.h"

#include "store/sqlite.h"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <utility>

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

constexpr std::string_view version_5 = R"sql(
-- Workloads, configurations and runtimes of any domain. Before, all were of the sparse one.
ALTER TABLE matrices RENAME TO old_matrices;
ALTER TABLE patterns RENAME TO old_patterns;
ALTER TABLE schedules RENAME TO old_schedules;
ALTER TABLE measurements RENAME TO old_measurements;
ALTER TABLE split_members RENAME TO old_split_members;
ALTER TABLE choices RENAME TO old_choices;
ALTER TABLE rematches RENAME TO old_rematches;
ALTER TABLE rematch_turns RENAME TO old_rematch_turns;

-- facts is a JSON object in the domain's words. The data is in payloads or in the file; neither: unknown.
CREATE TABLE workloads (
    id INTEGER PRIMARY KEY,
    domain TEXT NOT NULL,
    name TEXT NOT NULL,
    facts TEXT NOT NULL,
    source TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    statistics TEXT,
    file TEXT,
    added TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    UNIQUE (domain, name)
) STRICT;
INSERT INTO workloads
    SELECT m.id, 'sparse', m.name,
           CASE WHEN p.matrix_id IS NULL THEN '{}'
                ELSE printf('{"rows":%d,"cols":%d,"nnz":%d}', m.rows, m.cols, m.nnz) END,
           m.source, m.content_hash, m.statistics, p.file, m.added
    FROM old_matrices m LEFT JOIN old_patterns p ON p.matrix_id = m.id ORDER BY m.id;

-- Apart from workloads, so that listing those does not walk through megabytes.
CREATE TABLE payloads (
    id INTEGER PRIMARY KEY,
    workload_id INTEGER NOT NULL REFERENCES workloads ON DELETE CASCADE,
    part TEXT NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (workload_id, part)
) STRICT;
INSERT INTO payloads (workload_id, part, content)
    SELECT matrix_id, 'structure', structure FROM old_patterns WHERE structure IS NOT NULL ORDER BY matrix_id;
INSERT INTO payloads (workload_id, part, content)
    SELECT matrix_id, 'values', entry_values FROM old_patterns WHERE entry_values IS NOT NULL ORDER BY matrix_id;

-- What is computed on the data of a workload (core/study/workload.h).
CREATE TABLE study_settings (
    id INTEGER PRIMARY KEY,
    domain TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (domain, text)
) STRICT;
INSERT INTO study_settings (domain, text)
    SELECT DISTINCT 'sparse', s.operator || CASE WHEN s.operator = 'spmv' THEN '' ELSE ' dense=' || m.dense END
    FROM old_measurements m JOIN old_schedules s ON s.id = m.schedule_id;

-- text is the configuration as it was written, which has a meaning within its family (of the sparse domain an
-- operator); configurations with equal canonical text mean the same.
CREATE TABLE configurations (
    id INTEGER PRIMARY KEY,
    domain TEXT NOT NULL,
    family TEXT NOT NULL,
    text TEXT NOT NULL,
    canonical TEXT NOT NULL,
    threads INTEGER NOT NULL,
    is_baseline INTEGER NOT NULL,
    UNIQUE (domain, family, text)
) STRICT;
INSERT INTO configurations
    SELECT id, 'sparse', operator, text, canonical, threads, is_fixed_csr FROM old_schedules ORDER BY id;

-- condition: of the run, as it was recorded; mostly empty. engine: the version of what measured.
-- reference_ms: the nearest median of the baseline. scatter_ms, error_ms, drift_ms: of the runs, of their
-- median, of the computer. disturbance: by other programs. NULL where it is not known.
-- checksum: of all columns but id and run_id (row_checksum in core/store/sqlite.cpp).
CREATE TABLE measurements (
    id INTEGER PRIMARY KEY,
    workload_id INTEGER NOT NULL REFERENCES workloads ON DELETE CASCADE,
    machine_id INTEGER NOT NULL REFERENCES machines ON DELETE CASCADE,
    setting_id INTEGER NOT NULL REFERENCES study_settings,
    configuration_id INTEGER NOT NULL REFERENCES configurations,
    protocol TEXT NOT NULL,
    condition TEXT NOT NULL,
    status TEXT NOT NULL,
    median_ms REAL,
    spread_ms REAL,
    repeats INTEGER NOT NULL,
    pack_ms REAL NOT NULL,
    compile_ms REAL NOT NULL,
    bytes INTEGER NOT NULL,
    reason TEXT NOT NULL,
    measured TEXT NOT NULL,
    engine TEXT,
    reference_ms REAL,
    scatter_ms REAL,
    error_ms REAL,
    drift_ms REAL,
    disturbance REAL,
    run_id INTEGER REFERENCES runs ON DELETE SET NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (workload_id, machine_id, setting_id, protocol, condition, configuration_id)
) STRICT;
INSERT INTO measurements
    SELECT id, workload_id, machine_id, setting_id, configuration_id, protocol, condition, status, median_ms,
           spread_ms, repeats, pack_ms, compile_ms, bytes, reason, measured, NULL, NULL, NULL, NULL, NULL,
           NULL, run_id,
           row_checksum(workload_id, machine_id, setting_id, configuration_id, protocol, condition, status,
                        median_ms, spread_ms, repeats, pack_ms, compile_ms, bytes, reason, measured, NULL,
                        NULL, NULL, NULL, NULL, NULL)
    FROM (SELECT m.id, m.matrix_id AS workload_id, m.machine_id, t.id AS setting_id,
                 m.schedule_id AS configuration_id, m.protocol, '' AS condition, m.status, m.median_ms,
                 m.spread_ms, m.repeats, m.pack_ms, m.compile_ms, m.bytes, m.reason, m.measured, m.run_id
          FROM old_measurements m JOIN old_schedules s ON s.id = m.schedule_id
          JOIN study_settings t ON t.domain = 'sparse' AND
              t.text = s.operator || CASE WHEN s.operator = 'spmv' THEN '' ELSE ' dense=' || m.dense END
          ORDER BY m.id);

CREATE TABLE split_members (
    split_id INTEGER NOT NULL REFERENCES splits ON DELETE CASCADE,
    part TEXT NOT NULL CHECK (part IN ('total', 'train', 'validation', 'test')),
    position INTEGER NOT NULL,
    workload_id INTEGER NOT NULL REFERENCES workloads ON DELETE CASCADE,
    PRIMARY KEY (split_id, part, position)
) STRICT, WITHOUT ROWID;
INSERT INTO split_members SELECT split_id, part, position, matrix_id FROM old_split_members;

CREATE TABLE choices (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    model_id INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
    workload_id INTEGER NOT NULL REFERENCES workloads ON DELETE CASCADE,
    rank INTEGER NOT NULL,
    configuration_id INTEGER NOT NULL REFERENCES configurations,
    score REAL,
    PRIMARY KEY (run_id, model_id, workload_id, rank)
) STRICT, WITHOUT ROWID;
INSERT INTO choices SELECT run_id, model_id, matrix_id, rank, schedule_id, score FROM old_choices;

CREATE TABLE rematches (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    workload_id INTEGER NOT NULL REFERENCES workloads ON DELETE CASCADE,
    configuration_id INTEGER NOT NULL REFERENCES configurations,
    error TEXT NOT NULL,
    PRIMARY KEY (run_id, workload_id, configuration_id)
) STRICT, WITHOUT ROWID;
INSERT INTO rematches SELECT run_id, matrix_id, schedule_id, error FROM old_rematches;
CREATE TABLE rematch_turns (
    run_id INTEGER NOT NULL,
    workload_id INTEGER NOT NULL,
    configuration_id INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    median_ms REAL NOT NULL,
    PRIMARY KEY (run_id, workload_id, configuration_id, turn),
    FOREIGN KEY (run_id, workload_id, configuration_id) REFERENCES rematches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO rematch_turns SELECT run_id, matrix_id, schedule_id, turn, median_ms FROM old_rematch_turns;

DROP TABLE old_rematch_turns;
DROP TABLE old_rematches;
DROP TABLE old_choices;
DROP TABLE old_split_members;
DROP TABLE old_measurements;
DROP TABLE old_schedules;
DROP TABLE old_patterns;
DROP TABLE old_matrices;
CREATE INDEX measurements_by_machine ON measurements (machine_id);
CREATE INDEX measurements_by_configuration ON measurements (configuration_id);
CREATE INDEX measurements_by_run ON measurements (run_id);
CREATE INDEX split_members_by_workload ON split_members (workload_id);
CREATE INDEX choices_by_model ON choices (model_id);
CREATE INDEX choices_by_workload ON choices (workload_id);
CREATE INDEX choices_by_configuration ON choices (configuration_id);
CREATE INDEX rematches_by_workload ON rematches (workload_id);
CREATE INDEX rematches_by_configuration ON rematches (configuration_id);
)sql";

constexpr std::string_view version_6 = R"sql(
-- The times that a measurement replaced: its configuration was measured again under the same conditions. A
-- row that does not match its checksum is no time. A simulated time is no measurement: none is kept.
CREATE TABLE earlier_times (
    measurement_id INTEGER NOT NULL REFERENCES measurements ON DELETE CASCADE,
    measured TEXT NOT NULL,
    median_ms REAL NOT NULL,
    spread_ms REAL,
    PRIMARY KEY (measurement_id, measured)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER keep_earlier_time BEFORE UPDATE OF measured ON measurements
WHEN OLD.status = 'measured' AND OLD.median_ms IS NOT NULL AND OLD.measured <> NEW.measured AND
    OLD.reason NOT LIKE 'simulated (%' AND
    OLD.checksum = row_checksum(OLD.workload_id, OLD.machine_id, OLD.setting_id, OLD.configuration_id,
                                OLD.protocol, OLD.condition, OLD.status, OLD.median_ms, OLD.spread_ms,
                                OLD.repeats, OLD.pack_ms, OLD.compile_ms, OLD.bytes, OLD.reason, OLD.measured,
                                OLD.engine, OLD.reference_ms, OLD.scatter_ms, OLD.error_ms, OLD.drift_ms,
                                OLD.disturbance)
BEGIN
    INSERT OR IGNORE INTO earlier_times
        VALUES (OLD.id, OLD.measured, OLD.median_ms, CASE WHEN OLD.repeats > 0 THEN OLD.spread_ms END);
END;
)sql";

constexpr std::string_view version_7 = R"sql(
-- Attempts to measure again what has a time already, which came to nothing: the time stands.
CREATE TABLE failed_repeats (
    measurement_id INTEGER NOT NULL REFERENCES measurements ON DELETE CASCADE,
    attempted TEXT NOT NULL,
    PRIMARY KEY (measurement_id, attempted)
) STRICT, WITHOUT ROWID;
)sql";

constexpr std::string_view version_8 = R"sql(
-- What was abandoned once and timed later, or the other way round, has changed, too: earlier times and
-- attempts in vain have a status as measurements have, and its lower bound where they were abandoned. Nothing
-- is known of the attempts before this step. Abandoned again and again, only the last bound is kept.
ALTER TABLE earlier_times ADD COLUMN status TEXT NOT NULL DEFAULT 'measured';
ALTER TABLE failed_repeats ADD COLUMN status TEXT;
ALTER TABLE failed_repeats ADD COLUMN median_ms REAL;
DROP TRIGGER keep_earlier_time;
CREATE TRIGGER keep_earlier_time BEFORE UPDATE OF measured ON measurements
WHEN (OLD.status = 'measured' OR (OLD.status = 'gave up' AND NEW.status = 'measured')) AND
    OLD.median_ms IS NOT NULL AND OLD.measured <> NEW.measured AND OLD.reason NOT LIKE 'simulated (%' AND
    OLD.checksum = row_checksum(OLD.workload_id, OLD.machine_id, OLD.setting_id, OLD.configuration_id,
                                OLD.protocol, OLD.condition, OLD.status, OLD.median_ms, OLD.spread_ms,
                                OLD.repeats, OLD.pack_ms, OLD.compile_ms, OLD.bytes, OLD.reason, OLD.measured,
                                OLD.engine, OLD.reference_ms, OLD.scatter_ms, OLD.error_ms, OLD.drift_ms,
                                OLD.disturbance)
BEGIN
    INSERT OR IGNORE INTO earlier_times (measurement_id, measured, median_ms, spread_ms, status)
        VALUES (OLD.id, OLD.measured, OLD.median_ms, CASE WHEN OLD.repeats > 0 THEN OLD.spread_ms END,
                OLD.status);
END;
)sql";

constexpr std::string_view version_9 = R"sql(
-- Times of two engines are not compared, so an earlier time needs to know its engine. NULL: not known, as of
-- all that were replaced before this step.
ALTER TABLE earlier_times ADD COLUMN engine TEXT;
DROP TRIGGER keep_earlier_time;
CREATE TRIGGER keep_earlier_time BEFORE UPDATE OF measured ON measurements
WHEN (OLD.status = 'measured' OR (OLD.status = 'gave up' AND NEW.status = 'measured')) AND
    OLD.median_ms IS NOT NULL AND OLD.measured <> NEW.measured AND OLD.reason NOT LIKE 'simulated (%' AND
    OLD.checksum = row_checksum(OLD.workload_id, OLD.machine_id, OLD.setting_id, OLD.configuration_id,
                                OLD.protocol, OLD.condition, OLD.status, OLD.median_ms, OLD.spread_ms,
                                OLD.repeats, OLD.pack_ms, OLD.compile_ms, OLD.bytes, OLD.reason, OLD.measured,
                                OLD.engine, OLD.reference_ms, OLD.scatter_ms, OLD.error_ms, OLD.drift_ms,
                                OLD.disturbance)
BEGIN
    INSERT OR IGNORE INTO earlier_times (measurement_id, measured, median_ms, spread_ms, status, engine)
        VALUES (OLD.id, OLD.measured, OLD.median_ms, CASE WHEN OLD.repeats > 0 THEN OLD.spread_ms END,
                OLD.status, OLD.engine);
END;
)sql";

constexpr std::array steps{version_1, version_2, version_3, version_4, version_5,
                           version_6, version_7, version_8, version_9};

/// Within a connection a temporary view comes before the table of its name.
constexpr std::string_view views_of_version_8 = R"sql(
CREATE TEMP VIEW earlier_times AS
    SELECT measurement_id, measured, median_ms, spread_ms, status, NULL AS engine FROM main.earlier_times;
)sql";

} // namespace

std::span<const std::string_view> schema_steps() {
    return steps;
}

Result<void> stand_in_for_new_columns(Database& database) {
    return database.run_script(std::string(views_of_version_8));
}

Result<std::int64_t> stored_version(Database& database) {
    const auto version = database.first([](Statement& row) { return row.integer(0); }, "PRAGMA user_version");
    if (!version)
        return std::unexpected(version.error());
    return version->value_or(0);
}

namespace {

/// What refers to a row that is not there, which no finished step leaves behind.
Result<void> check_references(Database& database) {
    const auto loose = database.all([](Statement& row) { return row.text(0); }, "PRAGMA foreign_key_check");
    if (!loose)
        return std::unexpected(loose.error());
    if (loose->empty())
        return {};
    return fail_in_file(Fault::Input, database.path().string(), 0,
                        fmt::format("the workspace is damaged: {} rows refer to what is not there, the first "
                                    "of them in {}",
                                    loose->size(), loose->front()));
}

Result<void> take_steps(Database& database) {
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    // Asked under the write lock: another process may have taken the steps in the meantime.
    const auto version = stored_version(database);
    if (!version)
        return std::unexpected(version.error());
    if (*version >= schema_version())
        return {};
    for (const std::string_view step : schema_steps().subspan(static_cast<std::size_t>(*version)))
        if (auto done = database.run_script(std::string(step)); !done)
            return done;
    if (auto checked = check_references(database); !checked)
        return checked;
    if (auto done = database.run_script(fmt::format("PRAGMA user_version = {}", schema_version())); !done)
        return done;
    return transaction->commit();
}

} // namespace

Result<void> migrate(Database& database) {
    // Otherwise dropping an old table would take with it what refers to it. Within a transaction the setting
    // can't be changed.
    if (auto off = database.run_script("PRAGMA foreign_keys = OFF"); !off)
        return off;
    auto taken = take_steps(database);
    auto on = database.run_script("PRAGMA foreign_keys = ON");
    return taken ? on : taken;
}

} // namespace sparsight
