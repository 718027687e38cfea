/** One shop of the end-to-end tests: sites, registers and daemons, real processes in one folder. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DaemonProcess, startDaemon, type TestConfig, writeConfig } from "../support/daemon-process.js";
import { type EmulatorProcess, startEmulator } from "../support/emulator-process.js";
import { type FakeSite, startFakeSite } from "../support/fake-site.js";
import { makeOrder } from "../tools/campaign/plan/orders.js";

export const KKM = "0001234567012345";
export const patience = { timeoutMs: 60_000 };

export interface EmulatorChoice {
  /** Default: a Shtrih-M. */
  readonly maker?: string;
  readonly kkm?: string;
  readonly args?: readonly string[];
  /** Default: any free port, of HTTP for ATOL. */
  readonly listen?: string;
  /** The name of its state file. Default: maker and kkm. */
  readonly name?: string;
}

type ShopConfig = Omit<TestConfig, "folder">;

export interface Shop {
  readonly folder: string;
  /** Ends what a test has opened: the newest first, before the folder goes. */
  undo(step: () => unknown): void;
  emulate(choice?: EmulatorChoice): Promise<EmulatorProcess>;
  openSite(): Promise<FakeSite>;
  /** Writes a config; returns its path. `name`: of a folder of its own. */
  configure(config: ShopConfig, name?: string): string;
  start(configPath: string, env?: NodeJS.ProcessEnv): Promise<DaemonProcess>;
  /** Both. */
  run(config: ShopConfig, env?: NodeJS.ProcessEnv): Promise<DaemonProcess>;
}

/** Opens one shop for all tests of the place where it is called, or a new one for each test. */
export function useShop(life: "all" | "each" = "all"): Shop {
  let folder = "";
  const steps: (() => unknown)[] = [];
  const [before, after] = life === "all" ? [beforeAll, afterAll] : [beforeEach, afterEach];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "fiscald-shop-"));
  });
  after(async () => {
    for (const step of steps.splice(0).reverse()) await step();
    rmSync(folder, { recursive: true });
  });

  const shop: Shop = {
    get folder() {
      return folder;
    },
    undo: (step) => void steps.push(step),
    async emulate({ maker = "shtrih", kkm = KKM, args = [], listen, name = `${maker}-${kkm}` } = {}) {
      const emulator = await startEmulator({
        ...{ maker, listen: listen ?? `${maker === "atol" ? "http" : "tcp"}:127.0.0.1:0` },
        ...{ statePath: join(folder, `${name}.json`), args: ["--kkm", kkm, ...args] },
      });
      steps.push(() => emulator.stop());
      return emulator;
    },
    async openSite() {
      const site = await startFakeSite();
      steps.push(() => site.close());
      return site;
    },
    configure(config, name = ".") {
      mkdirSync(join(folder, name), { recursive: true });
      return writeConfig({ ...config, folder: join(folder, name) });
    },
    async start(configPath, env) {
      const daemon = await startDaemon(configPath, env);
      // A test may have killed it.
      steps.push(async () => expect([0, "SIGKILL"]).toContain(await daemon.stop()));
      return daemon;
    },
    run: (config, env) => shop.start(shop.configure(config), env),
  };
  return shop;
}

/** How the daemon reaches an emulated register. */
export function connectionOf({ listening, port }: EmulatorProcess): object {
  if (listening.startsWith("http")) return { kind: "http", url: `http://127.0.0.1:${port}` };
  return { kind: "tcp", host: "127.0.0.1", port };
}

/** A register of the config. */
export function tillOn(emulator: EmulatorProcess, over: Readonly<Record<string, unknown>> = {}) {
  return { id: "till-1", driver: "shtrih", connection: connectionOf(emulator), ...over };
}

/** A sale in cash, as a site offers it. */
export function saleOf(orderId: string, price = 10, kkm?: string) {
  return makeOrder({ orderId, operation: "sale", prices: [price], kkm }).answer;
}
