/** What all commands share that work on the site's database. */
import { existsSync } from "node:fs";
import type { Command } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import { migrated } from "../delivery/open-delivery.js";
import type { DeliveryStore } from "../delivery/store/delivery-store.js";
import { isPostgresAddress, openStore } from "../store/open-store.js";

export interface CommandOutput {
  print(line: string): void;
}

export interface DatabaseOption {
  readonly database: string;
}

export const defaultDatabase = "data/site.sqlite";

/** The program and each command show this option. Only a command has the default value. */
export const databaseOption = ["--database <file>", "SQLite file or postgres:// address"] as const;

export function withDatabase(command: Command): Command {
  return command.option(...databaseOption, defaultDatabase);
}

export interface DatabaseFlags extends DatabaseOption {
  readonly json?: boolean;
  readonly resource?: string;
}

/** Adds a command on a database that exists. `work` gets the command's arguments and options. */
export function onDatabase<Flags extends DatabaseFlags>(
  parent: Command,
  usage: string,
  description: string,
  work: (store: DeliveryStore, words: readonly string[], flags: Flags) => Promise<void>,
): Command {
  const command = withDatabase(parent.command(usage)).description(description);
  return command.action(() => {
    const flags = command.opts<Flags>();
    return onExistingStore(flags, (store) => work(store, command.args, flags));
  });
}

/** A mistyped path must not look like an empty shop. */
async function onExistingStore(options: DatabaseOption, work: (store: DeliveryStore) => Promise<void>): Promise<void> {
  const { database } = options;
  if (!isPostgresAddress(database) && !existsSync(database)) {
    throw new Fault("usage.wrong", {
      message: `there is no database ${database}; name it with --database`,
      place: database,
    });
  }
  await onStore(options, work);
}

export async function onStore(options: DatabaseOption, work: (store: DeliveryStore) => Promise<void>): Promise<void> {
  const opened = await openStore({ address: options.database });
  try {
    await work(await migrated(opened));
  } finally {
    await opened.close();
  }
}

export function wholeNumberOption(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Fault("usage.wrong", { message: `must be a whole number, not ${JSON.stringify(text)}`, place: name });
}
