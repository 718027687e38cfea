/** One order that went through everything: its story tells all of it, in order, with times. */
import { startChild } from "../support/child-process.js";
import { type DaemonProcess, fiscald } from "../support/daemon-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import type { FakeSite } from "../support/fake-site.js";
import { tillOn, useShop } from "./use-shop.js";

const kkms = ["0001234567012345", "0001234567012346"] as const;
const shop = useShop();
let emulators: readonly EmulatorProcess[];
let site: FakeSite;
let daemon: DaemonProcess;
let configPath: string;

beforeAll(async () => {
  emulators = await Promise.all(
    kkms.map((kkm, index) => shop.emulate({ kkm, args: ["--fn", `999907890000000${index + 1}`] })),
  );
  site = await shop.openSite();
  configPath = shop.configure({
    siteUrl: site.url,
    // This is longer than a busy machine takes for the receipt before.
    registers: emulators.map((emulator, index) =>
      tillOn(emulator, { id: `till-${index + 1}`, group: "hall", moveAfterSeconds: 8 }),
    ),
  });
  daemon = await shop.start(configPath);
  for (const kkm of kkms) await site.call("KKMConnected", (body) => body["kkm"] === kkm);
});

const sale = (orderId: string) => ({
  response: {
    kkm: kkms[0],
    orderId,
    taskTable: [
      { type: "OpenCheckSell", data: "" },
      { type: "ClientContact", data: "ivan.petrov@mail.ru" },
      { type: "Registration", data: "Чай", param: { price: 10, quantity: 1, tax: 2 } },
      { type: "Payment", data: "", param: { summ: 10, typeClose: 0 } },
      { type: "CloseCheck", data: "" },
    ],
  },
});

async function explain(...args: readonly string[]): Promise<string> {
  const child = startChild([fiscald, "explain", ...args, "--config", configPath]);
  expect(await child.ended).toBe(0);
  return child.output();
}

test("explain shows an order's lost answer, move and delayed result in the sequence of their times", async () => {
  const [first, second] = emulators;
  site.offer("before", sale("before"));
  await site.result("before");

  // The answer to the position is lost with the cable; when it is tried again, there is no paper.
  await first?.addFault({ effect: "unplug", ms: 300, when: { command: "item" } });
  await first?.addFault({ effect: "error", code: 0x6b, when: { command: "open-receipt", nth: 2 } });
  const refuse = { status: 500, body: "" };
  site.onCall = (call) => (call.action === "orderConfirm" ? refuse : undefined);
  site.offer("A-1", sale("A-1"));
  await site.call("orderConfirm", (body) => body["orderId"] === "A-1");
  site.withdraw("A-1");
  const waiting = await explain("A-1");
  expect(waiting).toMatch(/event \d+ result to shop: pending after [1-9]\d* tries \(before that: site\.http-status/);
  site.onCall = null;
  await daemon.child.line(/order=A-1 .*event delivered/);

  expect(await first?.receipts()).toHaveLength(1);
  expect(await second?.receipts()).toHaveLength(1);
  const story = await explain("A-1");
  const lines = story.split("\n");
  expect(lines[0]).toMatch(/^job \d+ {2}printed {2}Sale {2}10\.00 {2}register till-2$/);
  const moments = lines.filter((line) => /^ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} {2}/.test(line));
  const times = moments.map((line) => line.slice(2, 25));
  expect(times).toEqual([...times].sort());
  const told = moments.join("\n");
  expect(told).toMatch(
    new RegExp(
      [
        "polled for kkm 000123456701234[56]",
        "order accepted",
        "attempt began \\(till-1\\)",
        "outcome unknown \\(till-1\\).*link\\.lost",
        "not printed, queued again \\(till-1\\)",
        "attempt began \\(till-1\\)",
        "not printed, queued again \\(till-1\\).*device\\.paper-out",
        "moved \\(till-2\\).*paper",
        "attempt began \\(till-2\\)",
        "printed \\(till-2\\)",
        "result not delivered.*site\\.http-status",
        "result delivered",
      ].join("[^]*"),
    ),
  );
  expect(story).toMatch(/FN 9999078900000002 {2}FD \d+ {2}FP \d+/);
  expect(story).not.toContain("ivan.petrov");
  const { jobs } = JSON.parse(await explain("A-1", "--json"));
  expect(jobs[0].attempts).toMatchObject([
    { register: "till-1", outcome: "not-printed", fault: { code: "link.lost" } },
    { register: "till-1", outcome: "not-printed", fault: { code: "device.paper-out" } },
    { register: "till-2", witness: "shift-open", outcome: "printed" },
    { register: "till-2", witness: "receipt", outcome: "printed" },
  ]);
});
