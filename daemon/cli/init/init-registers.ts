import type { FoundRegister } from "@fiscald/drivers/discover/discover.js";
import { driverConnections, driverNames, driverOptionsSchema } from "@fiscald/drivers/registry.js";
import { Fault } from "@fiscald/shared/fault.js";
import { idText } from "../../config/field-types.js";
import type { Language } from "../../messages/messages.js";
import { isPassword, loginOptions, taxSystemNames } from "../../setup/entries.js";
import type { NewRegister } from "../../setup/setup-answers.js";
import { connectionText } from "../commands/discover.js";
import type { Questions } from "../terminal/questions.js";

/** Asks about each found register, then for further ones. Returns at least one. */
export async function askRegisters(
  questions: Questions,
  found: readonly FoundRegister[],
  language: Language,
): Promise<readonly NewRegister[]> {
  const answers: NewRegister[] = [];
  const askNext = (title: string) =>
    askNames(questions, `till-${answers.length + 1}`, { title, group: answers.at(-1)?.group ?? "" });
  const taken = new Set<string>();
  for (const register of found) {
    const kkm = register.identity?.kkm ?? null;
    const isKnown = kkm !== null && taken.has(kkm);
    const { use, sameRegister } = questions.words.register;
    const what = `${describe(register, questions.words, language)}${isKnown ? sameRegister : ""}`;
    if (!(await questions.yesNo(use({ what }), !isKnown))) continue;
    if (kkm !== null) taken.add(kkm);
    const { driver, connection, options } = register;
    const names = await askNext(register.identity?.model ?? driver);
    const login = await askLogin(questions, register);
    const taxSystem = await askTaxSystem(questions, register);
    answers.push({ ...names, driver, connection, options, login, taxSystem });
  }
  while (answers.length === 0 || (await questions.yesNo(questions.words.register.another, false))) {
    const access = await askDriverAndConnection(questions);
    const names = await askNext(questions.words.register.usualTitle({ number: answers.length + 1 }));
    answers.push({ ...names, ...access, options: {}, login: {}, taxSystem: "" });
  }
  return answers;
}

function describe(register: FoundRegister, { register: words }: Questions["words"], language: Language): string {
  const { driver, identity, fault } = register;
  const who =
    identity === null ? "" : ` ${identity.model}, ${words.kkm} ${identity.kkm}, ${words.inn} ${identity.inn},`;
  const unread = fault === null ? "" : words.unread({ reason: fault.text[language].replace(/\.$/, "") });
  return `${driver}${who} ${words.at} ${connectionText(register)}${unread}`;
}

type Names = Pick<NewRegister, "title" | "group">;

async function askNames(questions: Questions, id: string, { title, group }: Names): Promise<Names> {
  const { register: words, problems, none } = questions.words;
  return {
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
async function askTaxSystem(questions: Questions, { identity }: FoundRegister): Promise<string> {
  const names = taxSystemNames(identity?.taxSystems ?? 0);
  const [first] = names;
  if (first === undefined || names.length < 2) return "";
  return questions.choose(`  ${questions.words.register.taxSystem}`, names, first);
}

/** Asks for users and passwords of a register that refused the usual ones. Passwords are written to files. */
async function askLogin(questions: Questions, { driver, fault }: FoundRegister) {
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
  return login;
}

async function askDriverAndConnection(questions: Questions): Promise<Pick<NewRegister, "driver" | "connection">> {
  const words = questions.words.register;
  const kind = await questions.choose(words.connection, ["serial", "tcp", "http", "emulator"]);
  const drivers = driverNames.filter((name) => driverConnections(name).includes(kind));
  const [first] = drivers;
  if (first === undefined) throw new Fault("internal", { message: `no driver supports the connection ${kind}` });
  const driver = drivers.length === 1 ? first : await questions.choose(words.maker, drivers);
  return { driver, connection: { kind, ...(await askConnection(questions, kind)) } };
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
