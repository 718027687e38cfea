/** Print servers of the sandbox. They take every shop's receipts from this very server, and print nothing. */
import { Fault } from "@fiscald/shared/fault.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { type VatCode, vatRates } from "@fiscald/shared/receipt/vat.js";
import type { HttpContext } from "../delivery/http/endpoint.js";
import { findResource, listTokens } from "../delivery/store/access-tokens.js";
import type { DeliveryStore } from "../delivery/store/delivery-store.js";
import { createTestTill, type TestTill } from "../print-server/http/test-till.js";
import { type ReceiptTables, receiptMigrations } from "../print-server/receipt-tables.js";

/** `no-paper`: receipts wait. `unsure`: the outcome is unknown, until the next switch to `prints` reports `printed`. */
export const sandboxModes = ["prints", "no-paper", "fails", "unsure"] as const;
export type SandboxMode = (typeof sandboxModes)[number];

const daemonId = "sandbox";
const LOOK_EVERY_MS = 500;
const anyKkm = "0000000000000001";
/** Codes of tag 1199 (rate of VAT) for the sandbox's tax rows, which are numbered from 1. */
const taxRows: readonly VatCode[] = [11, 2, 6, 5, 7, 8, 12, 4, 9, 10];

/** Fault `usage.wrong` when a print server has asked this database for receipts, which may then be real. */
export async function refuseRealDatabase(store: DeliveryStore): Promise<void> {
  await store.migrate(receiptMigrations);
  const asked = await store
    .withTables<ReceiptTables>()
    .db.selectFrom("print_callers")
    .select("kkm")
    .where("holder", "!=", `daemon:${daemonId}`)
    .executeTakeFirst();
  if (asked === undefined) return;
  const message = `A print server has asked this database for receipts of kkm ${asked.kkm}: the sandbox needs one of its own (--database).`;
  throw new Fault("usage.wrong", { message });
}

export class SandboxTills {
  mode: SandboxMode = "prints";
  readonly #tills = new Map<string, TestTill>();
  readonly #synced = new Set<number>();
  #unsure: (() => Promise<void>)[] = [];
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #url = "";
  #timeZone = "";

  constructor(private readonly options: HttpContext) {}

  /** `url`: the address of this server. `timeZone`: that of the sandbox's registers. */
  start(url: string, timeZone = "Europe/Moscow"): void {
    this.#url = url;
    this.#timeZone = timeZone;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, logger } = this.options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#serveAll().catch((fault: unknown) => logger.warn("the sandbox could not print", { fault }));
      await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {});
    }
  }

  async #serveAll(): Promise<void> {
    const { store } = this.options;
    for (const { resource } of await listTokens(store)) await this.#sync(resource);
    if (this.mode === "no-paper") return;
    if (this.mode === "prints") for (const settle of this.#unsure.splice(0)) await settle();
    const waiting = await store
      .withTables<ReceiptTables>()
      .db.selectFrom("print_receipts")
      .select(["resource", "kkm"])
      .distinct()
      .where("state", "in", ["queued", "handed"])
      .execute();
    for (const { resource, kkm } of waiting) {
      const [, sidecar, shop] = /^(shop-)?(\d+)$/.exec(resource) ?? [];
      if (shop === undefined) continue;
      const till = await this.#tillAt(sidecar === undefined ? "fiscal" : "till", Number(shop), kkm ?? anyKkm);
      for (let receipt = await till.poll(); receipt !== null; receipt = await till.poll()) {
        await this.#report(till, receipt);
      }
    }
  }

  async #report(till: TestTill, receipt: Receipt): Promise<void> {
    if (this.mode === "fails") {
      await till.report(receipt, { outcome: "failed", resultInfo: "Песочница: касса отказала / the register refused" });
    } else if (this.mode === "unsure") {
      await till.report(receipt, { outcome: "unknown", resultInfo: "Песочница: касса молчит / no answer" });
      this.#unsure.push(() => till.report(receipt));
    } else await till.report(receipt);
  }

  /** The delivery API sells only with tax rows that a register has sent. */
  async #sync(shop: number): Promise<void> {
    if (this.#synced.has(shop)) return;
    const till = await this.#tillAt("fiscal", shop, anyKkm);
    const taxes = taxRows.map((code, row) => ({ id: row + 1, title: vatRates[code].title }));
    const register = { name: "Sandbox", kkm: anyKkm, inn: "7700000000", fn: "9999000000000000", taxes, typeClose: [] };
    await till.call("sync", { action: "sync", data: [register] });
    this.#synced.add(shop);
  }

  async #tillAt(path: "fiscal" | "till", shop: number, kkm: string): Promise<TestTill> {
    const { store, clock } = this.options;
    const site = `${this.#url}/${path}/${shop}`;
    const known = this.#tills.get(`${site} ${kkm}`);
    if (known !== undefined) return known;
    const access = await findResource(store.db, shop);
    const token = access?.handlerSecret ?? "";
    // No two documents may have the same number on one fiscal drive, so each till has a drive of its own.
    const fn = String(clock.now() + this.#tills.size).padStart(16, "9999");
    const places = { site, kkm, fn, daemonId, timeZone: this.#timeZone };
    const till = createTestTill({ ...places, auth: { kind: "bearer", token }, emulated: true });
    this.#tills.set(`${site} ${kkm}`, till);
    return till;
  }
}
