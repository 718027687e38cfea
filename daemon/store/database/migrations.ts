/**
 * The daemon's tables, one numbered step per version, each in one transaction. Times are milliseconds of the wall
 * clock, for people and for ordering only: nothing in the schema is decided by comparing two of them.
 */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Rows with a number of their own are never deleted, so that no number comes twice.

-- What sites answered, word for word. \`body\` becomes NULL 90 days after everything that came of it is delivered.
CREATE TABLE orders_raw (
  id INTEGER PRIMARY KEY,
  site TEXT NOT NULL,
  polled_kkm TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  hash TEXT NOT NULL,
  body TEXT
) STRICT;
CREATE INDEX orders_raw_text ON orders_raw (received_at) WHERE body IS NOT NULL;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL CHECK (source IN ('site', 'schedule', 'operator')),
  site TEXT,
  raw INTEGER REFERENCES orders_raw (id),
  polled_kkm TEXT,
  order_id TEXT,
  receipt_id TEXT,
  -- domain 7.3: compared within one key_version only
  order_key TEXT,
  key_version INTEGER,
  canonical TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('receipt', 'service')),
  operation TEXT CHECK (operation IN ('sale', 'return')),
  total INTEGER,
  receipt TEXT NOT NULL,
  -- 1: the operator had it printed although its key was printed before
  forced INTEGER NOT NULL DEFAULT 0,
  -- the register that is to print it (or did); its tax ids are those of tax_register
  register TEXT NOT NULL,
  tax_register TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'printing', 'unsure', 'printed', 'failed', 'refused', 'cancelled')),
  -- programs of the job that are done: a service job has several
  done_parts INTEGER NOT NULL DEFAULT 0,
  -- whether any of its programs ever began: from then on it moves only after a proven not-printed
  began INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  fault_code TEXT,
  fault_message TEXT,
  -- what the site was told last: a result is told again only when it has become another
  reported TEXT CHECK (reported IN ('printed', 'failed', 'unknown')),
  fn TEXT,
  fd INTEGER,
  fiscal_sign TEXT,
  shift INTEGER,
  receipt_number INTEGER,
  document_time TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- the order mark (shared/receipt/mark.ts), made once at accept
  issuer TEXT,
  mark_digits TEXT
) STRICT;
-- Each index costs every commit that touches it a page of the log: only those that a query of every day needs are kept.
CREATE UNIQUE INDEX jobs_document ON jobs (fn, fd) WHERE fn IS NOT NULL;
CREATE INDEX jobs_key ON jobs (site, order_key);
CREATE INDEX jobs_order ON jobs (order_id, site);
CREATE INDEX jobs_shift ON jobs (fn, shift) WHERE fn IS NOT NULL;
CREATE INDEX jobs_raw ON jobs (raw);
CREATE INDEX jobs_register ON jobs (register);
-- What waits and what has ended apart: an ended job's entry is written once.
CREATE INDEX jobs_open ON jobs (state, register) WHERE state IN ('queued', 'printing', 'unsure');
CREATE INDEX jobs_not_printed ON jobs (state) WHERE state IN ('failed', 'refused', 'cancelled');

-- One row per program run: committed before its first byte, with what "before" was.
CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL REFERENCES jobs (id),
  -- which of the job's programs, and how many it has; a shift opening on the way belongs to the part it prepares
  part INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  register TEXT NOT NULL,
  witness TEXT NOT NULL,
  baseline TEXT NOT NULL,
  fn TEXT NOT NULL,
  last_fd INTEGER NOT NULL,
  shift INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  outcome TEXT CHECK (outcome IN ('printed', 'not-printed', 'unsure')),
  fault_code TEXT,
  fault_message TEXT,
  -- last document number when the fence was passed: nothing above it can be of this attempt
  fence_fd INTEGER,
  -- why it could not be settled, and the documents that could be its own (JSON), once the register was read
  doubt TEXT,
  -- shift totals read before a closing (JSON)
  shift_totals TEXT
) STRICT;
CREATE INDEX attempts_job ON attempts (job, id);
CREATE INDEX attempts_register ON attempts (register);
CREATE INDEX attempts_drive ON attempts (register, fn, last_fd);
CREATE INDEX attempts_closing ON attempts (fn, shift) WHERE json_extract(witness, '$.kind') = 'shift-close';

-- Fiscal documents that were read back and belong to no job (yet): gap check, first sight of a register.
CREATE TABLE documents (
  fn TEXT NOT NULL,
  fd INTEGER NOT NULL,
  register TEXT NOT NULL,
  mark TEXT,
  document TEXT NOT NULL,
  read_at INTEGER NOT NULL,
  -- only what a loss, or the first sight of a register, left unexplained makes an order unsure
  found TEXT NOT NULL DEFAULT 'gap' CHECK (found IN ('loss', 'first-sight', 'gap')),
  PRIMARY KEY (fn, fd)
) STRICT, WITHOUT ROWID;
CREATE INDEX documents_mark ON documents (mark) WHERE mark IS NOT NULL;
-- The last 8 characters of a mark are its digits.
CREATE INDEX documents_digits ON documents (substr(mark, -8)) WHERE mark IS NOT NULL;

CREATE TABLE registers (
  id TEXT PRIMARY KEY,
  kkm TEXT,
  inn TEXT,
  fn TEXT,
  identity TEXT,
  tables TEXT,
  last_fd INTEGER,
  shift TEXT,
  connected INTEGER,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Models and firmwares whose documents we have once read back rightly (design 5, rule 7).
CREATE TABLE read_back_proofs (
  maker TEXT NOT NULL,
  model TEXT NOT NULL,
  firmware TEXT NOT NULL,
  proven_at INTEGER NOT NULL,
  PRIMARY KEY (maker, model, firmware)
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  site TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('result', 'connected', 'disconnected', 'zreport', 'sync', 'error')),
  -- events of one lane are delivered in order: results per order id, activity and Z per register
  lane TEXT NOT NULL,
  job INTEGER REFERENCES jobs (id),
  register TEXT,
  body TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'refused')),
  -- grows when a row is armed again with another body, so that a late "delivered" of the old body does not count
  revision INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  delivered_at INTEGER,
  -- tries of this body that a live site refused: after ten it steps aside, whenever the daemon was started in between
  refusals INTEGER NOT NULL DEFAULT 0,
  UNIQUE (job, kind, site)
) STRICT;
CREATE INDEX outbox_undelivered ON outbox (state, site) WHERE state IN ('pending', 'refused');
CREATE INDEX outbox_not_results ON outbox (site, kind) WHERE kind <> 'result';

-- Everything that happened, for \`explain\`: append only.
CREATE TABLE journal (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL CHECK (actor IN ('daemon', 'operator')),
  what TEXT NOT NULL,
  job INTEGER,
  register TEXT,
  site TEXT,
  event INTEGER,
  raw INTEGER,
  details TEXT
) STRICT;
CREATE INDEX journal_job ON journal (job, id);
CREATE INDEX journal_rejected ON journal (at) WHERE job IS NULL AND raw IS NOT NULL;
`,
  },
];
