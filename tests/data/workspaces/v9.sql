-- A workspace of format version 9, as Sparsight 0.1.0 wrote it (.dump, and the two marks).
PRAGMA application_id = 1399870311;
PRAGMA user_version = 9;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE choices (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    model_id INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
    workload_id INTEGER NOT NULL REFERENCES workloads ON DELETE CASCADE,
    rank INTEGER NOT NULL,
    configuration_id INTEGER NOT NULL REFERENCES configurations,
    score REAL,
    PRIMARY KEY (run_id, model_id, workload_id, rank)
) STRICT, WITHOUT ROWID;
INSERT INTO "choices" VALUES(1,1,1,1,2,-1.5);
INSERT INTO "choices" VALUES(1,1,1,2,1,NULL);
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
INSERT INTO "configurations" VALUES(1,'sparse','spmm','1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32','1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32',2,1);
INSERT INTO "configurations" VALUES(2,'sparse','spmm','8 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 16','8 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 16',2,0);
INSERT INTO "configurations" VALUES(3,'sparse','spmm','8 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 16','8 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 16',2,0);
INSERT INTO "configurations" VALUES(4,'loaves','rye','heat=230','heat=230',1,0);
CREATE TABLE machines (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    probed TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
INSERT INTO "machines" VALUES(1,'0123','laptop','{"cores":2}','2026-11-20T13:10:56.840Z');
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
INSERT INTO "measurements" VALUES(1,1,1,1,1,'adaptive','','measured',4.0,0.1,30,0.0,0.0,100,'','2026-11-20T13:10:56.840Z',NULL,NULL,NULL,NULL,NULL,NULL,1,1853210572114738112);
INSERT INTO "measurements" VALUES(2,1,1,1,2,'adaptive','','measured',2.0,0.1,30,0.0,0.0,100,'','2026-11-20T13:10:56.840Z',NULL,NULL,NULL,NULL,NULL,NULL,1,8324089802212891635);
INSERT INTO "measurements" VALUES(3,1,1,1,3,'adaptive','','too large',NULL,NULL,0,0.0,0.0,1099511627776,'would take 1 TiB','2026-11-20T13:10:56.840Z',NULL,NULL,NULL,NULL,NULL,NULL,1,4503415507033857870);
INSERT INTO "measurements" VALUES(4,3,1,2,4,'recorded','run=a','measured',8.0,0.5,30,0.0,0.0,100,'','2026-11-23T13:10:56.839Z','engine 1',9.0,0.25,0.125,0.0625,0.0,NULL,-1581424120012190730);
CREATE TABLE metrics (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    name TEXT NOT NULL,
    step INTEGER NOT NULL,
    value REAL,
    PRIMARY KEY (run_id, name, step)
) STRICT, WITHOUT ROWID;
INSERT INTO "metrics" VALUES(1,'loss',1,0.5);
CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    run_id INTEGER REFERENCES runs ON DELETE SET NULL,
    parent_id INTEGER REFERENCES models ON DELETE SET NULL,
    description TEXT NOT NULL,
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
INSERT INTO "models" VALUES(1,'first',1,NULL,'{}','2026-11-20T13:10:56.840Z');
CREATE TABLE payloads (
    id INTEGER PRIMARY KEY,
    workload_id INTEGER NOT NULL REFERENCES workloads ON DELETE CASCADE,
    part TEXT NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (workload_id, part)
) STRICT;
INSERT INTO "payloads" VALUES(1,1,'structure',X'050000000000000078016362606464020000160007');
INSERT INTO "payloads" VALUES(2,1,'values',X'0C000000000000007801636068B0676060700022070009430180');
CREATE TABLE rematch_turns (
    run_id INTEGER NOT NULL,
    workload_id INTEGER NOT NULL,
    configuration_id INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    median_ms REAL NOT NULL,
    PRIMARY KEY (run_id, workload_id, configuration_id, turn),
    FOREIGN KEY (run_id, workload_id, configuration_id) REFERENCES rematches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO "rematch_turns" VALUES(1,1,2,1,0.75);
INSERT INTO "rematch_turns" VALUES(1,1,2,2,0.5);
CREATE TABLE rematches (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    workload_id INTEGER NOT NULL REFERENCES workloads ON DELETE CASCADE,
    configuration_id INTEGER NOT NULL REFERENCES configurations,
    error TEXT NOT NULL,
    PRIMARY KEY (run_id, workload_id, configuration_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "rematches" VALUES(1,1,1,'7 GiB of memory are not there');
INSERT INTO "rematches" VALUES(1,1,2,'');
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    parameters TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'stopped', 'failed')),
    message TEXT NOT NULL DEFAULT '',
    started TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    ended TEXT
) STRICT;
INSERT INTO "runs" VALUES(1,'collect','{"seed":1}','finished','','2026-11-20T13:10:56.840Z','2026-11-20T13:10:56.840Z');
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "settings" VALUES('created_by','Sparsight 0.1.0');
CREATE TABLE split_members (
    split_id INTEGER NOT NULL REFERENCES splits ON DELETE CASCADE,
    part TEXT NOT NULL CHECK (part IN ('total', 'train', 'validation', 'test')),
    position INTEGER NOT NULL,
    workload_id INTEGER NOT NULL REFERENCES workloads ON DELETE CASCADE,
    PRIMARY KEY (split_id, part, position)
) STRICT, WITHOUT ROWID;
INSERT INTO "split_members" VALUES(1,'train',0,1);
INSERT INTO "split_members" VALUES(1,'test',0,2);
CREATE TABLE splits (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO "splits" VALUES(1,'halves');
CREATE TABLE study_settings (
    id INTEGER PRIMARY KEY,
    domain TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (domain, text)
) STRICT;
INSERT INTO "study_settings" VALUES(1,'sparse','spmm dense=256');
INSERT INTO "study_settings" VALUES(2,'loaves','');
CREATE TABLE training_states (
    run_id INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    state BLOB NOT NULL,
    saved TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
INSERT INTO "training_states" VALUES(1,X'010203','2026-11-21T22:40:00.000Z');
CREATE TABLE weights (
    model_id INTEGER PRIMARY KEY REFERENCES models ON DELETE CASCADE,
    tensors BLOB NOT NULL
) STRICT;
INSERT INTO "weights" VALUES(1,X'01020304');
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
INSERT INTO "workloads" VALUES(1,'sparse','small','{"rows":2,"cols":3,"nnz":3}','small.mtx','09ec2ab9fdee3ad8c5f811769302d2f8','{"density":0.5}',NULL,'2026-11-20T13:10:56.839Z');
INSERT INTO "workloads" VALUES(2,'sparse','named','{}','a list','',NULL,NULL,'2026-11-20T13:10:56.840Z');
INSERT INTO "workloads" VALUES(3,'loaves','oven','{"racks":3}','a kitchen','abc',NULL,NULL,'2026-11-23T13:10:56.839Z');
CREATE INDEX measurements_by_machine ON measurements (machine_id);
CREATE INDEX measurements_by_configuration ON measurements (configuration_id);
CREATE INDEX measurements_by_run ON measurements (run_id);
CREATE INDEX split_members_by_workload ON split_members (workload_id);
CREATE INDEX choices_by_model ON choices (model_id);
CREATE INDEX choices_by_workload ON choices (workload_id);
CREATE INDEX choices_by_configuration ON choices (configuration_id);
CREATE INDEX rematches_by_workload ON rematches (workload_id);
CREATE INDEX rematches_by_configuration ON rematches (configuration_id);
CREATE TABLE earlier_times (
    measurement_id INTEGER NOT NULL REFERENCES measurements ON DELETE CASCADE,
    measured TEXT NOT NULL,
    median_ms REAL NOT NULL,
    spread_ms REAL, status TEXT NOT NULL DEFAULT 'measured', engine TEXT,
    PRIMARY KEY (measurement_id, measured)
) STRICT, WITHOUT ROWID;
INSERT INTO "earlier_times" VALUES(4,'2026-11-22T13:10:56.839Z',7.5,0.5,'measured','engine 1');
CREATE TABLE failed_repeats (
    measurement_id INTEGER NOT NULL REFERENCES measurements ON DELETE CASCADE,
    attempted TEXT NOT NULL, status TEXT, median_ms REAL,
    PRIMARY KEY (measurement_id, attempted)
) STRICT, WITHOUT ROWID;
INSERT INTO "failed_repeats" VALUES(4,'2026-11-24T13:10:56.839Z','gave up',80.0);
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
COMMIT;
