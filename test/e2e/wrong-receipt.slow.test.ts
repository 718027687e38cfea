/** A wrong receipt is put right in the terminal, by real processes, on a register of each format, with a crash between. */
import { z } from "zod";
import type { DaemonProcess } from "../support/daemon-process.js";
import { waitFor } from "../support/wait-for.js";
import { patience, tillOn, useShop } from "./use-shop.js";

const shop = useShop("each");

const sale = {
  response: {
    orderId: "A-1",
    taskTable: [
      { type: "OpenCheckSell", data: "" },
      { type: "Registration", data: "Чай", param: { price: 10, quantity: 2, tax: 2 } },
      { type: "Payment", data: "", param: { summ: 20, typeClose: 0 } },
      { type: "CloseCheck", data: "" },
    ],
  },
};
const day = new Date().toISOString().slice(0, 10);
const wrong = ["--case", "wrong", "--date", day, "--set", "1.price=9", "--set", "1.name=Чай чёрный"];
const reason = ["--reason", "Петрова: неверная цена"];

const jobList = z.object({ jobs: z.array(z.object({ id: z.number(), state: z.string() })) });

function printed(daemon: DaemonProcess, job: number): Promise<unknown> {
  const isPrinted = async () => {
    const { jobs } = jobList.parse(JSON.parse(await daemon.command("jobs", "--json")));
    return jobs.some(({ id, state }) => id === job && state === "printed");
  };
  return waitFor(`job ${job} is printed`, isPrinted, patience);
}

test.each([
  ["1.05", "receipt"],
  ["1.2", "correction"],
] as const)(
  "`fiscald correct` with two right values of a line puts a wrong receipt of format %s right by two documents of the form %s",
  async (ffd, form) => {
    const emulator = await shop.emulate({ args: ["--ffd", ffd] });
    const site = await shop.openSite();
    const path = shop.configure({ siteUrl: site.url, registers: [tillOn(emulator)] });
    const daemon = await shop.start(path);
    site.offer("A-1", sale);
    await site.result("A-1");
    await expect(daemon.command("correct", "A-1", ...wrong, "--yes")).rejects.toThrow("--reason");
    const said = await daemon.command("correct", "A-1", ...wrong, ...reason, "--yes", "--lang", "ru");
    expect(said).toContain("Чай чёрный: 2 × 9,00\u00A0₽ = 18,00\u00A0₽, НДС 10%");
    expect(said).toContain("задание 3 ждёт");
    await expect(daemon.command("correct", "A-1", ...wrong, ...reason, "--yes")).rejects.toThrow();
    await printed(daemon, 2);
    daemon.child.signal("SIGKILL");
    await daemon.child.ended;
    const next = await shop.start(path);
    await next.command("approve", "3");
    await printed(next, 3);
    const made = (await emulator.documents()).filter(({ type }) => type === "receipt" || type === "correction");
    expect(made.map(({ type, operation, totalKopecks }) => [type, operation, totalKopecks])).toEqual([
      ["receipt", "sale", 20_00],
      [form, "return", 20_00],
      [form, "sale", 18_00],
    ]);
    expect(await next.command("explain", "#3", "--lang", "ru")).toContain("неверный чек исправляют");
  },
);

test("`fiscald correct --at` takes back another program's receipt, and the order's own receipt is returned in part", async () => {
  const emulator = await shop.emulate({ args: ["--ffd", "1.2"] });
  const site = await shop.openSite();
  const daemon = await shop.run({ siteUrl: site.url, registers: [tillOn(emulator)] });
  site.offer("A-1", sale);
  await site.result("A-1");
  const known = ["correct", "A-1", "--at", "till-1", "--case", "twice", "--date", day, ...reason, "--yes"];
  const said = [
    "--sign",
    "0012345678",
    "--instruction",
    "12-3",
    "--add",
    "Чай; 10; 2; vat10",
    "--pay",
    "0",
    "--lang",
    "ru",
  ];
  expect(await daemon.command(...known, ...said)).toMatch(
    /Предписание налоговой: 12-3\n.*ФП неверного чека: 0012345678/,
  );
  await printed(daemon, 2);
  await expect(daemon.command(...known, ...said)).rejects.toThrow("job.wrong-state");
  // The register prints for one site alone, so the order is that site's.
  const missed = ["--case", "missed", "--date", day, "--add", "Чай; 10; 1; vat10", "--pay", "0"];
  await daemon.command("correct", "M-1", "--at", "till-1", ...missed, "--contact", "a@b.ru", ...reason, "--yes");
  expect(JSON.parse(await daemon.command("explain", "M-1", "--json"))).toMatchObject({
    jobs: [{ job: { site: expect.stringMatching(/./) } }],
  });
  await printed(daemon, 3);
  await daemon.command("return", "A-1", "--items", "1:1", "--yes");
  await printed(daemon, 4);
  const made = (await emulator.documents()).filter(({ type }) => type === "receipt" || type === "correction");
  expect(made.map(({ type, operation, totalKopecks }) => [type, operation, totalKopecks])).toEqual([
    ["receipt", "sale", 20_00],
    ["correction", "return", 20_00],
    ["correction", "sale", 10_00],
    ["receipt", "return", 10_00],
  ]);
});
