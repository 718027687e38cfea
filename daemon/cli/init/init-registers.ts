import type { FoundRegister } from "@fiscald/drivers/discover/discover.js";
import { driverConnections, driverNames, driverOptionsSchema } from "@fiscald/drivers/registry.js";
import { Fault } from "@fiscald/shared/fault.js";
import { idText } from "../../config/field-types.js";
import type { Language } from "../../messages/messages.js";
import {
  type EntryNames,
  isPassword,
  loginEntry,
  loginOptions,
  type RegisterAccess,
  type RegisterEntry,
  registerEntry,
  taxSystemNames,
} from "../../setup/entries.js";
import type { SecretFile } from "../../setup/write-config.js";
import { connectionText } from "../commands/discover.js";
import type { Questions } from "../terminal/questions.js";

export interface RegisterAnswers {
  readonly entries: readonly RegisterEntry[];
  readonly secrets: readonly SecretFile[];
}

export interface RegisterQuestions {
  /** Id of the site that the registers print for. */
  readonly site: string;
  readonly language: Language;
  /** Returns an unused file name. */
  freeName(wanted: string): string;
}

/** Asks about each found register, then for further ones. Returns at least one. */
export async function askRegisters(
  questions: Questions,
  found: readonly FoundRegister[],
  { site, language, freeName }: RegisterQuestions,
): Promise<RegisterAnswers> {
  const entries: RegisterEntry[] = [];
  const secrets: SecretFile[] = [];
  const groupOfLast = () => String(entries.at(-1)?.group ?? "");
  const taken = new Set<string>();
  for (const register of found) {
    const kkm = register.identity?.kkm ?? null;
    const isKnown = kkm !== null && taken.has(kkm);
    const { use, sameRegister } = questions.words.register;
    const what = `${describe(register, questions.words, language)}${isKnown ? sameRegister : ""}`;
    if (!(await questions.yesNo(use({ what }), !isKnown))) continue;
    if (kkm !== null) taken.add(kkm);
    const id = `till-${entries.length + 1}`;
    const model = register.identity?.model ?? register.driver;
    const names = await askNames(questions, { id, title: model, group: groupOfLast() });
    const login = await askLogin(questions, register, (option) => freeName(`${id}-${option}`));
    secrets.push(...login.secrets);
    const options = { ...register.options, ...login.options };
    entries.push({
      ...registerEntry({ ...register, options }, names, [site]),
      ...(await askTaxSystem(questions, register)),
    });
  }
  while (await wantsMore(questions, entries.length)) {
    const access = await askDriverAndConnection(questions);
    const id = `till-${entries.length + 1}`;
    const title = questions.words.register.usualTitle({ number: entries.length + 1 });
    const names = await askNames(questions, { id, title, group: groupOfLast() });
    entries.push(registerEntry(access, names, [site]));
  }
  return { entries, secrets };
}

function wantsMore(questions: Questions, count: number): Promise<boolean> {
  return count === 0 ? Promise.resolve(true) : questions.yesNo(questions.words.register.another, false);
}

function describe(register: FoundRegister, { register: words }: Questions["words"], language: Language): string {
  const { driver, identity, fault } = register;
  const who =
    identity === null ? "" : ` ${identity.model}, ${words.kkm} ${identity.kkm}, ${words.inn} ${identity.inn},`;
  const unread = fault === null ? "" : words.unread({ reason: fault.text[language].replace(/\.$/, "") });
  return `${driver}${who} ${words.at} ${connectionText(register)}${unread}`;
}

async function askNames(questions: Questions, { id, title, group }: EntryNames): Promise<EntryNames> {
  const { register: words, problems, none } = questions.words;
  return {
    id,
    title: await questions.text(`  ${words.title({ id })}`, {
      otherwise: title,
      problem: (answer) => (answer.length > 128 ? problems.tooLong({ most: 128 }) : null),
    }),
    group: await askGroup(),
  };

  async function askGroup(): Promise<string> {
    const answer = await questions.text(`  ${words.group}`, {
      otherwise: group || none,
      problem: (text) => (text === none || idText.safeParse(text).success ? null : problems.group),
    });
    return answer === none ? "" : answer;
  }
}

/** For a register with several tax systems: which of them applies to an order that names none. */
async function askTaxSystem(questions: Questions, { identity }: FoundRegister): Promise<object> {
  const names = taxSystemNames(identity?.taxSystems ?? 0);
  const [first] = names;
  if (first === undefined || names.length < 2) return {};
  return { taxSystem: await questions.choose(`  ${questions.words.register.taxSystem}`, names, first) };
}

/** Asks for users and passwords of a register that refused the usual ones. Passwords are written to files. */
async function askLogin(questions: Questions, { driver, fault }: FoundRegister, fileOf: (option: string) => string) {
  const { register: words, problems } = questions.words;
  const schema = driverOptionsSchema(driver);
  const names: Readonly<Record<string, string>> = words.logins;
  const login: Record<string, string> = {};
  for (const key of fault?.code === "device.wrong-password" ? loginOptions(driver) : []) {
    const problem = (answer: string) => {
      const parsed = answer === "" ? null : schema.safeParse({ [key]: answer });
      const [issue] = parsed?.error?.issues ?? [];
      return issue === undefined ? null : (issue.message ?? problems.notValid);
    };
    const question = `  ${names[key] ?? key} ${words.orDefault}`;
    const rule = { otherwise: "", problem };
    login[key] = await (isPassword(key) ? questions.secret(question, rule) : questions.text(question, rule));
  }
  return loginEntry(login, fileOf);
}

async function askDriverAndConnection(questions: Questions): Promise<RegisterAccess> {
  const words = questions.words.register;
  const kind = await questions.choose(words.connection, ["serial", "tcp", "http", "emulator"]);
  const drivers = driverNames.filter((name) => driverConnections(name).includes(kind));
  const [first] = drivers;
  if (first === undefined) throw new Fault("internal", { message: `no driver supports the connection ${kind}` });
  const driver = drivers.length === 1 ? first : await questions.choose(words.maker, drivers);
  return { driver, options: {}, connection: { kind, ...(await askConnection(questions, kind)) } };
}

async function askConnection(
  questions: Questions,
  kind: "serial" | "tcp" | "http" | "emulator",
): Promise<Readonly<Record<string, unknown>>> {
  const { register: words, problems } = questions.words;
  switch (kind) {
    case "serial":
      return {
        path: await questions.text(words.serialPort, { otherwise: "/dev/ttyACM0" }),
        baudRate: Number(
          await questions.text(words.baudRate, { otherwise: "115200", problem: within(2_400, 921_600, problems) }),
        ),
      };
    case "tcp":
      return {
        host: await questions.text(words.host),
        port: Number(await questions.text(words.tcpPort, { otherwise: "7778", problem: within(1, 65_535, problems) })),
      };
    case "http":
      return { url: await questions.text(words.service, { otherwise: "http://127.0.0.1:16732" }) };
    case "emulator":
      return { statePath: await questions.text(words.memoryFile, { otherwise: "data/emulator.json" }) };
  }
}

function within(from: number, to: number, { number }: Questions["words"]["problems"]) {
  return (answer: string) => {
    const value = Number(answer);
    return Number.isInteger(value) && value >= from && value <= to ? null : number({ from, to });
  };
}
