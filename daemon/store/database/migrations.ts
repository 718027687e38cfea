/**
 * The daemon's tables. Each version is one step, run in one transaction. Times are wall clock ms for display and
 * ordering, and no decision compares two times. A released step is never changed: a change of the tables is a new step.
 */
export interface Migration {
  readonly version: number;
  /** The SQL function `identity_of(order_id)` is `identityOf` of order-key.ts. */
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Rows with a generated id are never deleted, so that no id is used twice.

-- Answers of sites, verbatim. \`body\` becomes NULL 90 days after every event of the answer was delivered.
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
  -- 54-fz 14: compared within one key_version only
  order_key TEXT,
  key_version INTEGER,
  canonical TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('receipt', 'service')),
  operation TEXT CHECK (operation IN ('sale', 'return')),
  total INTEGER,
  receipt TEXT NOT NULL,
  -- 1: the operator ordered the print although a job with the same key was printed before
  forced INTEGER NOT NULL DEFAULT 0,
  -- the register that prints it or printed it
  register TEXT NOT NULL,
  -- JSON, made at accept: the VAT code (tag 1199) of each tax id of the receipt (shared/receipt/tax-meaning.ts), and the
  -- taxpayer and tax systems of its register
  taxes TEXT NOT NULL DEFAULT '[]',
  taxpayer TEXT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'printing', 'unsure', 'printed', 'failed', 'refused', 'cancelled')),
  -- number of finished programs: a service job has several
  done_parts INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  fault_code TEXT,
  fault_message TEXT,
  -- the last result that was reported to the site: only a different result is reported again
  reported TEXT CHECK (reported IN ('printed', 'failed', 'unknown')),
  fn TEXT,
  fd INTEGER,
  fiscal_sign TEXT,
  shift INTEGER,
  receipt_number INTEGER,
  document_time TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- the order mark (shared/receipt/order-mark.ts), made once at accept
  issuer TEXT,
  mark_digits TEXT
) STRICT;
-- Each index adds a page to the log of every commit that changes it: only queries of daily work have one.
CREATE UNIQUE INDEX jobs_document ON jobs (fn, fd) WHERE fn IS NOT NULL;
CREATE INDEX jobs_key ON jobs (site, order_key);
CREATE INDEX jobs_order ON jobs (order_id, site);
CREATE INDEX jobs_shift ON jobs (fn, shift) WHERE fn IS NOT NULL;
CREATE INDEX jobs_raw ON jobs (raw);
CREATE INDEX jobs_register ON jobs (register);
-- Two partial indexes: the entry of a finished job is written once.
CREATE INDEX jobs_open ON jobs (state, register) WHERE state IN ('queued', 'printing', 'unsure');
CREATE INDEX jobs_not_printed ON jobs (state) WHERE state IN ('failed', 'refused', 'cancelled');

-- One row per program run, committed before its first byte, with the state of the register before it.
CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL REFERENCES jobs (id),
  -- index of the program and number of programs of the job; a shift opening belongs to the part that needs it
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
  -- last document number when the fence was passed: no later document belongs to this attempt
  fence_fd INTEGER,
  -- JSON, set after the register was read: why the attempt is still unsure, and its candidate documents
  doubt TEXT,
  -- shift totals read before a closing (JSON)
  shift_totals TEXT
) STRICT;
-- Attempts are found by their job.
CREATE INDEX attempts_job ON attempts (job, id);
CREATE INDEX attempts_closing ON attempts (fn, shift) WHERE json_extract(witness, '$.kind') = 'shift-close';

-- Fiscal documents that were read from a register and belong to no job so far.
CREATE TABLE documents (
  fn TEXT NOT NULL,
  fd INTEGER NOT NULL,
  register TEXT NOT NULL,
  mark TEXT,
  document TEXT NOT NULL,
  read_at INTEGER NOT NULL,
  -- only documents found after a data loss or at the first connection of a register make an order unsure
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
  -- since when the operator lets the register print nothing
  paused_at INTEGER,
  -- the shift of a data loss: until it is over, nothing tells whether a site's order to move cash was carried out before
  cash_lost_shift INTEGER,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Models and firmwares whose own receipts were once read back correctly (exactly-once 21).
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
  -- JSON, of a list of registers: the tax rows in it with their VAT codes
  tax_rows TEXT,
  webhook_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'refused')),
  -- grows when the event is queued again with another body: a late "delivered" of the old body does not count
  revision INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  delivered_at INTEGER,
  -- how often a working site refused this body: after ten refusals, counted over restarts, the state is 'refused'
  refusals INTEGER NOT NULL DEFAULT 0,
  UNIQUE (job, kind, site)
) STRICT;
CREATE INDEX outbox_undelivered ON outbox (state, site) WHERE state IN ('pending', 'refused');
CREATE INDEX outbox_not_results ON outbox (site, kind) WHERE kind <> 'result';

-- Append-only history for \`explain\`.
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
-- Receipts beside the one of their order (journal.ts).
CREATE INDEX journal_doubles ON journal (at) WHERE what IN ('printed twice', 'printed after all');
`,
  },
  {
    version: 2,
    // Orders are compared by what a person sees of their numbers (order-key.ts). Receipts keep the original numbers.
    sql: "UPDATE jobs SET order_id = identity_of(order_id) WHERE order_id <> identity_of(order_id);",
  },
  {
    version: 3,
    sql: `
-- What the programs of receipts sent, as JSON by tag, until their documents are compared with it.
CREATE TABLE sent_documents (
  job INTEGER PRIMARY KEY REFERENCES jobs (id),
  register TEXT NOT NULL,
  sent TEXT NOT NULL,
  -- how often the document could not be read
  tries INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Values whose first document was compared on a register. They count while the basis is the same: drive, firmware,
-- registration, tables and settings.
CREATE TABLE checked_values (
  register TEXT NOT NULL,
  value TEXT NOT NULL,
  basis TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('compared', 'not-compared')),
  PRIMARY KEY (register, value)
) STRICT, WITHOUT ROWID;

-- Tags of documents that were read as they were sent at least once.
CREATE TABLE agreed_tags (
  maker TEXT NOT NULL,
  model TEXT NOT NULL,
  firmware TEXT NOT NULL,
  tag INTEGER NOT NULL,
  PRIMARY KEY (maker, model, firmware, tag)
) STRICT, WITHOUT ROWID;

-- Documents that are not what was sent; the first one of each kind.
CREATE TABLE document_differences (
  id INTEGER PRIMARY KEY,
  register TEXT NOT NULL,
  registration TEXT NOT NULL,
  basis TEXT NOT NULL,
  maker TEXT NOT NULL,
  model TEXT NOT NULL,
  firmware TEXT NOT NULL,
  tag INTEGER NOT NULL,
  sent TEXT NOT NULL,
  -- NULL: the document has no such tag
  read TEXT,
  weight TEXT NOT NULL CHECK (weight IN ('hold', 'warn')),
  job INTEGER NOT NULL REFERENCES jobs (id),
  fn TEXT NOT NULL,
  fd INTEGER NOT NULL,
  found_at INTEGER NOT NULL,
  -- when a person accepted it
  accepted_at INTEGER
) STRICT;
CREATE INDEX document_differences_held ON document_differences (register, basis) WHERE weight = 'hold';
`,
  },
  {
    version: 4,
    // A job may now be held. SQLite cannot change the condition of a column, so a new column takes its place.
    sql: `
DROP INDEX jobs_open;
DROP INDEX jobs_not_printed;
ALTER TABLE jobs RENAME COLUMN state TO former_state;
ALTER TABLE jobs ADD COLUMN state TEXT NOT NULL DEFAULT 'queued'
  CHECK (state IN ('queued', 'held', 'printing', 'unsure', 'printed', 'failed', 'refused', 'cancelled'));
UPDATE jobs SET state = former_state;
ALTER TABLE jobs DROP COLUMN former_state;
CREATE INDEX jobs_open ON jobs (state, register) WHERE state IN ('queued', 'held', 'printing', 'unsure');
CREATE INDEX jobs_not_printed ON jobs (state) WHERE state IN ('failed', 'refused', 'cancelled');
`,
  },
  {
    version: 5,
    // Results are told in Russian even after a restart. A document of a data loss counts until a person accepts the
    // register.
    sql: `
ALTER TABLE jobs ADD COLUMN fault_ru TEXT;
ALTER TABLE documents ADD COLUMN found_when TEXT NOT NULL DEFAULT 'running'
  CHECK (found_when IN ('running', 'afterCrash', 'afterLoss', 'newRegister'));
UPDATE documents SET found_when = CASE found WHEN 'loss' THEN 'afterLoss' ELSE 'newRegister' END WHERE found <> 'gap';
ALTER TABLE documents DROP COLUMN found;
DELETE FROM meta WHERE key LIKE 'loss-answered:%';
`,
  },
];
