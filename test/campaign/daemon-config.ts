import { writeFileSync } from "node:fs";
import type { MakerRow } from "./makers.js";

export interface DaemonConfig {
  readonly path: string;
  readonly sites: readonly { readonly id: string; readonly url: string }[];
  readonly registers: readonly {
    readonly id: string;
    readonly row: MakerRow;
    readonly port: number;
    readonly sites: readonly string[];
    readonly group?: string | null;
    readonly orderMark?: boolean;
  }[];
}

/** Returns its path; the database is `fiscald.sqlite` beside it. */
export function writeDaemonConfig({ path, sites, registers }: DaemonConfig): string {
  const calls = ["orders", "result", "sync", "activity", "zreport"];
  const config = {
    version: 1,
    database: "fiscald.sqlite",
    sites: sites.map(({ id, url }) => ({
      id,
      urls: Object.fromEntries(calls.map((call) => [call, url])),
      pollEverySeconds: 1,
    })),
    registers: registers.map(({ row, port, group = null, ...register }) => ({
      ...register,
      group,
      cashier: { name: "Иванова А.А." },
      driver: row.maker,
      connection: row.connection(port),
      options: row.driverOptions ?? {},
      moveAfterSeconds: 10,
    })),
    console: { port: 0, tokenFile: "console-token" },
    log: { folder: "logs", level: "debug" },
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}
