import type { FoundRegister } from "@fiscald/drivers/discover/discover.js";
import { driverConnections, driverNames, driverNeedsCashier, driverOptionsSchema } from "@fiscald/drivers/registry.js";
import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { idText } from "../../config/field-types.js";
import { connectionText } from "../commands/discover.js";
import type { Questions } from "../terminal/questions.js";
import type { SecretFile } from "./write-config.js";

/** An entry of `registers` as it is written. */
export type RegisterEntry = Readonly<Record<string, unknown>> & { readonly id: string };

export interface RegisterAnswers {
  readonly entries: readonly RegisterEntry[];
  readonly secrets: readonly SecretFile[];
}

export interface RegisterQuestions {
  /** Id of the site that they print for. */
  readonly site: string;
  /** A file name that nothing has yet. */
  freeName(wanted: string): string;
}

type Reach = Pick<FoundRegister, "driver" | "options"> & { readonly connection: Readonly<Record<string, unknown>> };

/** Names of the config for the bits of tag 1062. */
const taxSystems = [
  ["osn", 1],
  ["usn-income", 2],
  ["usn-income-expense", 4],
  ["eshn", 16],
  ["patent", 32],
] as const;

/** Each register that was found, and others that a person knows; never none. */
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
    const note = isKnown ? " (the register before, by another way)" : "";
    if (!(await questions.yesNo(`Use ${describe(register)}${note}`, !isKnown))) continue;
    if (kkm !== null) taken.add(kkm);
    const id = `till-${entries.length + 1}`;
    const model = register.identity?.model ?? register.driver;
    const words = await askWords(questions, { id, title: model, group: groupOfLast() });
    const access = await askAccess(questions, register, (option) => freeName(`${id}-${option}`));
    secrets.push(...access.secrets);
    const options = { ...register.options, ...access.options };
    entries.push({
      ...entryOf({ ...register, options }, words, site),
      ...(await askCashier(questions, register.driver)),
      ...(await askTaxSystem(questions, register)),
    });
  }
  while (await wantsMore(questions, entries.length)) {
    const reach = await askReach(questions);
    const id = `till-${entries.length + 1}`;
    const words = await askWords(questions, { id, title: reach.driver, group: groupOfLast() });
    entries.push({ ...entryOf(reach, words, site), ...(await askCashier(questions, reach.driver)) });
  }
  return { entries, secrets };
}

function wantsMore(questions: Questions, count: number): Promise<boolean> {
  return count === 0 ? Promise.resolve(true) : questions.yesNo("Add another register by hand", false);
}

function describe(register: FoundRegister): string {
  const { driver, identity, fault } = register;
  const who = identity === null ? "" : ` ${identity.model}, kkm ${identity.kkm}, INN ${identity.inn},`;
  const unread = fault === null ? "" : `, which does not tell who it is: ${fault.message},`;
  return `${driver}${who} at ${connectionText(register)}${unread}`;
}

interface Words {
  readonly id: string;
  readonly title: string;
  /** Empty: none. */
  readonly group: string;
}

async function askWords(questions: Questions, { id, title, group }: Words): Promise<Words> {
  return {
    id,
    title: await questions.text(`  ${id}: its name for people`, {
      otherwise: title,
      problem: (answer) => (answer.length > 128 ? "at most 128 letters" : null),
    }),
    group: noneIsEmpty(
      await questions.text("  Group: registers of one group stand in for one another (none = alone)", {
        otherwise: group || "none",
        problem: (answer) => (idText.safeParse(answer).success ? null : "letters, digits, dot, dash and underscore"),
      }),
    ),
  };
}

function noneIsEmpty(answer: string): string {
  return answer === "none" ? "" : answer;
}

function entryOf({ driver, connection, options }: Reach, { id, title, group }: Words, site: string): RegisterEntry {
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

async function askCashier(questions: Questions, driver: Reach["driver"]): Promise<object> {
  if (!driverNeedsCashier(driver)) return {};
  const name = await questions.text("  Cashier on documents whose order names none: position and surname", {
    otherwise: "Кассир",
    problem: (answer) => (answer.length > 64 ? "at most 64 letters" : null),
  });
  return { cashier: { name } };
}

/** One that is registered for several needs to be told which it uses where an order says nothing. */
async function askTaxSystem(questions: Questions, { identity }: FoundRegister): Promise<object> {
  const names = taxSystems.flatMap(([name, bit]) => (((identity?.taxSystems ?? 0) & bit) === 0 ? [] : [name]));
  const [first] = names;
  if (first === undefined || names.length < 2) return {};
  return { taxSystem: await questions.choose("  Tax system of orders that name none", names, first) };
}

const option = z.looseObject({ description: z.string().default("") });
const optionsNode = z.looseObject({ properties: z.record(z.string(), option).default({}) });

interface AccessAnswers {
  readonly options: Readonly<Record<string, unknown>>;
  readonly secrets: readonly SecretFile[];
}

/**
 * Users and passwords for a register that refused the usual ones; which there are, only the driver knows. Passwords go into
 * files of their own, beside the config.
 */
async function askAccess(
  questions: Questions,
  { driver, fault }: FoundRegister,
  fileOf: (option: string) => string,
): Promise<AccessAnswers> {
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
      return parsed === null || parsed.success ? null : (parsed.error.issues[0]?.message ?? "will not do");
    };
    const ask = isSecret ? questions.secret : questions.text;
    const value = await ask(`  ${key}: ${description} (Enter = as usual)`, { otherwise: "", problem });
    if (value === "") continue;
    const file = fileOf(key);
    options[key] = isSecret ? { fromFile: file } : value;
    if (isSecret) secrets.push({ file, value });
  }
  return { options, secrets };
}

async function askReach(questions: Questions): Promise<Reach> {
  const kind = await questions.choose(
    "How is the register connected? `emulator` is a register to try things with: nothing fiscal happens",
    ["serial", "tcp", "http", "emulator"],
    "emulator",
  );
  const drivers = driverNames.filter((name) => driverConnections(name).includes(kind));
  const [likely] = drivers;
  if (likely === undefined) throw new Fault("internal", { message: `no driver is reached by ${kind}` });
  const driver = drivers.length === 1 ? likely : await questions.choose("Whose protocol", drivers, likely);
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
        baudRate: Number(await questions.text("Its speed", { otherwise: "115200", problem: speedProblem })),
      };
    case "tcp":
      return {
        host: await questions.text("Address of the register"),
        port: Number(await questions.text("Its port", { otherwise: "7778", problem: portProblem })),
      };
    case "http":
      return { url: await questions.text("Address of the service", { otherwise: "http://127.0.0.1:16732" }) };
    case "emulator":
      return { statePath: await questions.text("Where it keeps its memory", { otherwise: "data/emulator.json" }) };
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
