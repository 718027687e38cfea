import { crc16Ccitt } from "@fiscald/drivers/framing/framing.js";
import { prepareReference } from "@fiscald/emulators/reference/emulator.js";
import { createLoopback } from "@fiscald/emulators/wire/loopback.js";
import { isFault } from "@fiscald/shared/fault.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { makeRegister } from "../../contract/make-register.js";

const model = prepareReference({ model: null, protocol: null, unconfirmed: {}, wire: "loopback" });

/** A register and a host that types raw lines. */
async function openHost() {
  const register = makeRegister({ clock: createFakeClock(), model });
  const { transport, device } = createLoopback();
  let heard = "";
  transport.onBytes((bytes) => {
    heard += Buffer.from(bytes).toString("utf8");
  });
  register.device.attach(device);
  await transport.open(new AbortController().signal);
  return {
    register,
    /** What the register says to these bytes. */
    async say(bytes: string | Uint8Array): Promise<string> {
      heard = "";
      await transport.write(Buffer.from(bytes));
      await new Promise((resolve) => setImmediate(resolve));
      return heard;
    },
    async close() {
      await transport.close();
      register.close();
    },
  };
}

function sealed(text: string): string {
  return `${text} *${crc16Ccitt(Buffer.from(text, "utf8")).toString(16).toUpperCase().padStart(4, "0")}\n`;
}

async function withHost(test: (host: Awaited<ReturnType<typeof openHost>>) => Promise<void>): Promise<void> {
  const host = await openHost();
  try {
    await test(host);
  } finally {
    await host.close();
  }
}

test("the reference register answers with the id of the question and a right checksum", () =>
  withHost(async (host) => {
    expect(await host.say(sealed("7.1 SUBTOTAL {}"))).toBe(sealed('7.1 ERROR {"error":"no-receipt"}'));
  }));

test.each([
  ["a command that nobody knows", "1 DANCE {}", "unknown-command"],
  ["no command at all", "1", "unknown-command"],
  ["a body that is no JSON", "1 PAY {type", "bad-value"],
  ["a body of wrong types", '1 PAY {"type":"cash","sum":1}', "bad-value"],
  ["a negative sum", '1 CASH {"direction":"in","sum":-5}', "bad-value"],
  ["a date that is none", '1 SET-TIME {"time":"2026-02-30T00:00:00"}', "bad-value"],
  ["a document that does not exist", '1 DOC {"fd":99}', "no-document"],
])("the reference register refuses %s with its error word", (_title, line, error) =>
  withHost(async (host) => {
    expect(await host.say(sealed(line))).toBe(sealed(`1 ERROR {"error":"${error}"}`));
  }),
);

test.each([
  ["a wrong checksum", "1 STATE {} *0000\n"],
  ["no checksum", "1 STATE {}\n"],
  ["nothing but a line end", "\n"],
])("the reference register does not answer %s, and answers the next line", (_title, line) =>
  withHost(async (host) => {
    expect(await host.say(line)).toBe("");
    expect(await host.say(sealed("2 SUBTOTAL {}"))).toBe(sealed('2 ERROR {"error":"no-receipt"}'));
  }),
);

test("bytes without a line end cost the reference register no more memory than a line", () =>
  withHost(async (host) => {
    expect(await host.say(new Uint8Array(400_000).fill(0x41))).toBe("");
    await host.say("\n");
    expect(await host.say(sealed("2 SUBTOTAL {}"))).toBe(sealed('2 ERROR {"error":"no-receipt"}'));
  }));

test("the reference register carries two lines in one piece out one after the other", () =>
  withHost(async (host) => {
    const answer = await host.say(`${sealed("1 SUBTOTAL {}")}${sealed("2 CANCEL {}")}`);
    expect(answer).toBe(`${sealed('1 ERROR {"error":"no-receipt"}')}${sealed('2 ERROR {"error":"no-receipt"}')}`);
  }));

test("the reference register does nothing else while a command is at work, also for a new connection", async () => {
  const clock = createFakeClock();
  const register = makeRegister({ clock, model });
  register.addFault({ effect: "late-execution", ms: 60_000, when: { command: "open-shift", nth: 1 } });
  const ask = async (line: string) => {
    const { transport, device } = createLoopback();
    let heard = "";
    transport.onBytes((bytes) => {
      heard += Buffer.from(bytes).toString("utf8");
    });
    register.device.attach(device);
    await transport.open(new AbortController().signal);
    await transport.write(Buffer.from(sealed(line)));
    await clock.advance(0);
    const answer = heard;
    await transport.close();
    await clock.advance(0);
    return answer;
  };
  await ask('1 OPEN-SHIFT {"cashier":null,"cashierInn":null}');
  expect(await ask("2 SUBTOTAL {}")).toBe("");
  await clock.advance(60_000);
  expect(register.core.shift).toBe("open");
  expect(await ask("3 SUBTOTAL {}")).toBe(sealed('3 ERROR {"error":"no-receipt"}'));
  register.close();
});

test.each([
  { model: "other", protocol: null, unconfirmed: {} },
  { model: null, protocol: "v9", unconfirmed: {} },
  { model: null, protocol: null, unconfirmed: { moon: "full" } },
])("the reference register refuses a model, protocol or switch of another name: %j", (options) => {
  try {
    prepareReference({ ...options, wire: "tcp" });
  } catch (error) {
    expect(isFault(error) ? error.code : error).toBe("usage.wrong");
    return;
  }
  throw new Error("it was accepted");
});
