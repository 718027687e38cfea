import { join } from "node:path";
import { z } from "zod";
import { type Child, startChild } from "./child-process.js";
import { root } from "./read-imports.js";

/** The fields of the control port's answer that tests look at; unknown fields are left out. */
export const emulatedDocument = z.object({
  fd: z.number(),
  fn: z.string(),
  type: z.string(),
  operation: z.enum(["sale", "return"]).nullable(),
  totalKopecks: z.number().nullable(),
  items: z.array(
    z.object({
      name: z.string(),
      priceKopecks: z.number(),
      quantity: z.number(),
      sumKopecks: z.number(),
      taxId: z.number().nullable(),
      vat: z.number(),
      vatSumKopecks: z.number(),
      department: z.number(),
      subject: z.number(),
      method: z.number(),
    }),
  ),
  payments: z.array(z.object({ typeClose: z.number(), sumKopecks: z.number(), givenKopecks: z.number() })),
  changeKopecks: z.number(),
  vatTotals: z.array(z.object({ vat: z.number(), sumKopecks: z.number() })),
  contact: z.string().nullable(),
  internet: z.boolean().nullable(),
  settlementPlace: z.string().nullable(),
  cashier: z.string().nullable(),
  cashierInn: z.string().nullable(),
  taxSystem: z.number().nullable(),
  orderMark: z.string().nullable(),
  printed: z.boolean(),
  time: z.string(),
  fiscalSign: z.string(),
  shift: z.number(),
  receiptNumber: z.number().nullable(),
});
export type EmulatedDocument = z.infer<typeof emulatedDocument>;

export const controlReply = emulatedDocument.pick({ fn: true, fd: true });

export interface EmulatorOptions {
  readonly maker: string;
  readonly listen: string;
  readonly statePath: string;
  readonly args?: readonly string[];
}

/** An emulated register in a process of its own; `kill` and `start` keep its addresses and its fiscal memory. */
export interface EmulatorProcess {
  /** An address such as `tcp:127.0.0.1:40001`. */
  readonly listening: string;
  readonly port: number;
  /** Oldest first; the `skip` oldest are left out. */
  documents(skip?: number): Promise<EmulatedDocument[]>;
  receipts(): Promise<EmulatedDocument[]>;
  get(path: string): Promise<unknown>;
  getText(path: string): Promise<string>;
  getBytes(path: string): Promise<Uint8Array>;
  post(path: string, body: unknown): Promise<unknown>;
  addFault(fault: object): Promise<void>;
  clearFaults(): Promise<void>;
  stop(): Promise<void>;
}

const emulatorChild = join(root, "test/dist/support/emulator-child.js");

/**
 * The control port of an emulator that runs already. Each call has a connection of its own: the other side may close a
 * kept connection just when it is used again.
 */
export function controlEmulator(listening: string, control: string, stop: () => Promise<void>): EmulatorProcess {
  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${control}${path}`, {
      method,
      headers: { connection: "close", ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
  const documents = async (skip = 0) =>
    z.array(emulatedDocument).parse(await (await call("GET", `/documents?skip=${skip}`)).json());
  return {
    listening,
    port: Number(listening.split(":").at(-1)),
    documents,
    receipts: async () => (await documents()).filter((document) => document.type === "receipt"),
    get: async (path) => (await call("GET", path)).json(),
    getText: async (path) => (await call("GET", path)).text(),
    getBytes: async (path) => new Uint8Array(await (await call("GET", path)).arrayBuffer()),
    post: async (path, body) => (await call("POST", path, body)).json(),
    addFault: async (fault) => void (await (await call("POST", "/faults", fault)).text()),
    clearFaults: async () => void (await (await call("DELETE", "/faults")).text()),
    stop,
  };
}

export async function startEmulator(options: EmulatorOptions): Promise<EmulatorProcess> {
  const { maker, listen, statePath, args = [] } = options;
  const child: Child = startChild([
    emulatorChild,
    "emulator",
    ...["--maker", maker, "--listen", listen, "--control", "127.0.0.1:0", "--state", statePath],
    ...args,
  ]);
  const [, listening = "", control = ""] = await child.line(/^ready listen=(\S+) control=(\S+)/);
  return controlEmulator(listening, control, async () => {
    child.signal("SIGTERM");
    await child.ended;
  });
}
