import { defaultLinkTimeouts } from "../link/exchange-machine.js";

/** The body is a row of the table in README.md; the emulated register refuses any other. */
export interface ReferenceCommand {
  readonly name: StepName;
  readonly body: Readonly<Record<string, unknown>>;
}

/** In ms: for a command that changes little, and for one that makes a document. */
export const referenceTimeouts = { ...defaultLinkTimeouts, quickMs: 2000, documentMs: 10_000 };
export type ReferenceTimeouts = Readonly<typeof referenceTimeouts>;

interface CommandRow {
  readonly wait: "quickMs" | "documentMs";
  readonly repeatable: boolean;
}

const quick: CommandRow = { wait: "quickMs", repeatable: false };
const reading: CommandRow = { wait: "quickMs", repeatable: true };
const registering: CommandRow = { wait: "documentMs", repeatable: false };

export const commandRows = {
  IDENT: reading,
  STATE: reading,
  TABLES: reading,
  TOTALS: reading,
  DOC: reading,
  SUBTOTAL: reading,
  OPEN: quick,
  ITEM: quick,
  PRINT: quick,
  PAY: quick,
  CANCEL: quick,
  CASH: quick,
  "SET-TIME": quick,
  "OPEN-SHIFT": registering,
  CLOSE: registering,
  REPORT: registering,
  "FINISH-PRINT": registering,
  COPY: registering,
} as const satisfies Readonly<Record<string, CommandRow>>;

export type StepName = keyof typeof commandRows;
