-- A workspace of format version 4, as Sparsight 0.1.0 wrote it (.dump, and the two marks).
PRAGMA application_id = 1399870311;
PRAGMA user_version = 4;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO settings VALUES('created_by','Sparsight 0.1.0');
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
INSERT INTO matrices VALUES(1,'small',2,3,3,'small.mtx','09ec2ab9fdee3ad8c5f811769302d2f8','{"density":0.5}','2026-11-20T13:10:56.839Z');
INSERT INTO matrices VALUES(2,'named',0,0,0,'a list','',NULL,'2026-11-20T13:10:56.840Z');
CREATE TABLE patterns (
    matrix_id INTEGER PRIMARY KEY REFERENCES matrices ON DELETE CASCADE,
    structure BLOB,
    entry_values BLOB,
    file TEXT,
    CHECK ((structure IS NULL) <> (file IS NULL))
) STRICT;
INSERT INTO patterns VALUES(1,X'050000000000000078016362606464020000160007',X'0c000000000000007801636068b0676060700022070009430180',NULL);
CREATE TABLE machines (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    probed TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
INSERT INTO machines VALUES(1,'0123','laptop','{"cores":2}','2026-11-20T13:10:56.840Z');
CREATE TABLE schedules (
    id INTEGER PRIMARY KEY,
    operator TEXT NOT NULL,
    text TEXT NOT NULL,
    canonical TEXT NOT NULL,
    threads INTEGER NOT NULL,
    is_fixed_csr INTEGER NOT NULL,
    UNIQUE (operator, text)
) STRICT;
INSERT INTO schedules VALUES(1,'spmm','1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32','1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32',2,1);
INSERT INTO schedules VALUES(2,'spmm','8 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 16','8 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 16',2,0);
INSERT INTO schedules VALUES(3,'spmm','8 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 16','8 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 2 16',2,0);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    parameters TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'stopped', 'failed')),
    message TEXT NOT NULL DEFAULT '',
    started TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    ended TEXT
) STRICT;
INSERT INTO runs VALUES(1,'collect','{"seed":1}','finished','','2026-11-20T13:10:56.840Z','2026-11-20T13:10:56.840Z');
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
INSERT INTO measurements VALUES(1,1,1,1,256,'adaptive','measured',4.0,0.10000000000000000555,30,0.0,0.0,100,'',1,'2026-11-20T13:10:56.840Z');
INSERT INTO measurements VALUES(2,1,1,2,256,'adaptive','measured',2.0,0.10000000000000000555,30,0.0,0.0,100,'',1,'2026-11-20T13:10:56.840Z');
INSERT INTO measurements VALUES(3,1,1,3,256,'adaptive','too large',NULL,NULL,0,0.0,0.0,1099511627776,'would take 1 TiB',1,'2026-11-20T13:10:56.840Z');
CREATE TABLE metrics (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    name TEXT NOT NULL,
    step INTEGER NOT NULL,
    value REAL,
    PRIMARY KEY (run_id, name, step)
) STRICT, WITHOUT ROWID;
INSERT INTO metrics VALUES(1,'loss',1,0.5);
CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    run_id INTEGER REFERENCES runs ON DELETE SET NULL,
    parent_id INTEGER REFERENCES models ON DELETE SET NULL,
    description TEXT NOT NULL,
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
INSERT INTO models VALUES(1,'first',1,NULL,'{}','2026-11-20T13:10:56.840Z');
CREATE TABLE weights (
    model_id INTEGER PRIMARY KEY REFERENCES models ON DELETE CASCADE,
    tensors BLOB NOT NULL
) STRICT;
INSERT INTO weights VALUES(1,X'01020304');
CREATE TABLE splits (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO splits VALUES(1,'halves');
CREATE TABLE split_members (
    split_id INTEGER NOT NULL REFERENCES splits ON DELETE CASCADE,
    part TEXT NOT NULL CHECK (part IN ('total', 'train', 'validation', 'test')),
    position INTEGER NOT NULL,
    matrix_id INTEGER NOT NULL REFERENCES matrices ON DELETE CASCADE,
    PRIMARY KEY (split_id, part, position)
) STRICT, WITHOUT ROWID;
INSERT INTO split_members VALUES(1,'train',0,1);
INSERT INTO split_members VALUES(1,'test',0,2);
CREATE TABLE training_states (
    run_id INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    state BLOB NOT NULL,
    saved TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
INSERT INTO training_states VALUES(1,X'010203','2026-11-21T22:40:00.000Z');
CREATE TABLE choices (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    model_id INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
    matrix_id INTEGER NOT NULL REFERENCES matrices ON DELETE CASCADE,
    rank INTEGER NOT NULL,
    schedule_id INTEGER NOT NULL REFERENCES schedules,
    score REAL,
    PRIMARY KEY (run_id, model_id, matrix_id, rank)
) STRICT, WITHOUT ROWID;
INSERT INTO choices VALUES(1,1,1,1,2,-1.5);
INSERT INTO choices VALUES(1,1,1,2,1,NULL);
CREATE TABLE rematches (
    run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    matrix_id INTEGER NOT NULL REFERENCES matrices ON DELETE CASCADE,
    schedule_id INTEGER NOT NULL REFERENCES schedules,
    error TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (run_id, matrix_id, schedule_id)
) STRICT, WITHOUT ROWID;
INSERT INTO rematches VALUES(1,1,2,'');
INSERT INTO rematches VALUES(1,1,1,'7 GiB of memory are not there');
CREATE TABLE rematch_turns (
    run_id INTEGER NOT NULL,
    matrix_id INTEGER NOT NULL,
    schedule_id INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    median_ms REAL NOT NULL,
    PRIMARY KEY (run_id, matrix_id, schedule_id, turn),
    FOREIGN KEY (run_id, matrix_id, schedule_id) REFERENCES rematches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO rematch_turns VALUES(1,1,2,1,0.75);
INSERT INTO rematch_turns VALUES(1,1,2,2,0.5);
CREATE INDEX measurements_by_machine ON measurements (machine_id);
CREATE INDEX measurements_by_schedule ON measurements (schedule_id);
CREATE INDEX measurements_by_run ON measurements (run_id);
CREATE INDEX split_members_by_matrix ON split_members (matrix_id);
CREATE INDEX choices_by_model ON choices (model_id);
CREATE INDEX choices_by_matrix ON choices (matrix_id);
CREATE INDEX choices_by_schedule ON choices (schedule_id);
CREATE INDEX rematches_by_matrix ON rematches (matrix_id);
CREATE INDEX rematches_by_schedule ON rematches (schedule_id);
COMMIT;
