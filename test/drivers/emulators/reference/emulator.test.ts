import { crc16Ccitt } from "@fiscald/drivers/framing/framing.js";
import { prepareReference } from "@fiscald/emulators/reference/emulator.js";
import { createLoopback } from "@fiscald/emulators/wire/loopback.js";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import { makeRegister } from "../../contract/make-register.js";

const model = prepareReference({ model: null, protocol: null, unconfirmed: {}, wire: "loopback" });

/** A register and hosts that send raw lines: `say` returns the register's answer to these bytes. */
async function withHost(run: (host: Host) => Promise<void>): Promise<void> {
  const clock = createFakeClock();
  const register = makeRegister({ clock, model });
  async function connect() {
    const { transport, device } = createLoopback();
    let heard = "";
    transport.onBytes((bytes) => {
      heard += Buffer.from(bytes).toString("utf8");
    });
    register.device.attach(device);
    await transport.open(new AbortController().signal);
    const say = async (bytes: string | Uint8Array): Promise<string> => {
      heard = "";
      await transport.write(Buffer.from(bytes));
      await new Promise((resolve) => setImmediate(resolve));
      return heard;
    };
    return { say, close: () => transport.close() };
  }
  const first = await connect();
  try {
    await run({ clock, register, connect, ...first });
  } finally {
    await first.close();
    register.close();
  }
}

interface Line {
  say(bytes: string | Uint8Array): Promise<string>;
  close(): Promise<void>;
}
interface Host extends Line {
  readonly clock: FakeClock;
  readonly register: ReturnType<typeof makeRegister>;
  connect(): Promise<Line>;
}

function sealed(text: string): string {
  return `${text} *${crc16Ccitt(Buffer.from(text, "utf8")).toString(16).toUpperCase().padStart(4, "0")}\n`;
}

test("the reference register answers with the id of the request and a correct checksum", () =>
  withHost(async (host) => {
    expect(await host.say(sealed("7.1 SUBTOTAL {}"))).toBe(sealed('7.1 ERROR {"error":"no-receipt"}'));
  }));

test.each([
  ["an unknown command", "1 DANCE {}", "unknown-command"],
  ["no command at all", "1", "unknown-command"],
  ["a body that is no JSON", "1 PAY {type", "bad-value"],
  ["a body of wrong types", '1 PAY {"type":"cash","sum":1}', "bad-value"],
  ["a negative sum", '1 CASH {"direction":"in","sum":-5}', "bad-value"],
  ["an impossible date", '1 SET-TIME {"time":"2026-02-30T00:00:00"}', "bad-value"],
  ["a document that does not exist", '1 DOC {"fd":99}', "no-document"],
])("the reference register refuses %s with its error name", (_title, line, error) =>
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

test("the reference register stores at most one line of bytes that have no line end", () =>
  withHost(async (host) => {
    expect(await host.say(new Uint8Array(400_000).fill(0x41))).toBe("");
    await host.say("\n");
    expect(await host.say(sealed("2 SUBTOTAL {}"))).toBe(sealed('2 ERROR {"error":"no-receipt"}'));
  }));

test("the reference register carries out two lines of one piece one after the other", () =>
  withHost(async (host) => {
    const answer = await host.say(`${sealed("1 SUBTOTAL {}")}${sealed("2 CANCEL {}")}`);
    expect(answer).toBe(`${sealed('1 ERROR {"error":"no-receipt"}')}${sealed('2 ERROR {"error":"no-receipt"}')}`);
  }));

test("the reference register does nothing else during a command, even for a new connection", () =>
  withHost(async ({ clock, register, say, close, connect }) => {
    register.addFault({ effect: "late-execution", ms: 60_000, when: { command: "open-shift", nth: 1 } });
    await say(sealed('1 OPEN-SHIFT {"cashier":null,"cashierInn":null}'));
    await close();
    const second = await connect();
    expect(await second.say(sealed("2 SUBTOTAL {}"))).toBe("");
    await clock.advance(60_000);
    expect(register.core.shift).toBe("open");
    expect(await second.say(sealed("3 SUBTOTAL {}"))).toBe(sealed('3 ERROR {"error":"no-receipt"}'));
    await second.close();
  }));

test.each([
  { model: "other", protocol: null, unconfirmed: {} },
  { model: null, protocol: "v9", unconfirmed: {} },
  { model: null, protocol: null, unconfirmed: { moon: "full" } },
])("the reference register refuses an unknown model, protocol or switch: %j", (options) => {
  const refused = expect.objectContaining({ code: "usage.wrong" });
  expect(() => prepareReference({ ...options, wire: "tcp" })).toThrow(refused);
});
