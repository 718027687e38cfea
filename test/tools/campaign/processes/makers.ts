/** The registers of the campaign. A maker, model or protocol with another dialogue is one more row. */
import type { HostedEmulator } from "./emulator-host.js";

export interface MakerRow {
  readonly name: string;
  /** Name of the emulator and of the driver. */
  readonly maker: string;
  readonly protocol?: string;
  readonly driverOptions?: Readonly<Record<string, unknown>>;
  readonly listen: string;
  /** `connection` of the config, once the emulator's port is known. */
  connection(port: number): Readonly<Record<string, unknown>>;
  /** Facts that the maker's papers leave unconfirmed and that recovery depends on, with all their values. */
  readonly unconfirmed: Readonly<Record<string, readonly string[]>>;
  /** Facts that differ from the emulator's defaults in this row. */
  readonly facts?: Readonly<Record<string, string>>;
  /** True: only the exhaustive parts use this row; the random part chooses the facts in the row before. */
  readonly exhaustiveOnly?: true;
  /** Present: the register stands behind a print service. Further unconfirmed facts of this service. */
  readonly ofService?: Readonly<Record<string, readonly string[]>>;
}

const overTcp = {
  listen: "tcp:127.0.0.1:0",
  connection: (port: number) => ({ kind: "tcp", host: "127.0.0.1", port }),
} as const;

const overHttp = {
  listen: "http:127.0.0.1:0",
  connection: (port: number) => ({ kind: "http", url: `http://127.0.0.1:${port}` }),
} as const;

const shtrihUnconfirmed = {
  "garbage-in-idle": ["nak", "ignored"],
  "command-before-ack": ["ignored", "executed"],
  "answer-after-reconnect": ["kept", "forgotten"],
  "receipt-after-power-cut": ["kept", "dropped"],
  "current-document": ["receipt", "none"],
  "tlv-end": ["08", "34"],
  "tlv-per-read": ["one", "many"],
  "open-shift-answer": ["3", "2"],
  "unknown-ff-answer": ["3", "2"],
} as const;

export const makerRows: readonly MakerRow[] = [
  {
    name: "shtrih-v1",
    maker: "shtrih",
    protocol: "v1",
    driverOptions: { link: "v1" },
    ...overTcp,
    unconfirmed: shtrihUnconfirmed,
  },
  {
    name: "shtrih-v2",
    maker: "shtrih",
    protocol: "v2",
    driverOptions: { link: "v2" },
    ...overTcp,
    unconfirmed: shtrihUnconfirmed,
  },
  {
    name: "pirit",
    maker: "pirit",
    ...overTcp,
    unconfirmed: {
      "cancel-when-paid": ["allowed", "refused"],
      "receipt-after-power-cut": ["kept", "dropped"],
      "printer-status-error": ["00", "09"],
      "counters-after-close": ["zero", "kept"],
    },
  },
  {
    // All facts have their other value. pirit-facts.slow.test.ts tests paid receipts that cannot be cancelled.
    name: "pirit-other",
    maker: "pirit",
    ...overTcp,
    unconfirmed: {},
    facts: {
      "enquiry-while-busy": "at-once",
      "receipt-after-power-cut": "dropped",
      "printer-status-error": "09",
      "archive-block": "without-type",
      "tlv-block": "128-bytes",
      "close-date": "8",
      "counters-after-close": "kept",
    },
    exhaustiveOnly: true,
  },
  {
    name: "atol-v2",
    maker: "atol",
    protocol: "v2",
    ...overHttp,
    unconfirmed: { deleteRunning: ["409", "405"], inactive: ["409", "403"], restOfJob: ["interrupted", "executed"] },
    ofService: { killed: ["recovered", "late", "lost"] },
  },
  {
    name: "atol-v1",
    maker: "atol",
    protocol: "v1",
    ...overHttp,
    unconfirmed: {},
    ofService: { restOfJob: ["interrupted", "executed"], killed: ["recovered", "late", "lost"] },
  },
  { name: "reference", maker: "reference", ...overTcp, unconfirmed: {} },
];

/** Rows by their own name or by their maker's; "all" means all rows. */
export function findMakers(names: string): readonly MakerRow[] {
  const wanted = names.split(",");
  const rows = makerRows.filter(
    ({ name, maker }) => names === "all" || wanted.includes(name) || wanted.includes(maker),
  );
  if (rows.length === 0) throw new Error(`no such maker: ${names}`);
  return rows;
}

export interface NumberedRegister {
  readonly row: MakerRow;
  /** Distinguishes the registers of one world: kkm and drive follow from it. */
  readonly number: number;
  readonly unconfirmed?: Readonly<Record<string, string>>;
}

export function kkmOf(number: number): string {
  return `${number}`.padStart(16, "0");
}

export function emulatorOf({ row, number, unconfirmed = {} }: NumberedRegister): HostedEmulator {
  const { maker, listen, protocol } = row;
  const fn = `9999078900${`${number}`.padStart(6, "0")}`;
  const facts = { ...row.facts, ...unconfirmed };
  return { maker, listen, protocol, kkm: kkmOf(number), fn, inn: "7700000000", unconfirmed: facts };
}
