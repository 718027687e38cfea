import { writeFileSync } from "node:fs";
import type { MakerRow } from "./makers.js";
import type { RegisteredDocument } from "./registered-document.js";

export interface DaemonConfig {
  readonly path: string;
  readonly sites: readonly { readonly id: string; readonly url: string; readonly issuer?: string }[];
  readonly registers: readonly {
    readonly id: string;
    readonly row: MakerRow;
    readonly port: number;
    readonly sites: readonly string[];
    readonly group?: string | null;
    readonly orderMark?: boolean;
  }[];
}

export const CASHIER = "Иванова А.А.";

const RECEIPT_LINK = "https://ofd.example/{inn}/{rnm}/{fn}/{fd}/{fp}/{sumKop}/{t}/{n}";

/** The target of `OFDLink` for a document. */
export function linkTo(document: RegisteredDocument): string {
  const { inn, kkm, fn, fd, fiscalSign, totalKopecks, time, operation } = document;
  const minute = time.slice(0, "2026-11-20T14:05".length).replaceAll(/[-:]/g, "");
  return `https://ofd.example/${inn}/${kkm}/${fn}/${fd}/${fiscalSign}/${totalKopecks}/${minute}/${operation === "sale" ? 1 : 2}`;
}

/** Returns the config's path; the database is `fiscald.sqlite` beside it. */
export function writeDaemonConfig({ path, sites, registers }: DaemonConfig): string {
  const calls = ["orders", "result", "sync", "activity", "zreport", "error"];
  const config = {
    version: 1,
    database: "fiscald.sqlite",
    sites: sites.map(({ url, ...site }) => ({
      ...site,
      urls: Object.fromEntries(calls.map((call) => [call, url])),
      corrections: "approve",
      pollEverySeconds: 1,
    })),
    registers: registers.map(({ row, port, group = null, ...register }) => ({
      ...register,
      group,
      cashier: { name: CASHIER },
      driver: row.maker,
      connection: row.connection(port),
      options: row.driverOptions ?? {},
      receiptLink: { template: RECEIPT_LINK },
      moveAfterSeconds: 10,
    })),
    console: { port: 0, tokenFile: "console-token" },
    log: { folder: "logs", level: "debug" },
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}
