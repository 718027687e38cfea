import type { FoundRegister } from "@fiscald/drivers/discover/discover.js";
import { driverNames, driverRows } from "@fiscald/drivers/registry.js";
import { Fault } from "@fiscald/shared/fault.js";
import { isDoubtfulInn } from "@fiscald/shared/ids.js";
import { z } from "zod";
import { configId } from "../../config/field-types.js";
import { isPasswordOption, loginOptions, taxSystemNames } from "../../setup/entries.js";
import { type NewRegister, registerAnswer } from "../../setup/setup-answers.js";
import { connectionText } from "../commands/discover.js";
import { type Questions, wrongBy } from "../terminal/questions.js";

export async function askRegisters(
  questions: Questions,
  found: readonly FoundRegister[],
): Promise<readonly NewRegister[]> {
  const words = questions.words.init.register;
  const answers: NewRegister[] = [];
  const askNext = (title: string) =>
    askNames(questions, `till-${answers.length + 1}`, { title, group: answers.at(-1)?.group ?? "" });
  const taken = new Set<string>();
  for (const register of found) {
    const kkm = register.identity?.kkm ?? null;
    const isKnown = kkm !== null && taken.has(kkm);
    const what = `${describe(register, questions)}${isKnown ? words.sameRegister : ""}`;
    const { inn = "" } = register.identity ?? {};
    const doubt = isDoubtfulInn(inn) ? `${questions.words.setup.innDoubt({ inn })} ` : "";
    if (!(await questions.yesNo(`${doubt}${words.use({ what })}`, !isKnown))) continue;
    if (kkm !== null) taken.add(kkm);
    const { driver, connection, options } = register;
    const names = await askNext(register.identity?.model ?? driver);
    const login = await askLogin(questions, register);
    const taxSystem = await askTaxSystem(questions, register);
    answers.push({ ...names, driver, connection, options, login, taxSystem });
  }
  while (answers.length === 0 || (await questions.yesNo(words.another, false))) {
    const access = await askDriverAndConnection(questions);
    const names = await askNext(words.usualTitle({ number: answers.length + 1 }));
    answers.push({ ...names, ...access, options: {}, login: {}, taxSystem: "" });
  }
  return answers;
}

function describe(register: FoundRegister, { words: all, language }: Questions): string {
  const { driver, identity, fault } = register;
  const words = all.init.register;
  const who =
    identity === null ? "" : ` ${identity.model}, ${words.kkm} ${identity.kkm}, ${words.inn} ${identity.inn},`;
  const unread = fault === null ? "" : words.unread({ reason: fault.text[language].replace(/\.$/, "") });
  return `${driver}${who} ${words.at} ${connectionText(register)}${unread}`;
}

type Names = Pick<NewRegister, "title" | "group">;

async function askNames(questions: Questions, id: string, { title, group }: Names): Promise<Names> {
  const { language, words } = questions;
  const { none } = words.init;
  const isRight = wrongBy(configId, language);
  const name = await questions.text(`  ${id}: ${words.setup.registerTitle}`, {
    otherwise: title,
    problem: wrongBy(registerAnswer.shape.title, language),
  });
  const answer = await questions.text(`  ${questions.orNone(words.setup.group)}`, {
    otherwise: group || none,
    problem: (text) => (text === none ? null : isRight(text)),
  });
  return { title: name, group: answer === none ? "" : answer };
}

/** An order that names no tax system needs one where the register has several. */
async function askTaxSystem(questions: Questions, { identity }: FoundRegister): Promise<string> {
  const names = taxSystemNames(identity?.taxSystems ?? 0);
  const [first] = names;
  if (first === undefined || names.length < 2) return "";
  return questions.choose(`  ${questions.words.setup.taxSystem}`, names, first);
}

/** Asks only where a register refused the usual users and passwords. The passwords are written to files. */
async function askLogin(questions: Questions, { driver, fault }: FoundRegister) {
  const words = questions.words.init.register;
  const schema = driverRows[driver].options;
  const names: Readonly<Record<string, string>> = words.logins;
  const login: Record<string, string> = {};
  for (const key of fault?.code === "device.wrong-password" ? loginOptions(driver) : []) {
    const problem = (answer: string) => (answer === "" ? null : wrongBy(schema, questions.language)({ [key]: answer }));
    const question = `  ${names[key] ?? key} ${words.orDefault}`;
    const rule = { otherwise: "", problem };
    login[key] = await (isPasswordOption(key) ? questions.secret(question, rule) : questions.text(question, rule));
  }
  return login;
}

async function askDriverAndConnection(questions: Questions): Promise<Pick<NewRegister, "driver" | "connection">> {
  const { init, setup } = questions.words;
  const kind = await questions.choose(init.register.connection, ["serial", "tcp", "http", "emulator"]);
  const drivers = driverNames.filter((name) => driverRows[name].connections.includes(kind));
  const [first] = drivers;
  if (first === undefined) throw new Fault("internal", { message: `no driver supports the connection ${kind}` });
  const driver = drivers.length === 1 ? first : await questions.choose(setup.driver, drivers);
  return { driver, connection: { kind, ...(await askConnection(questions, kind)) } };
}

async function askConnection(
  questions: Questions,
  kind: "serial" | "tcp" | "http" | "emulator",
): Promise<Readonly<Record<string, unknown>>> {
  const { init, setup } = questions.words;
  const within = (from: number, to: number) => wrongBy(z.coerce.number().int().min(from).max(to), questions.language);
  switch (kind) {
    case "serial":
      return {
        path: await questions.text(setup.path, { otherwise: "/dev/ttyACM0" }),
        baudRate: Number(
          await questions.text(setup.baudRate, { otherwise: "115200", problem: within(2_400, 921_600) }),
        ),
      };
    case "tcp":
      return {
        host: await questions.text(setup.address),
        port: Number(await questions.text(setup.port, { otherwise: "7778", problem: within(1, 65_535) })),
      };
    case "http":
      return { url: await questions.text(setup.url, { otherwise: "http://127.0.0.1:16732" }) };
    case "emulator":
      return { statePath: await questions.text(init.register.memoryFile, { otherwise: "data/emulator.json" }) };
  }
}
