import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { systemClock } from "@fiscald/shared/clock.js";
import { type Command, Option } from "@fiscald/shared/command-line.js";
import { isObject } from "@fiscald/shared/exchange/lenient-fields.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { requireAccount } from "../delivery/account/load-accounts.js";
import { statementLines, statementOf } from "../delivery/account/statement.js";
import {
  type CallbackState,
  callbackStates,
  listCallbacks,
  replayCallbacks,
} from "../delivery/callbacks/callback-replay.js";
import { loadCabinetRecords } from "../delivery/catalog/cabinet-records.js";
import { setCourierPassword } from "../delivery/catalog/catalog.js";
import { setLicenseTotal, switchCabinet } from "../delivery/catalog/delivery-settings.js";
import { CABINET } from "../delivery/catalog/records.js";
import { missing } from "../delivery/http/api-errors.js";
import { formatApiTime } from "../delivery/http/wire-types.js";
import { createToken, listTokens, revokeToken } from "../delivery/store/access-tokens.js";
import type { DeliveryStore } from "../delivery/store/delivery-store.js";
import {
  type CommandOutput,
  type DatabaseFlags,
  type DatabaseOption,
  onDatabase,
  onStore,
  wholeNumberOption,
  withDatabase,
} from "./on-database.js";

export function addDeliveryCommands(program: Command, output: CommandOutput): void {
  addTokenCommands(program, output);
  addCabinetCommands(program, output);
  addCourierCommands(program, output);
  addAccountCommand(program, output);
  addCallbackCommands(program, output);
}

function addTokenCommands(program: Command, { print }: CommandOutput): void {
  const token = program.command("token").description("access tokens of the delivery API");
  withDatabase(token.command("create <name>"))
    .description(
      "makes a token for the shop of this name (a new shop, or one more token); printed once, on the last line",
    )
    .action((name: string, options: DatabaseOption) =>
      onStore(options, async (store) => {
        const made = await createToken(store, name, systemClock.now());
        print(`token ${made.id} of resource ${made.resource.id} (${made.resource.name})`);
        print(`print server: /fiscal/${made.resource.id}, secret ${made.resource.handlerSecret}`);
        print(`receipts by POST /receipts: their print server is /till/${made.resource.id}, with the same secret`);
        print(`callbacks are signed with ${made.resource.callbackSecret}`);
        print(made.token);
      }),
    );
  const list = onDatabase(token, "list", "all tokens, never the tokens themselves", async (store, _, { json }) => {
    const tokens = await listTokens(store);
    if (json === true) print(JSON.stringify(tokens));
    else for (const row of tokens) print(tokenLine(row));
  });
  list.option("--json", "one JSON array");
  onDatabase(token, "revoke <id>", "ends a token at once", async (store, [id = ""]) => {
    await revokeToken(store, wholeNumberOption(id, "id"), systemClock.now());
    print(`token ${id} revoked`);
  });
}

function tokenLine(row: Awaited<ReturnType<typeof listTokens>>[number]): string {
  const state = row.revokedAt === null ? "valid" : `revoked ${formatApiTime(row.revokedAt)}`;
  return `${row.id}\t${row.name}\tresource ${row.resource}\tmade ${formatApiTime(row.createdAt)}\t${state}`;
}

function addCabinetCommands(program: Command, { print }: CommandOutput): void {
  const cabinet = program
    .command("cabinet")
    .description("cabinet mode: couriers, taxes and the like are shared and read-only");
  const switches = { on: "its six kinds become read-only over the API", off: "all data stays and is writable" };
  for (const [state, description] of Object.entries(switches)) {
    onDatabase(cabinet, state, description, async (store) => {
      await store.transaction((tx) => switchCabinet(tx, state === "on"));
      print(`cabinet ${state}`);
    });
  }
  const loads =
    'makes or updates the cabinet\'s records: {"couriers": [...], "taxes": [...], "permissions": [...]} in the fields of the API';
  onDatabase(cabinet, "load <file>", loads, async (store, [file = ""]) => {
    const count = await loadCabinetRecords(store, await readJsonObject(file), systemClock.now());
    print(`${count} records loaded`);
  });
  const licenses = program.command("licenses").description("licences of couriers' sessions");
  onDatabase(licenses, "set <total>", "how many sessions may be open at one time", async (store, [total = ""]) => {
    await store.transaction((tx) => setLicenseTotal(tx, wholeNumberOption(total, "total")));
    print(`${total} licences`);
  });
}

function addCourierCommands(program: Command, { print }: CommandOutput): void {
  const courier = program.command("courier").description("couriers");
  const sets = "sets a courier's password, read from the first line of standard input";
  const password = onDatabase(courier, "password <id>", sets, async (store, [courierId = ""], flags) => {
    const resource = flags.resource === undefined ? CABINET : wholeNumberOption(flags.resource, "resource");
    await setCourierPassword(store, { resource, courierId, password: await readLine() }, systemClock.now());
    print(`password of courier ${courierId} set`);
  });
  password.option("--resource <number>", "the courier's shop; without it a courier of the cabinet");
}

function addAccountCommand(program: Command, { print }: CommandOutput): void {
  const shows = "the receipts of an order and of its refund orders, and what does not balance";
  onDatabase(program, "account <order>", shows, async (store, [orderId = ""], flags) => {
    const resource = await shopOfOrder(store, orderId, flags.resource);
    const statement = statementOf(await requireAccount(store.db, resource, orderId));
    if (flags.json === true) print(JSON.stringify(statement));
    else for (const line of statementLines(statement)) print(line);
  })
    .option("--resource <number>", "the order's shop, where several have an order with this id")
    .option("--json", "one JSON object");
}

async function shopOfOrder(store: DeliveryStore, orderId: string, asked: string | undefined): Promise<number> {
  if (asked !== undefined) return wholeNumberOption(asked, "resource");
  const rows = await store.db
    .selectFrom("delivery_orders")
    .select("resource")
    .distinct()
    .where("order_id", "=", orderId)
    .execute();
  const [row, further] = rows;
  if (row === undefined) throw missing("order", orderId);
  if (further === undefined) return row.resource;
  const resources = rows.map(({ resource }) => resource).join(", ");
  throw new Fault("usage.wrong", {
    message: `several shops have this order: name one of ${resources}`,
    place: "resource",
  });
}

function addCallbackCommands(program: Command, { print }: CommandOutput): void {
  const callbacks = program.command("callbacks").description("deliveries of callbacks");
  const list = onDatabase<CallbackFlags>(callbacks, "list", "newest first", async (store, _, { state, json }) => {
    const rows = await listCallbacks(store, { state });
    if (json === true) print(JSON.stringify(rows));
    else for (const row of rows) print(`${row.id}\t${row.state}\t${row.kind} ${row.subject}\t${row.lastError ?? ""}`);
  });
  list.addOption(new Option("--state <state>").choices(callbackStates)).option("--json", "one JSON array");
  const replays = 'delivers one again, or all that were given up with "dead"';
  onDatabase(callbacks, "replay <id>", replays, async (store, [id = ""]) => {
    const which = id === "dead" ? { state: "dead" as const } : { id: wholeNumberOption(id, "id") };
    print(`${await replayCallbacks(store, which, systemClock.now())} callbacks will be sent again`);
  });
}

interface CallbackFlags extends DatabaseFlags {
  readonly state?: CallbackState;
}

async function readJsonObject(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (isObject(value)) return value;
  } catch (error) {
    throw toFault(error, "usage.wrong", { place: file });
  }
  throw new Fault("usage.wrong", { message: "must hold one JSON object", place: file });
}

async function readLine(): Promise<string> {
  const reader = createInterface({ input: process.stdin });
  for await (const line of reader) {
    reader.close();
    if (line !== "") return line;
  }
  throw new Fault("usage.wrong", { message: "The password is expected as the first line of standard input." });
}
