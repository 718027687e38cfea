/** A lost database: what was printed since, how it was lost, and what happens to an order that comes again. */
import { rmSync } from "node:fs";
import type { RegisterSettings } from "@fiscald/daemon/registers/register-settings.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { type Benches, copyDatabase, newBenchPath, orderNamed } from "../../../support/benches.js";
import { zReport } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import { addForeignReceipt, createTill, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";

/** Whether the registers are set to write order marks. */
type Setting = "on" | "off";

/**
 * `put back`: the database is an older copy. `unnoticed`: the files beside it are older copies too. `deleted`: only
 * those files are left. `other computer`: nothing is left. `none`: the daemon was only down.
 */
export type Loss = "put back" | "unnoticed" | "deleted" | "other computer" | "none";

interface JobPlace {
  readonly site?: string;
  readonly register?: string;
}

/** Printed in the lost time under this setting, or made by another program, perhaps with an order mark. */
export type Since =
  | readonly [who: Setting, receipt: Receipt, over?: JobPlace]
  | readonly [who: "foreign", receipt: SaleReceipt, over?: JobPlace & { readonly mark?: string }];

export interface Story {
  /** Made anew for each use of the story; default: one register. */
  readonly devices?: () => readonly ScriptedDevice[];
  readonly settings?: readonly Partial<RegisterSettings>[];
  /** The setting before the lost time and after it; default: on. */
  readonly before?: Setting;
  readonly now?: Setting;
  readonly since?: readonly Since[];
  readonly loss?: Loss;
  readonly read?: (document: FiscalDocument) => FiscalDocument;
  readonly areUnreadable?: boolean;
  /** The order that comes again; default: `ours`. */
  readonly order?: Receipt;
  readonly place?: JobPlace;
}

/** `waits`: queued in the copy, or offered before the registers were read. `later`: offered afterwards. */
export type When = "waits" | "later";

export const ours = orderNamed("A-1");

export interface AfterLoss {
  readonly bench: Bench;
  readonly devices: readonly ScriptedDevice[];
  readonly job: number;
  /** `found`: the document that was there already is the order's. */
  readonly outcome: "found" | "printed" | "unsure" | "queued" | "failed";
}

type Lost = Bench & { readonly devices: readonly ScriptedDevice[] };
type Told = Omit<Story, "devices"> & Pick<Lost, "devices">;

export function lossWorld({ open }: Benches) {
  const openAt = (path: string, { devices, settings = [] }: Told, setting: Setting): Bench => {
    const registers = devices.map((device, index) => ({
      device,
      settings: { id: toRegisterId(`till-${index + 1}`), orderMark: setting === "on", ...settings[index] },
    }));
    return open({ path, registers });
  };

  async function print(path: string, story: Told, setting: Setting, jobs: readonly (readonly [Receipt, JobPlace])[]) {
    const bench = openAt(path, story, setting);
    for (const [receipt, place] of jobs) bench.addJob(receipt, place);
    await bench.runQueue();
    await bench.close();
  }

  /** The daemon's database is lost, and its next run is open but not started. */
  async function lose(story: Story, queued: Receipt | null = null): Promise<Lost> {
    const { before = "on", now = "on", loss = "put back", since = [], place = {}, read, areUnreadable = false } = story;
    const devices = story.devices?.() ?? [createTill(1)];
    const told = { ...story, devices };
    const path = newBenchPath();
    const everywhere = (receipt: Receipt) =>
      devices.map((_, index) => [receipt, { register: `till-${index + 1}` }] as const);
    await print(path, told, before, everywhere(orderNamed("warm")));
    // The Z report of the night, after the day's last receipt.
    await print(path, told, before, everywhere(zReport));
    if (queued !== null) {
      const bench = openAt(path, told, before);
      bench.addJob(queued, place);
      await bench.close();
    }
    const putBack = copyDatabase(path, loss === "unnoticed" ? [".identity", ".last-attempt"] : []);
    // This run makes the copy known as an older one.
    if (loss === "put back") await openAt(path, told, before).close();
    for (const one of since) {
      const [, receipt, over = {}] = one;
      const device = devices[Number(over.register?.slice(-1) ?? 1) - 1];
      if (one[0] !== "foreign") await print(path, told, one[0], receipt === queued ? [] : [[receipt, over]]);
      else if (device !== undefined) addForeignReceipt(device, one[1], one[2]?.mark ?? null);
    }
    for (const device of devices) {
      if (read !== undefined) device.documents = device.documents.map(read);
      if (areUnreadable) for (const { fd } of device.documents) device.unreadable.add(fd);
    }
    if (loss === "put back" || loss === "unnoticed") putBack();
    if (loss === "deleted") for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    return Object.assign(openAt(loss === "other computer" ? newBenchPath() : path, told, now), { devices });
  }

  async function comeAgain(story: Story, when: When): Promise<AfterLoss> {
    const { loss = "put back", order = ours, place = {}, since = [] } = story;
    const isInCopy = loss !== "deleted" && loss !== "other computer";
    // A daemon that printed in the lost time would have printed the queued order too.
    const printed = since.flatMap(([who, receipt]) => (who === "foreign" ? [] : receipt));
    const isQueued = when === "waits" && isInCopy && (printed.length === 0 || printed.includes(order));
    const bench = await lose(story, isQueued ? order : null);
    const { devices } = bench;
    const count = () => devices.reduce((sum, device) => sum + receiptsOn(device).length + device.drawer.cashIn, 0);
    const before = count();
    if (when === "later") {
      bench.startQueue();
      await bench.clock.advance(1000);
    }
    const [waiting] = bench.stores.jobs.list({ state: "queued", limit: 1 });
    const { id } = waiting ?? bench.addJob(order, place);
    await bench.runQueue();
    const state = bench.stores.jobs.stateOf(id);
    if (state === "printed") return { bench, devices, job: id, outcome: count() > before ? "printed" : "found" };
    if (state !== "unsure" && state !== "failed") return { bench, devices, job: id, outcome: "queued" };
    expect(count()).toBe(before);
    return { bench, devices, job: id, outcome: state };
  }

  return { lose, comeAgain };
}
