import { PassThrough } from "node:stream";
import { askRegisters } from "@fiscald/daemon/cli/init/init-registers.js";
import { askShop } from "@fiscald/daemon/cli/init/init-shop.js";
import { Questions } from "@fiscald/daemon/cli/terminal/questions.js";
import type { Language } from "@fiscald/daemon/messages/messages.js";
import type { FoundRegister } from "@fiscald/drivers/discover/discover.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";

function found(over: { readonly taxSystems?: number; readonly port?: number } = {}): FoundRegister {
  const { taxSystems = 1, port = 7778 } = over;
  return {
    place: `192.0.2.1:${port}`,
    driver: "shtrih",
    connection: { kind: "tcp", host: "192.0.2.1", port },
    options: {},
    identity: {
      kkm: toKkm("0001"),
      inn: toInn("7700000000"),
      fn: toFnSerial("9999078900000001"),
      serial: "1",
      model: "РИТЕЙЛ-01Ф",
      firmware: "1",
      ffd: "1.05",
      taxSystems,
    },
    fault: null,
    usb: null,
  };
}

function questionsOf(answers: readonly string[], language: Language) {
  const input = new PassThrough();
  let out = "";
  const questions = new Questions({
    input,
    out: (text) => {
      out += text;
    },
    stopSignal: new AbortController().signal,
    language,
  });
  input.end(answers.map((answer) => `${answer}\n`).join(""));
  return { questions, out: () => out };
}

async function ask(registers: readonly FoundRegister[], answers: readonly string[], language: Language = "en") {
  const { questions, out } = questionsOf(answers, language);
  const added = await askRegisters(questions, registers);
  questions.close();
  return { added, out: out() };
}

test("for a register with several tax systems, init asks which tax system an order that names none gets", async () => {
  const { added, out } = await ask([found({ taxSystems: 1 | 32 })], ["y", "", "", "osn, please", "patent", "n"]);
  expect(added).toMatchObject([{ taxSystem: "patent" }]);
  expect(out).toContain("till-1");
  expect(out).toContain("(osn, patent) [osn]");
  expect((await ask([found()], ["y", "", "", "n"])).added).toMatchObject([{ taxSystem: "" }]);
});

test("init says in Russian why a found register cannot be read", async () => {
  const unread = { ...found(), identity: null, fault: new Fault("link.timeout", { message: "no answer in 3 s" }) };
  const { out } = await ask([unread], ["n", "tcp", "shtrih", "192.0.2.1", "", "", "", "n"], "ru");
  expect(out).toContain("не читаются: Касса не ответила вовремя,");
  expect(out).not.toContain("no answer");
});

test("init warns of a wrong check digit in the INN of a found register, and adds the register", async () => {
  const { added, out } = await ask([found()], ["", "", "", "n"], "ru");
  expect(out).toContain("Контрольные цифры ИНН 7700000000 не сходятся: сверьте его с документами. Использовать");
  expect(added).toHaveLength(1);
  const right = found();
  const sound = { ...right, identity: right.identity && { ...right.identity, inn: toInn("7736050003") } };
  expect((await ask([sound], ["", "", "", "n"], "ru")).out).not.toContain("не сходятся");
});

test("init asks again for a cashier's INN with wrong check digits, and accepts an INN that the person insists on", async () => {
  const rest = ["Москва", ""];
  const asked = async (...inns: readonly string[]) => {
    const { questions, out } = questionsOf(["Кассир Петрова", ...inns, ...rest], "ru");
    const { cashierInn } = await askShop(questions, false);
    return { cashierInn, doubts: out().split("Контрольные цифры").length - 1 };
  };
  expect(await asked("500100732259")).toEqual({ cashierInn: "500100732259", doubts: 0 });
  expect(await asked("500100732258", "", "500100732259")).toEqual({ cashierInn: "500100732259", doubts: 1 });
  expect(await asked("500100732269", "д")).toEqual({ cashierInn: "500100732269", doubts: 1 });
});

test("for a register that a person enters by hand, init suggests no kind of connection", async () => {
  const { added, out } = await ask([], ["", "", "tcp", "shtrih", "192.0.2.1", "", "", "", "n"]);
  expect(added).toMatchObject([{ driver: "shtrih", connection: { kind: "tcp", host: "192.0.2.1", port: 7778 } }]);
  expect(out.match(/an answer is needed here/g)).toHaveLength(2);
  expect(out).not.toContain("[emulator]");
});

test("init adds a register only once by default when the register is found on two connections", async () => {
  const both = [found(), found({ port: 12345 })];
  const { added, out } = await ask(both, ["", "", "", "", "n"]);
  expect(added).toHaveLength(1);
  expect(out).toContain("the same register on another connection");
});

test("a waiting question of init ends with an error when the process is asked to stop", async () => {
  const stop = new AbortController();
  const questions = new Questions({ input: new PassThrough(), out: () => {}, stopSignal: stop.signal });
  const asked = questions.text("Name");
  stop.abort();
  await expect(asked).rejects.toMatchObject({ code: "usage.wrong" });
  questions.close();
});
