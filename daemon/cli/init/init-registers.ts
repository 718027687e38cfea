import type { FoundRegister } from "@fiscald/drivers/discover/discover.js";
import { driverConnections, driverNames, driverNeedsCashier, driverOptionsSchema } from "@fiscald/drivers/registry.js";
import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { idText } from "../../config/field-types.js";
import { connectionText } from "../commands/discover.js";
import type { Questions } from "../terminal/questions.js";
import type { SecretFile } from "./write-config.js";

/** An entry of `registers` as it is written to the config. */
export type RegisterEntry = Readonly<Record<string, unknown>> & { readonly id: string };

export interface RegisterAnswers {
  readonly entries: readonly RegisterEntry[];
  readonly secrets: readonly SecretFile[];
}

export interface RegisterQuestions {
  /** Id of the registers' site. */
  readonly site: string;
  /** Returns an unused file name. */
  freeName(wanted: string): string;
}

type Access = Pick<FoundRegister, "driver" | "options"> & { readonly connection: Readonly<Record<string, unknown>> };

/** The config's names for the bits of FFD tag 1062. */
const taxSystems = [
  ["osn", 1],
  ["usn-income", 2],
  ["usn-income-expense", 4],
  ["eshn", 16],
  ["patent", 32],
] as const;

/** Asks about each found register, then for further ones. Returns at least one. */
export async function askRegisters(
  questions: Questions,
  found: readonly FoundRegister[],
  { site, freeName }: RegisterQuestions,
): Promise<RegisterAnswers> {
  const entries: RegisterEntry[] = [];
  const secrets: SecretFile[] = [];
  const groupOfLast = () => String(entries.at(-1)?.group ?? "");
  const taken = new Set<string>();
  for (const register of found) {
    const kkm = register.identity?.kkm ?? null;
    const isKnown = kkm !== null && taken.has(kkm);
    const note = isKnown ? " (the same register on another connection)" : "";
    if (!(await questions.yesNo(`Use ${describe(register)}${note}`, !isKnown))) continue;
    if (kkm !== null) taken.add(kkm);
    const id = `till-${entries.length + 1}`;
    const model = register.identity?.model ?? register.driver;
    const names = await askNames(questions, { id, title: model, group: groupOfLast() });
    const login = await askLogin(questions, register, (option) => freeName(`${id}-${option}`));
    secrets.push(...login.secrets);
    const options = { ...register.options, ...login.options };
    entries.push({
      ...entryOf({ ...register, options }, names, site),
      ...(await askCashier(questions, register.driver)),
      ...(await askTaxSystem(questions, register)),
    });
  }
  while (await wantsMore(questions, entries.length)) {
    const access = await askDriverAndConnection(questions);
    const id = `till-${entries.length + 1}`;
    const names = await askNames(questions, { id, title: access.driver, group: groupOfLast() });
    entries.push({ ...entryOf(access, names, site), ...(await askCashier(questions, access.driver)) });
  }
  return { entries, secrets };
}

function wantsMore(questions: Questions, count: number): Promise<boolean> {
  return count === 0 ? Promise.resolve(true) : questions.yesNo("Add another register by hand", false);
}

function describe(register: FoundRegister): string {
  const { driver, identity, fault } = register;
  const who = identity === null ? "" : ` ${identity.model}, kkm ${identity.kkm}, INN ${identity.inn},`;
  const unread = fault === null ? "" : `, whose identity cannot be read: ${fault.message},`;
  return `${driver}${who} at ${connectionText(register)}${unread}`;
}

interface RegisterNames {
  readonly id: string;
  readonly title: string;
  /** Empty = none. */
  readonly group: string;
}

async function askNames(questions: Questions, { id, title, group }: RegisterNames): Promise<RegisterNames> {
  return {
    id,
    title: await questions.text(`  ${id}: its name for people`, {
      otherwise: title,
      problem: (answer) => (answer.length > 128 ? "at most 128 letters" : null),
    }),
    group: noneIsEmpty(
      await questions.text("  Group: registers of one group replace one another (none = no group)", {
        otherwise: group || "none",
        problem: (answer) => (idText.safeParse(answer).success ? null : "letters, digits, dot, dash and underscore"),
      }),
    ),
  };
}

function noneIsEmpty(answer: string): string {
  return answer === "none" ? "" : answer;
}

function entryOf(
  { driver, connection, options }: Access,
  { id, title, group }: RegisterNames,
  site: string,
): RegisterEntry {
  return {
    id,
    title,
    driver,
    connection,
    ...(Object.keys(options).length === 0 ? {} : { options }),
    sites: [site],
    ...(group === "" ? {} : { group }),
  };
}

async function askCashier(questions: Questions, driver: Access["driver"]): Promise<object> {
  if (!driverNeedsCashier(driver)) return {};
  const name = await questions.text("  Cashier for orders without a cashier: position and surname", {
    otherwise: "Кассир",
    problem: (answer) => (answer.length > 64 ? "at most 64 letters" : null),
  });
  return { cashier: { name } };
}

/** For a register with several tax systems: which of them applies to an order that names none. */
async function askTaxSystem(questions: Questions, { identity }: FoundRegister): Promise<object> {
  const names = taxSystems.flatMap(([name, bit]) => (((identity?.taxSystems ?? 0) & bit) === 0 ? [] : [name]));
  const [first] = names;
  if (first === undefined || names.length < 2) return {};
  return { taxSystem: await questions.choose("  Tax system for orders without one", names, first) };
}

const option = z.looseObject({ description: z.string().default("") });
const optionsNode = z.looseObject({ properties: z.record(z.string(), option).default({}) });

interface LoginAnswers {
  readonly options: Readonly<Record<string, unknown>>;
  readonly secrets: readonly SecretFile[];
}

/**
 * Asks for users and passwords of a register that refused the default ones. The driver's option schema says which
 * options exist. Passwords are written to files beside the config.
 */
async function askLogin(
  questions: Questions,
  { driver, fault }: FoundRegister,
  fileOf: (option: string) => string,
): Promise<LoginAnswers> {
  if (fault?.code !== "device.wrong-password") return { options: {}, secrets: [] };
  const schema = driverOptionsSchema(driver);
  const { properties } = optionsNode.parse(z.toJSONSchema(schema, { io: "input" }));
  const options: Record<string, unknown> = {};
  const secrets: SecretFile[] = [];
  for (const [key, { description }] of Object.entries(properties)) {
    const isSecret = /password/i.test(key);
    if (!isSecret && !/user/i.test(key)) continue;
    const problem = (answer: string) => {
      const parsed = answer === "" ? null : schema.safeParse({ [key]: answer });
      return parsed === null || parsed.success ? null : (parsed.error.issues[0]?.message ?? "is not valid");
    };
    const question = `  ${key}: ${description} (Enter = default)`;
    const rule = { otherwise: "", problem };
    const value = await (isSecret ? questions.secret(question, rule) : questions.text(question, rule));
    if (value === "") continue;
    const file = fileOf(key);
    options[key] = isSecret ? { fromFile: file } : value;
    if (isSecret) secrets.push({ file, value });
  }
  return { options, secrets };
}

async function askDriverAndConnection(questions: Questions): Promise<Access> {
  const kind = await questions.choose(
    "How is the register connected? `emulator` is an emulated register for trials: nothing fiscal happens",
    ["serial", "tcp", "http", "emulator"],
    "emulator",
  );
  const drivers = driverNames.filter((name) => driverConnections(name).includes(kind));
  const [first] = drivers;
  if (first === undefined) throw new Fault("internal", { message: `no driver supports the connection ${kind}` });
  const driver = drivers.length === 1 ? first : await questions.choose("Protocol of the maker", drivers, first);
  return { driver, options: {}, connection: { kind, ...(await askConnection(questions, kind)) } };
}

async function askConnection(
  questions: Questions,
  kind: "serial" | "tcp" | "http" | "emulator",
): Promise<Readonly<Record<string, unknown>>> {
  switch (kind) {
    case "serial":
      return {
        path: await questions.text("Serial port", { otherwise: "/dev/ttyACM0" }),
        baudRate: Number(await questions.text("Baud rate", { otherwise: "115200", problem: speedProblem })),
      };
    case "tcp":
      return {
        host: await questions.text("Address of the register"),
        port: Number(await questions.text("TCP port", { otherwise: "7778", problem: portProblem })),
      };
    case "http":
      return { url: await questions.text("Address of the service", { otherwise: "http://127.0.0.1:16732" }) };
    case "emulator":
      return { statePath: await questions.text("File for the emulator's memory", { otherwise: "data/emulator.json" }) };
  }
}

function portProblem(answer: string): string | null {
  const port = Number(answer);
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? null : "a number from 1 to 65535";
}

function speedProblem(answer: string): string | null {
  const speed = Number(answer);
  return Number.isInteger(speed) && speed >= 2_400 && speed <= 921_600 ? null : "a number from 2400 to 921600";
}
