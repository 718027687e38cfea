/** The registers that the campaign torments. A further maker, model or protocol whose dialogue differs is one more row. */
import type { HostedEmulator } from "./emulator-host.js";

export interface MakerRow {
  readonly name: string;
  /** Name of its emulator and of its driver. */
  readonly maker: string;
  readonly protocol?: string;
  readonly driverOptions?: Readonly<Record<string, unknown>>;
  /** Address that its emulator listens at. */
  readonly listen: string;
  /** `connection` of the config, once the emulator's port is known. */
  connection(port: number): Readonly<Record<string, unknown>>;
  /** Facts that its reference marks as unconfirmed and recovery leans on, with all their values. */
  readonly unconfirmed: Readonly<Record<string, readonly string[]>>;
  /** Facts that hold in this row, in place of the emulator's defaults. */
  readonly facts?: Readonly<Record<string, string>>;
  /** The random part draws the facts by itself, in the row before: this one is for the exhaustive parts. */
  readonly exhaustiveOnly?: true;
  /** Where the register stands behind a print service: further ones of that service. */
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
    // All facts the other way at once. A paid receipt that is not cancelled waits for a person: pirit-facts.slow.test.ts has that.
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

/** Rows by their own name or by their maker's; all of them for "all". */
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
  /** Tells the registers of one world apart: kkm and drive follow from it. */
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
