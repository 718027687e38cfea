import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { statusOf } from "../../../support/raw-request.js";
import { waitFor } from "../../../support/wait-for.js";
import { connectHost, frame, type Host } from "../host.js";
import { closeCommand, itemCommand, OP, SYS } from "../shtrih/make-shtrih.js";

let emulator: Emulator;
let host: Host;

beforeEach(async () => {
  emulator = await openEmulator({ maker: "shtrih", control: "127.0.0.1:0", clock: createFakeClock() });
  host = await connectHost(emulator, "loopback");
});

afterEach(async () => {
  await host.close();
  await emulator.close();
});

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`http://${emulator.control}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" } }),
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const get = async (path: string) => (await call("GET", path)).body;
const post = async (path: string, body: unknown) => (await call("POST", path, body)).body;

async function ask(command: string): Promise<void> {
  await host.write(frame(command));
  const head = await host.take(3);
  await host.take(Number.parseInt(head.slice(6), 16) + 1);
  await host.write("06");
}

async function sell(price: number): Promise<void> {
  await ask(`8D ${OP} 00`);
  await ask(itemCommand({ price, quantity: 1_500_000, tax: "CB", name: "D7E0E9" }));
  await ask(`FF0C ${SYS} F003 0600 ${Buffer.from("a@b.ru").toString("hex")}`);
  await ask(`FF0C ${SYS} 6504 0100 01`);
  await ask(`FF0C ${SYS} A304 0C00 ${Buffer.from("shop.example").toString("hex")}`);
  await ask(closeCommand({ 1: price * 2 }));
}

test("the emulator's control port shows every document under the documented field names", async () => {
  await sell(1000);
  const { status, body } = await call("GET", "/documents");
  expect(status).toBe(200);
  expect(body.map(({ type }: { type: string }) => type)).toEqual(["registration", "shift-open", "receipt"]);
  expect(body[2]).toMatchObject({
    fd: 3,
    type: "receipt",
    operation: "sale",
    totalKopecks: 1500,
    items: [{ name: "Чай", priceKopecks: 1000, quantity: 1.5, sumKopecks: 1500, taxId: 11 }],
    payments: [{ typeClose: 0, sumKopecks: 1500, givenKopecks: 2000 }],
    contact: "a@b.ru",
    internet: true,
    settlementPlace: "shop.example",
    cashier: "КАССИР 1",
    time: "2026-11-20T15:00:00",
    fiscalSign: expect.stringMatching(/^\d{10}$/),
    shift: 1,
    receiptNumber: 1,
  });
});

test("the emulator's control port shows the register's state with its open receipt", async () => {
  await ask(`8D ${OP} 00`);
  await ask(itemCommand({ price: 1000 }));
  expect(await get("/state")).toMatchObject({
    mode: "receipt-open",
    shift: { number: 1, state: "open" },
    openReceipt: { operation: "sale", totalKopecks: 1000 },
    paper: "present",
    lastFd: 2,
    unsentToOfd: { count: 0 },
    drawer: { cashKopecks: 10_000_000 },
    paused: false,
    faults: [],
  });
});

test("the emulator's control port registers another program's receipts and opens the shift for them", async () => {
  expect(await post("/receipts", { operation: "sale", totalKopecks: 4200, name: "Чужой" })).toMatchObject({
    fd: 3,
    totalKopecks: 4200,
    items: [{ name: "Чужой" }],
  });
  expect(await post("/receipts", { operation: "return", totalKopecks: 4200, name: "Чужой" })).toMatchObject({ fd: 4 });
  await ask(`8D ${OP} 00`);
  expect(await call("POST", "/receipts", { totalKopecks: 1, name: "Чужой" })).toEqual({
    status: 409,
    body: { error: "receipt-open" },
  });
});

test("the emulator's control port opens and closes the shift, changes the drive and moves the clock", async () => {
  expect(await post("/shift", { action: "open" })).toMatchObject({ type: "shift-open" });
  expect(await call("POST", "/shift", { action: "open" })).toEqual({ status: 409, body: { error: "shift-open" } });
  expect(await post("/clock", { advanceSeconds: 86_400 })).toEqual({ time: "2026-11-21T15:00:00" });
  expect((await get("/state")).mode).toBe("shift-expired");
  expect(await post("/shift", { action: "close" })).toMatchObject({ type: "shift-close" });
  expect(await post("/fn", { fn: "9999078900000042" })).toEqual({ fn: "9999078900000042", lastFd: 1 });
});

test("the emulator's control port leaves out the oldest documents that the caller already has", async () => {
  await sell(1000);
  await sell(2000);
  const { body } = await call("GET", "/documents?skip=3");
  expect(body).toMatchObject([{ fd: 4, type: "receipt", totalKopecks: 3000 }]);
  expect(await get("/documents?skip=4")).toEqual([]);
  expect((await call("GET", "/documents?skip=all")).status).toBe(400);
});

test("the emulator's control port shows the paper as text and as a picture", async () => {
  await sell(1000);
  const text = await (await fetch(`http://${emulator.control}/tape`)).text();
  expect(text).toContain("КАССОВЫЙ ЧЕК");
  expect(text).toMatch(/ИТОГ +=15\.00/);
  const picture = await fetch(`http://${emulator.control}/tape.png`);
  expect(picture.headers.get("content-type")).toBe("image/png");
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect(bytes.toString("latin1", 1, 4)).toBe("PNG");
});

test("the emulator's control port shows one document's paper without the print before it", async () => {
  const tapeOf = async (fd: number) => fetch(`http://${emulator.control}/tape?fd=${fd}`);
  await sell(1000);
  await sell(2000);
  const [first = 0, second = 0] = emulator.core.documents.flatMap(({ type, fd }) => (type === "receipt" ? fd : []));
  const text = await (await tapeOf(second)).text();
  expect(text).toMatch(/ИТОГ +=30\.00/);
  expect(text).not.toMatch(/ИТОГ +=15\.00/);
  expect(await (await tapeOf(first)).text()).toMatch(/ИТОГ +=15\.00/);
  expect((await tapeOf(999)).status).toBe(404);
});

test("the emulator's control port shows the bytes of the wire in both directions", async () => {
  await ask(`13 ${OP}`);
  expect(await get("/wire")).toEqual([
    { at: expect.any(Number), direction: "in", hex: Buffer.from(frame(`13 ${OP}`)).toString("hex") },
    { at: expect.any(Number), direction: "out", hex: "06" },
    { at: expect.any(Number), direction: "out", hex: "020313000111" },
    { at: expect.any(Number), direction: "in", hex: "06" },
  ]);
});

test("the emulator's control port adds faults, shows their outcome, and clears them", async () => {
  const { status, body } = await call("POST", "/faults", { effect: "pause", when: { command: "beep", nth: 1 } });
  expect([status, body]).toEqual([200, { id: "1" }]);
  await host.write(frame(`13 ${OP}`));
  await waitFor("the pause acts", () => emulator.faults.list().some(({ struck }) => struck > 0));
  expect(await get("/state")).toMatchObject({
    paused: true,
    faults: [{ id: "1", effect: "pause", when: { command: "beep", nth: 1 }, struck: 1, state: "spent" }],
  });
  expect((await call("DELETE", "/faults")).status).toBe(200);
  expect(await host.take(7)).toBe("06 02 03 13 00 01 11");
  expect(await get("/state")).toMatchObject({ paused: false, faults: [] });
});

test("the emulator's control port removes the paper, opens the cover and disconnects the OFD", async () => {
  await call("POST", "/paper", { present: false, coverOpen: true });
  await call("POST", "/ofd", { connected: false });
  expect(await get("/state")).toMatchObject({ paper: "out", coverOpen: true });
  await call("POST", "/paper", { present: true, coverOpen: false });
  await call("POST", "/shift", { action: "open" });
  expect(await get("/state")).toMatchObject({ paper: "present", unsentToOfd: { count: 1, firstFd: 2 } });
  expect(await post("/ofd", { connected: true })).toEqual({ unsent: 0 });
});

test.each<[string, string, unknown, RegExp]>([
  ["an unknown effect", "/faults", { effect: "explode" }, /effect/],
  ["a missing time", "/faults", { effect: "unplug" }, /ms/],
  ["a misspelt key", "/faults", { effect: "silent", wen: "now" }, /wen/],
  ["an invalid place", "/faults", { effect: "silent", when: { afterBytes: -1, direction: "in" } }, /when/],
  ["a client of a missing service", "/faults", { effect: "other-client", does: "add-job" }, /no print service/],
  ["a drive without a number", "/fn", { fn: "123" }, /fn: 16 digits/],
  ["an unknown action on the shift", "/shift", { action: "toggle" }, /action/],
  ["a receipt without a total", "/receipts", { totalKopecks: 0, name: "x" }, /totalKopecks/],
  ["an incomplete body", "/clock", '{"advanceSeconds":', /no JSON/],
])("the emulator's control port refuses %s with 400 and names the field", async (_title, path, body, message) => {
  const answer = await call("POST", path, body);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toMatch(message);
  expect(emulator.faults.list()).toEqual([]);
});

test("the emulator's control port answers an unknown path or method with a list of the known ones", async () => {
  expect(await call("GET", "/nothing")).toMatchObject({
    status: 404,
    body: { paths: expect.arrayContaining(["/documents"]) },
  });
  expect(await call("PUT", "/faults")).toMatchObject({
    status: 405,
    body: { error: "/faults knows GET, POST, DELETE" },
  });
  expect((await call("POST", "/faults", "x".repeat(70_000))).status).toBe(413);
});

test("a page of another site cannot sell through the control port: not by a host name, nor an origin, nor a body without JSON", async () => {
  const host = emulator.control ?? "";
  const sell = (headers: Record<string, string>) =>
    statusOf(`http://${host}/receipts`, headers, '{"totalKopecks":1000,"name":"Tea"}');
  const type = "application/json";
  expect(await sell({ host: "evil.example", "content-type": type })).toBe(403);
  expect(await sell({ host, origin: "https://evil.example", "content-type": type })).toBe(403);
  expect(await sell({ host, "content-type": "text/plain" })).toBe(415);
  expect(await sell({ host })).toBe(415);
  expect(await get("/documents")).toHaveLength(1);
  expect(await sell({ host, origin: `http://${host}`, "content-type": type })).toBe(200);
});
