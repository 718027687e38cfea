import { PassThrough } from "node:stream";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { startCommand } from "../../support/command-line.js";
import { makeReceipt, makeService, newJob } from "../../support/make-job.js";
import { rawRegister, writeRawConfig } from "../../support/raw-config.js";
import { useStores } from "../../support/use-stores.js";

const { folder, open } = useStores();

beforeEach(() => {
  // Nobody answers on this port, so a command that goes on ends with `daemon.unreachable`.
  writeRawConfig(folder(), { console: { port: 1 }, registers: [rawRegister({ title: "Зал" })] });
});

function addJob(receipt: Receipt): void {
  const { jobs, close } = open();
  jobs.insertJob(newJob({ receipt, state: "refused", fault: { code: "receipt.framing", message: "" } }));
  close();
}

function onTerminal(line: string, answer: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.end(`${answer}\n`);
  return startCommand(folder(), line, { input }).ended;
}

const sale = makeReceipt({ orderId: toOrderId("A-1") });
const cashIn = makeService([{ type: "cash", direction: "in", sum: kopecks(50_000) }]);

const asked: readonly (readonly [line: string, of: string, receipt: Receipt, says: string])[] = [
  [
    "print-anyway 1",
    "a sale",
    sale,
    "Касса «Зал» (till) напечатает ещё один фискальный чек: Приход 100,00\u00A0₽, заказ A-1.",
  ],
  ["print-anyway 1", "cash in", cashIn, "Касса «Зал» (till) проведёт наличные: Внесение 500,00\u00A0₽."],
  [
    "resolve 1 --not-printed",
    "a sale",
    sale,
    "Касса «Зал» (till) напечатает снова: Приход 100,00\u00A0₽, заказ A-1, если",
  ],
  ["resolve 1 --not-printed", "cash in", cashIn, "проведёт наличные: Внесение 500,00\u00A0₽."],
  ["approve 1", "cash in", cashIn, "проведёт наличные: Внесение 500,00\u00A0₽."],
  ["retry 1", "cash in", cashIn, "проведёт наличные: Внесение 500,00\u00A0₽."],
  ["accept-identity till", "a register", sale, "Подключённая сейчас касса станет кассой «Зал» (till)"],
  ["accept-identity till --orders 4 7", "a register", sale, "Будут напечатаны задания: 4, 7."],
];

test.each(asked)(
  "`%s` of %s says on a terminal what it will do, and goes on only after the whole word «да»",
  async (line, _of, receipt, says) => {
    addJob(receipt);
    const agreed = await onTerminal(`${line} --lang ru`, "да");
    expect(agreed).toMatchObject({ code: 1, err: expect.stringContaining("daemon.unreachable") });
    expect(agreed.out).toContain(says);
    // On a Latin keyboard the key of «н» gives "y".
    for (const answer of ["", "нет", "н", "y", "Y", "д", "давай"]) {
      const { code, out, err } = await onTerminal(`${line} --lang ru`, answer);
      expect([answer, code, err]).toEqual([answer, 1, ""]);
      expect(out).toMatch(/Продолжить\? Наберите да \[нет\]: Ничего не изменено\.\n$/);
    }
  },
);

test.each(asked)("`%s` of %s goes on in an English session after yes alone", async (line, _of, receipt) => {
  addJob(receipt);
  expect(await onTerminal(line, "yes")).toMatchObject({ err: expect.stringContaining("daemon.unreachable") });
  for (const answer of ["", "y"]) {
    expect(await onTerminal(line, answer)).toMatchObject({
      code: 1,
      out: expect.stringContaining("Nothing was changed."),
    });
  }
});

test.each(asked)(
  "`%s` of %s is refused without a terminal, with a hint at --yes, and asks nothing when --yes is given",
  async (line, _of, receipt) => {
    addJob(receipt);
    const refused = await startCommand(folder(), `${line} --lang ru`).ended;
    expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(/^usage\.wrong: .*\n.*добавьте --yes\n/) });
    const piped = new PassThrough();
    piped.end("да\n");
    expect(await startCommand(folder(), line, { input: piped }).ended).toMatchObject({ code: 2 });
    const told = await startCommand(folder(), `${line} --yes`).ended;
    expect(told).toMatchObject({ code: 1, out: "", err: expect.stringContaining("daemon.unreachable") });
  },
);

test.each(["retry 1", "approve 1", "resolve 1 --printed 5"])("`%s` runs without a question", async (line) => {
  addJob(sale);
  const { out, err } = await startCommand(folder(), line).ended;
  expect([out, err]).toEqual(["", expect.stringContaining("daemon.unreachable")]);
});
