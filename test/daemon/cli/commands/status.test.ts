import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { proofOfToken } from "@fiscald/daemon/console/access/console-token.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toKkm, toSiteId } from "@fiscald/shared/ids.js";
import { startCommand } from "../../../support/command-line.js";
import { given } from "../../../support/given.js";
import { writeRawConfig } from "../../../support/raw-config.js";
import { useStores } from "../../../support/use-stores.js";

const { folder, open } = useStores();

/** Answers every call as the running daemon would. */
async function withDaemon(answer: object, use: () => Promise<void>): Promise<void> {
  const server = createServer(({ url = "", socket }, response) => {
    const nonce = new URL(url, "http://till").searchParams.get("nonce") ?? "";
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ proofs: [proofOfToken("token", nonce, socket.localPort ?? 0)], ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  writeRawConfig(folder(), { console: { port, tokenFile: "token" } });
  writeFileSync(join(folder(), "token"), "token");
  open().close();
  try {
    await use();
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function makeTrouble(needs: "person" | "look", text: { en: string; ru: string }, more: object = {}) {
  const name = { en: "Hall (till)", ru: "Зал (till)" };
  return {
    ...{ key: `${needs} till`, kind: "paper-low", needs, about: { name, registers: ["till"], site: null } },
    ...{ since: "2026-11-28T09:11:00.000Z", until: null, text, next: { en: "Help.", ru: "Помогите." } },
    ...{ count: 0, examples: [], code: null, detail: null, ...more },
  };
}

test("status shows what is wrong and what to do, as JSON in both languages", async () => {
  const out = makeTrouble(
    "person",
    { en: "No paper.", ru: "Нет бумаги." },
    { code: "device.paper-out", detail: "device.paper-out: why" },
  );
  const low = makeTrouble("look", { en: "Paper is running low.", ru: "Бумага заканчивается." });
  await withDaemon({ troubles: [out, low], registers: [] }, async () => {
    const status = await startCommand(folder(), "status").ended;
    const russian = await startCommand(folder(), "status --lang ru").ended;
    const json = await startCommand(folder(), "status --json").ended;
    expect(status).toMatchObject({ code: 0, err: "" });
    expect(status.out).toMatch(
      /WHAT IS WRONG\n■ Hall \(till\): No paper\.\n {4}since .*; device\.paper-out: why\n {2}What to do: Help\.\n▲ Hall \(till\): Paper/,
    );
    expect(russian.out).toMatch(
      /ЧТО НЕ ТАК\n■ Зал \(till\): Нет бумаги\.\n {4}с \d\d\.11\.2026, \d\d:11; device\.paper-out\n/,
    );
    expect(JSON.parse(json.out)).toMatchObject({ running: true, troubles: [out, low] });
  });
});

test("status names the emulated registers of the config first, also as JSON", async () => {
  await withDaemon({ troubles: [], registers: [] }, async () => {
    const { out } = await startCommand(folder(), "status --lang ru").ended;
    expect(out).toMatch(/^Эмулятор вместо кассы: till\. Чеки ненастоящие/);
    const json = await startCommand(folder(), "status --json").ended;
    expect(JSON.parse(json.out)).toMatchObject({ emulated: ["till"] });
  });
});

test("status lists the settings that a person has to change, and names settings that only change receipts in one line", async () => {
  const same = (text: string) => ({ en: text, ru: text });
  const row = { check: "settings", right: same("2"), effect: same("It changes receipts.") };
  const register = {
    ...{ id: "till", phase: "ready", identity: null, shift: null, waiting: 0, lastFd: null },
    settings: [
      { ...row, place: same("table 17, field 71"), value: same("1"), level: "wrong" },
      { ...row, place: same("table 1, field 14"), value: same("0"), level: "ok" },
      { ...row, place: same("table 1, field 23"), value: same("1"), level: "note" },
    ],
  };
  await withDaemon({ troubles: [], registers: [register] }, async () => {
    const { out } = await startCommand(folder(), "status --lang en").ended;
    expect(out).toMatch(/HOW IT IS SET +WHERE IT STANDS +VALUE +RIGHT\ntill +table 17, field 71 +1 +2\n/);
    expect(out).toMatch(/\nSET AS IT MAY BE .*\n {2}table 1, field 23: 1 \(till\)\n/);
    expect(out).not.toContain("table 1, field 14");
  });
});

test("status says that everything prints when nothing is wrong", async () => {
  await withDaemon({ troubles: [], registers: [] }, async () => {
    expect((await startCommand(folder(), "status --lang ru").ended).out).toContain(
      "ЧТО НЕ ТАК\n  Ничего: всё печатается.",
    );
  });
});

test("status says that a daemon with another token cannot be asked, and shows the state in the database", async () => {
  await withDaemon({ troubles: [], registers: [] }, async () => {
    writeFileSync(join(folder(), "token"), "another");
    const { code, out } = await startCommand(folder(), "status --lang ru").ended;
    expect(code).toBe(0);
    expect(out).toContain("Программу не удалось спросить; ниже то, что в её базе.\n");
    expect(out).toMatch(
      /ЧТО НЕ ТАК\n■ Консоль не принимает токен .*\n {2}Что делать: Исправьте или удалите файл токена/,
    );
    expect(out).not.toContain("не запущена");
    const json = await startCommand(folder(), "status --json").ended;
    expect(JSON.parse(json.out)).toMatchObject({ running: null });
  });
});

test("status advises to restart a daemon of another version, whose answer it cannot read", async () => {
  await withDaemon({ troubles: [], registers: [{ id: "till" }] }, async () => {
    const { code, err } = await startCommand(folder(), "status").ended;
    expect(code).toBe(1);
    expect(err).toMatch(/^daemon\.other-version: .*\nRestart the daemon/);
    expect(err.split("\n")).toHaveLength(4);
  });
});

test("without a daemon status lists the refused events with the site's reason", async () => {
  writeRawConfig(folder(), { console: { port: 0, tokenFile: "token" } });
  const { outbox, jobs, journal, close } = open();
  const site = toSiteId("shop");
  const event = { site, kind: "result", lane: "A-1", job: null, register: null, body: {}, latestOnly: false } as const;
  const id = outbox.add(event, 0);
  const fault = new Fault("site.refused", { message: "we know no such order" });
  outbox.markFailed(given(outbox.find(id)), { fault, refused: true, aside: true }, 0);
  const answer = jobs.insertRaw({ site, polledKkm: toKkm("1"), receivedAt: Date.now(), hash: "h", body: "<html>" });
  const details = { order: null, code: "order.unreadable", reason: "no JSON" };
  journal.add({ at: Date.now(), actor: "daemon", what: "order unreadable", site, raw: answer, details });
  close();

  const status = await startCommand(folder(), "status").ended;
  expect(status).toMatchObject({ code: 0, err: "" });
  expect(status.out).toContain("■ shop: The site sent an order that cannot be read.");
  expect(status.out).toContain("order.unreadable: no JSON");
  expect(status.out).toMatch(new RegExp(`REFUSED EVENT.*\\s+${id}\\s+shop\\s+result\\s+1\\s+.*we know no such order`));
  const json = await startCommand(folder(), "status --json").ended;
  expect(JSON.parse(json.out)).toMatchObject({ running: false, refused: [{ id, state: "refused" }] });
  const { troubles } = JSON.parse(json.out);
  const kinds = troubles.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(["daemon-down", "unreadable", "event-refused"]);
});
