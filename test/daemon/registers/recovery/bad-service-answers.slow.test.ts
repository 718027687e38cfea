/** Answers that are not the print service's, at each request of a receipt and of its recovery. */
import { writeAnswer } from "@fiscald/emulators/atol/http.js";
import {
  addSecond,
  closeTills,
  expectSecond,
  onCommand,
  openWorking,
  receiptsOf,
} from "../../../support/emulated-till.js";

afterEach(closeTills);

const bodyOf = (answer: Uint8Array) => Buffer.from(answer).toString("utf8").split("\r\n\r\n").slice(1).join();
const asBytes = (text: string) => Uint8Array.from(Buffer.from(text, "utf8"));

type Spoil = (good: Uint8Array) => Uint8Array;
const badRequest = { error: { code: 0, description: "Bad Request" } };
const badAnswers: readonly (readonly [title: string, of: Spoil])[] = [
  ["HTML", () => writeAnswer({ status: 200, body: "<html>Router login</html>" })],
  ["half a JSON text", (good) => writeAnswer({ status: 200, body: `{${bodyOf(good)}`.slice(0, 20) })],
  ["error 400", () => writeAnswer({ status: 400, body: badRequest })],
  ["error 500", () => writeAnswer({ status: 500, body: "Internal Server Error" })],
  ["a JSON text of something else", () => writeAnswer({ status: 200, body: { hello: "world" } })],
];
const onceSpoilt = ["post sell", "read-job", "post getFnInfo"];

/** `heard`: the request is carried out although its answer is bad. */
function spoilOnce(
  emulator: Parameters<typeof onCommand>[0],
  name: string,
  of: Spoil,
  { heard = true, when = () => true }: { readonly heard?: boolean; readonly when?: () => boolean } = {},
): { readonly times: number } {
  const spoilt = { times: 0 };
  onCommand(emulator, name, ({ act, answer }) => {
    if (spoilt.times > 0 || !when()) return "pass";
    spoilt.times += 1;
    answer(of((heard ? act() : null) ?? writeAnswer({ status: 200, body: null })));
    return "handled";
  });
  return spoilt;
}

describe.each(badAnswers)("an answer that is %s", (_title, of) => {
  // The request was carried out, or was not.
  const cases = onceSpoilt.flatMap((name) => [true, false].map((heard) => ({ name, heard })));
  test.each(cases)("a bad answer to $name (heard: $heard) loses and doubles no order", async ({ name, heard }) => {
    const { bench, emulator } = await openWorking("atol");
    const spoilt = spoilOnce(emulator, name, of, { heard, when: () => bench.stores.attempts.ofJob(2).length > 0 });
    // A poll or a question for the number comes only in a doubt, which this fault makes.
    if (name !== "post sell") emulator.faults.add({ effect: "drop-answer", when: { command: "post sell" } });
    addSecond(bench);
    await expectSecond(bench, emulator);
    expect(spoilt.times).toBe(1);
  });

  test("a bad answer to the DELETE of a job that seems to wait leaves the job unsure, and then gives one document", async () => {
    const { bench, emulator } = await openWorking("atol");
    emulator.faults.add({ effect: "late-execution", ms: 600, when: { command: "close-receipt" } });
    onCommand(emulator, "read-job", ({ act, answer }) => {
      const text = Buffer.from(act() ?? []).toString("utf8");
      answer(asBytes(text.replace('"inProgress"', '"wait"      ')));
      return "handled";
    });
    const spoilt = spoilOnce(emulator, "delete-job", of);
    addSecond(bench);
    await expectSecond(bench, emulator);
    expect(spoilt.times).toBe(1);
  });

  test("a bad answer to the question for documents decides nothing, and the order is printed once", async () => {
    const { bench, emulator } = await openWorking("atol");
    emulator.faults.add({ effect: "drop-answer", when: { command: "post sell" } });
    const spoilt = spoilOnce(emulator, "post getFnDocument", of);
    addSecond(bench);
    await expectSecond(bench, emulator);
    expect(spoilt.times).toBe(1);
  });
});

test("another register's documents at the print service's address stop the queue, and nothing is printed there", async () => {
  const { bench, emulator } = await openWorking("atol");
  const wrong = onCommand(emulator, "identify", ({ act, answer }) => {
    const text = Buffer.from(act() ?? []).toString("utf8");
    answer(asBytes(text.replace(emulator.core.registration.kkm, "0009999999999999")));
    return "handled";
  });
  emulator.faults.add({ effect: "drop-answer", when: { command: "post sell" } });
  addSecond(bench);
  await bench.until("the register is blocked", () => bench.fleet.snapshots()[0]?.phase === "blocked");
  expect(bench.fleet.snapshots()[0]?.fault?.code).toBe("register.foreign-identity");
  expect(bench.stores.jobs.get(2).state).toBe("unsure");
  const before = receiptsOf(emulator).length;
  await bench.clock.advance(60_000);
  expect(receiptsOf(emulator)).toHaveLength(before);
  emulator.device.removeBehaviour(wrong);
  await expectSecond(bench, emulator);
});
