/** Queries of the fiscal drive: 78. */
import { query, read, row } from "./command-rows.js";

export const driveCommands = {
  driveSerial: query("78", 1, "drive serial", (r) => r.text()),
  driveState: query("78", 2, "drive state", (r) => ({
    state: r.integer(),
    document: r.integer(),
    warnings: r.integer(),
  })),
  lastFd: query("78", 3, "last document", (r) => r.integer()),
  shift: query("78", 6, "shift", (r) => ({ number: r.integer(), open: r.integer() === 1, receipts: r.integer() })),
  unsent: query("78", 7, "exchange with the OFD", (r) => ({
    state: r.integer(),
    count: r.integer(),
    firstFd: r.integer(),
    firstAt: r.left > 0 ? r.dateTime() : null,
  })),
  driveVersion: query("78", 14, "drive version", (r) => ({ version: r.text(), serial: r.integer(), ffd: r.integer() })),
  /** The format that the register works by, and the newest that it can. */
  format: query("78", 22, "format of documents", (r) => r.integer()),
  archivedDocument: row({
    ...read,
    name: "78/11 archived document",
    code: "78",
    request: (w, fd: number) => w.integer(11).integer(fd),
    answer: (r) => r.skip(2).hex(),
  }),
  beginReadTags: row({
    ...read,
    name: "78/15 tags of a document",
    code: "78",
    request: (w, fd: number) => w.integer(15).integer(fd),
    answer: (r) => ({ form: r.skip(1).integer(), size: r.integer() }),
  }),
  /** Each answer is the next piece: asking twice would leave a hole. */
  readTags: row({
    ...read,
    repeatable: false,
    name: "78/16 piece of tags",
    code: "78",
    request: (w) => w.integer(16),
    answer: (r) => r.skip(1).hex(),
  }),
  freeMemory: query("78", 18, "free memory", (r) => r.integer()),
} as const;
