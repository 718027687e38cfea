import type { TextLineEvent } from "@fiscald/drivers/framing/text-line.js";
import { createLineProtocol, decodeAnswer, encodeRequest } from "@fiscald/drivers/reference/line-protocol.js";

const protocol = createLineProtocol();

/** The lines of drivers/reference/README.md. */
const lines = {
  subtotal: "1f3a.7 SUBTOTAL {} *B454",
  sum: '1f3a.7 OK {"sum":15050} *DCAE',
  payment: '1f3a.9 PAY {"type":1,"sum":15050} *2F83',
  paid: "1f3a.9 OK {} *9508",
  refused: '1f3a.8 ERROR {"error":"no-receipt"} *47F9',
};

async function decoded(bytes: Uint8Array): Promise<readonly TextLineEvent[]> {
  const events: TextLineEvent[] = [];
  const decoder = protocol.createDecoder((event) => events.push(event));
  decoder.push(bytes);
  await new Promise((resolve) => setImmediate(resolve));
  return events;
}

const bytesOf = (text: string) => Buffer.from(text, "utf8");

test.each([
  ["SUBTOTAL", "1f3a.7", {}, lines.subtotal],
  ["PAY", "1f3a.9", { type: 1, sum: 15_050 }, lines.payment],
])("the driver of the reference register writes %s as the manual shows it", (name, id, body, line) => {
  const machine = protocol.begin({
    name,
    payload: encodeRequest(id, name, body),
    answerMs: 1000,
    repeatable: false,
    isAnswer: () => true,
  });
  const { write = [] } = machine.on({ kind: "begin" });
  expect(Buffer.concat(write).toString("utf8")).toBe(`${line}\n`);
});

test("the driver of the reference register reads the answers of the manual", async () => {
  const events = await decoded(bytesOf(`${lines.sum}\n${lines.paid}\r\n${lines.refused}\n`));
  expect(events.map((event) => (event.kind === "frame" ? decodeAnswer(event.payload) : event))).toEqual([
    { id: "1f3a.7", status: "OK", body: { sum: 15_050 } },
    { id: "1f3a.9", status: "OK", body: {} },
    { id: "1f3a.8", status: "ERROR", body: { error: "no-receipt" } },
  ]);
});

test("the driver of the reference register accepts no answer that differs in a single byte", async () => {
  const good = bytesOf(lines.sum);
  for (let place = 0; place < good.length; place += 1) {
    const bad = Uint8Array.from(good);
    bad[place] = (bad[place] ?? 0) ^ 0x01;
    const events = await decoded(Buffer.concat([bad, bytesOf("\n")]));
    expect(events.filter((event) => event.kind === "frame" && decodeAnswer(event.payload)?.id === "1f3a.7")).toEqual(
      [],
    );
  }
});

test("an answer line of the reference register without a checksum is damaged", async () => {
  expect(await decoded(bytesOf("1f3a.7 OK {}\n"))).toEqual([{ kind: "damaged", reason: "no checksum" }]);
});

test.each(["", "1 OK", "1 FINE {}", "1 OK [1]", '1 OK {"a":}', "OK {}"])(
  "the line %j is no answer of the reference register",
  (text) => {
    expect(decodeAnswer(bytesOf(text))).toBeNull();
  },
);
