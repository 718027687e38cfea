/** A plain HTTP client sends requests to the emulated service over a real port, by the maker's manual. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDriver } from "@fiscald/drivers/registry.js";
import { codeOfRefusal, describeCode } from "@fiscald/emulators/atol/errors.js";
import { type Emulator, type EmulatorOptions, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { z } from "zod";

const operator = { name: "Иванова" };
const sell = {
  type: "sell",
  taxationType: "osn",
  operator,
  items: [{ type: "position", name: "Чай", price: 100, quantity: 2, amount: 200, tax: { type: "vat22" } }],
  payments: [{ type: "cash", sum: 500 }],
};
const resultSchema = z.object({ results: z.array(z.looseObject({ status: z.string(), result: z.unknown() })) });

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function withService(
  options: Partial<EmulatorOptions>,
  test: (ask: Ask, emulator: Emulator) => Promise<void>,
): Promise<void> {
  const emulator = await openEmulator({ maker: "atol", listen: "http:127.0.0.1:0", ...options });
  try {
    await test(askOf(emulator), emulator);
  } finally {
    await emulator.close();
  }
}

type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

function askOf(emulator: Emulator): Ask {
  return async (method, path, body, headers = {}) => {
    const text = typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body);
    const url = `http://${emulator.listening?.replace("http:", "")}${path}`;
    const response = await fetch(url, { method, headers, ...(text === undefined ? {} : { body: text }) });
    const answer = await response.text();
    return {
      status: response.status,
      body: answer.startsWith("{") || answer.startsWith("[") ? JSON.parse(answer) : answer,
    };
  };
}

/** Polls until the job has ended. */
async function ended(ask: Ask, path: string) {
  for (let times = 0; times < 1000; times += 1) {
    const { results } = resultSchema.parse((await ask("GET", path)).body);
    if (results.every(({ status }) => !["wait", "inProgress"].includes(status))) return results;
  }
  throw new Error("the job does not end");
}

test("the emulated ATOL service identifies itself without a password, and asks for one for everything else", () =>
  withService({ unconfirmed: { basic: "on" } }, async (ask) => {
    expect(await ask("GET", "/api/v2/serverInfo")).toMatchObject({
      status: 200,
      body: { serverVersion: expect.any(String) },
    });
    expect((await ask("GET", "/api/v2/getRequestsQueueStatus")).status).toBe(401);
    const authorization = `Basic ${Buffer.from("cashier:secret").toString("base64")}`;
    expect((await ask("GET", "/api/v2/getRequestsQueueStatus", undefined, { authorization })).status).toBe(200);
  }));

test("the emulated ATOL service executes a job, keeps its result under the uuid, and accepts each uuid once", () =>
  withService({}, async (ask, { core }) => {
    const open = { uuid: "u-1", request: { type: "openShift", operator } };
    expect(await ask("POST", "/api/v2/requests", open)).toMatchObject({
      status: 201,
      body: { number: 1, uuid: "u-1", isBlocked: false, blockedUUID: "", blockReason: "" },
    });
    expect((await ended(ask, "/api/v2/requests/u-1"))[0]).toMatchObject({ status: "ready", error: { code: 0 } });
    await ask("POST", "/api/v2/requests?deviceID=kkt-1", { uuid: "u-2", request: [sell] });
    const [made] = await ended(ask, "/api/v2/requests/u-2");
    const document = core.documents.at(-1);
    expect(made).toMatchObject({
      status: "ready",
      result: {
        fiscalParams: {
          fiscalDocumentNumber: document?.fd,
          fiscalDocumentSign: expect.stringMatching(/^\d{10}$/),
          fiscalReceiptNumber: 1,
          shiftNumber: 1,
          fnNumber: core.fn,
          total: 200,
        },
        warnings: null,
      },
    });
    expect(document).toMatchObject({ total: 20_000, change: 30_000, lines: [{ vat: 11, sum: 20_000 }] });
    expect((await ask("POST", "/api/v2/requests", { uuid: "u-2", request: sell })).status).toBe(409);
    expect(core.documents.filter(({ type }) => type === "receipt")).toHaveLength(1);
  }));

const wrong: readonly (readonly [string, unknown])[] = [
  ["no uuid", { request: sell }],
  ["no request", { uuid: "u-1" }],
  ["an empty job", { uuid: "u-1", request: [] }],
  ["broken JSON", '{"uuid":'],
  ["two fiscal tasks in a job", { uuid: "u-1", request: [sell, sell] }],
];
test.each(wrong)("the emulated ATOL service refuses %s with 400 and stores nothing", (_title, body) =>
  withService({}, async (ask) => {
    expect(await ask("POST", "/api/v2/requests", body)).toMatchObject({ status: 400, body: { error: { code: 501 } } });
    expect((await ask("GET", "/api/v2/requests/u-1")).status).toBe(404);
  }),
);

test("the emulated ATOL service accepts a job whose JSON begins with a byte order mark", () =>
  withService({}, async (ask) => {
    const body = `\uFEFF${JSON.stringify({ uuid: "u-1", request: { type: "getFnStatus" } })}`;
    expect((await ask("POST", "/api/v2/requests", body)).status).toBe(201);
  }));

test("the emulated ATOL service stops a job at its first failing task and interrupts the later ones", () =>
  withService({}, async (ask, { core }) => {
    await ask("POST", "/api/v2/requests", {
      uuid: "u-1",
      request: [{ type: "getFnStatus" }, sell, { type: "reportX", operator }],
    });
    const results = await ended(ask, "/api/v2/requests/u-1");
    expect(results.map(({ status }) => status)).toEqual(["ready", "error", "interrupted"]);
    // The shift is closed.
    expect(results.map(({ error }) => error)).toMatchObject([{ code: 0 }, { code: 73 }, { code: 502 }]);
    expect(core.lastFd).toBe(1);
  }));

test("while the register is silent, the emulated ATOL service is blocked, but accepts jobs and the cancelling of waiting jobs", () =>
  withService({}, async (ask, { core, faults, device }) => {
    core.openShift({ paper: false });
    device.addBehaviour({
      onCommand: ({ names, answer }) => {
        if (!names.includes("recover")) return "pass";
        answer(null);
        return "handled";
      },
    });
    faults.add({ effect: "silent", when: { command: "sell" } });
    await ask("POST", "/api/v2/requests", { uuid: "u-1", request: sell });
    expect((await ended(ask, "/api/v2/requests/u-1"))[0]?.status).toBe("blocked");
    expect(await ask("POST", "/api/v2/requests", { uuid: "u-2", request: sell })).toMatchObject({
      status: 201,
      body: { isBlocked: true, blockedUUID: "u-1", blockReason: "connectionError" },
    });
    expect((await ask("DELETE", "/api/v2/requests/u-1")).status).toBe(409);
    expect((await ask("DELETE", "/api/v2/requests/u-2")).status).toBe(200);
    expect((await ended(ask, "/api/v2/requests/u-2"))[0]).toMatchObject({ status: "canceled", error: { code: 503 } });
    expect((await ask("DELETE", "/api/v2/requests/u-3")).status).toBe(404);
  }));

test("the emulated ATOL service switches a register off and on again", () =>
  withService({ unconfirmed: { inactive: "403" } }, async (ask) => {
    await ask("POST", "/api/v2/deactivateDevice");
    expect((await ask("POST", "/api/v2/requests", { uuid: "u-1", request: { type: "getFnStatus" } })).status).toBe(403);
    expect((await ask("GET", "/api/v2/devices")).body).toMatchObject([{ id: "kkt-1", isActive: false }]);
    await ask("POST", "/api/v2/activateDevice");
    expect((await ask("POST", "/api/v2/requests", { uuid: "u-1", request: { type: "getFnStatus" } })).status).toBe(201);
  }));

test("the emulated ATOL service keeps results and waiting jobs on disk when it is killed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "atol-"));
  const statePath = join(folder, "state.json");
  try {
    await withService({ statePath }, async (ask, { core }) => {
      core.openShift({ paper: false });
      await ask("POST", "/api/v2/requests", { uuid: "u-1", request: sell });
      await ended(ask, "/api/v2/requests/u-1");
    });
    await withService({ statePath }, async (ask, { core }) => {
      expect((await ended(ask, "/api/v2/requests/u-1"))[0]?.status).toBe("ready");
      expect((await ask("POST", "/api/v2/requests", { uuid: "u-1", request: sell })).status).toBe(409);
      expect(core.documents.filter(({ type }) => type === "receipt")).toHaveLength(1);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the emulated ATOL service v1 has no paths of v2, answers a job with 201 and no body, and has its own errors", () =>
  withService({ protocol: "v1" }, async (ask) => {
    expect((await ask("GET", "/api/v2/serverInfo")).status).toBe(404);
    expect(await ask("POST", "/requests", { uuid: "u-1", request: sell })).toEqual({ status: 201, body: "" });
    expect(await ended(ask, "/requests/u-1")).toEqual([
      { status: "error", errorCode: 73, errorDescription: expect.any(String), result: null },
    ]);
    expect((await ask("DELETE", "/requests/u-1")).status).toBe(405);
    expect(await ask("GET", "/stat/requests")).toEqual({
      status: 200,
      body: { ready_count: 1, not_ready_count: 0, canceled_count: 0, is_blocked: false, block_request_uuid: null },
    });
  }));

test("a document of the emulated ATOL service is shown by tag numbers, with money in roubles", () =>
  withService({}, async (ask, { core }) => {
    core.openShift({ paper: false });
    await ask("POST", "/api/v2/requests", {
      uuid: "u-1",
      request: { ...sell, clientInfo: { emailOrPhone: "a@b.ru" } },
    });
    await ended(ask, "/api/v2/requests/u-1");
    await ask("POST", "/api/v2/requests", {
      uuid: "u-2",
      request: { type: "getFnDocument", fiscalDocumentNumber: core.lastFd },
    });
    expect((await ended(ask, "/api/v2/requests/u-2"))[0]?.result).toMatchObject({
      documentTLV: {
        fiscalDocumentType: "receipt",
        short: false,
        "1008": "a@b.ru",
        "1020": 200,
        "1040": core.lastFd,
        "1054": 1,
        "1059": [{ "1030": "Чай", "1079": 100, "1023": 2, "1043": 200, "1199": 11 }],
      },
    });
  }));

test("a driver opened by the config's `http` connection prints on the emulated ATOL service over a real port", () =>
  withService({}, async (_ask, emulator) => {
    const { driver, stop } = await createDriver({
      driver: "atol",
      connection: { kind: "http", url: `http://${emulator.listening?.replace("http:", "")}` },
      options: { deviceId: "kkt-1" },
      logger: silentLogger,
      clock: systemClock,
      random: Math.random,
    });
    const signal = AbortSignal.timeout(20_000);
    expect((await driver.connect(signal)).kkm).toBe(emulator.core.registration.kkm);
    expect((await driver.readState(signal)).lastFd).toBe(emulator.core.lastFd);
    await stop();
  }));

const imc = Buffer.from("0104601234567893215abc\u001d93dGVz", "latin1").toString("base64");
const params = { imcType: "auto", imc, itemEstimatedStatus: "itemPieceSold", imcModeProcessing: 0 };
let jobs = 0;
const run = async (ask: Ask, task: object) => {
  jobs += 1;
  const uuid = `00000000-0000-4000-8000-${String(jobs).padStart(12, "0")}`;
  await ask("POST", "/api/v2/requests", { uuid, request: task });
  const [result] = await ended(ask, `/api/v2/requests/${uuid}`);
  return result;
};
const sellMarked = (ask: Ask, imcParams: object) =>
  run(ask, { ...sell, items: [{ ...sell.items[0], quantity: 1, amount: 100, imcParams }] });

test("the emulated ATOL service sells a marking code only with the result of a check of this code for the same use", () =>
  withService({ ffd: "1.2" }, async (ask) => {
    await run(ask, { type: "openShift", operator });
    const unchecked = { status: "error", error: { code: 420 } };
    expect(await sellMarked(ask, params)).toMatchObject(unchecked);
    expect(await run(ask, { type: "beginMarkingCodeValidation", params })).toMatchObject({ status: "ready" });
    expect(await run(ask, { type: "beginMarkingCodeValidation", params })).toMatchObject({ error: { code: 401 } });
    // Clearing the table of results does not stop a check.
    await run(ask, { type: "clearMarkingCodeValidationResult" });
    const accepted = z
      .object({ result: z.object({ itemInfoCheckResult: z.record(z.string(), z.boolean()) }) })
      .parse(await run(ask, { type: "acceptMarkingCode" }));
    const { itemInfoCheckResult } = accepted.result;
    expect(await sellMarked(ask, params)).toMatchObject(unchecked);
    const changed = { ...itemInfoCheckResult, imcCheckResult: false };
    expect(await sellMarked(ask, { ...params, itemInfoCheckResult: changed })).toMatchObject(unchecked);
    const returned = { ...params, itemEstimatedStatus: "itemPieceReturn", itemInfoCheckResult };
    expect(await sellMarked(ask, returned)).toMatchObject(unchecked);
    expect(await sellMarked(ask, { ...params, itemInfoCheckResult })).toMatchObject({ status: "ready" });
  }));

/** By the maker's manual: 409 bad code, 416 no marked position, 420 not checked. */
test("the emulated ATOL reports a refused marking code with the error numbers of the maker's manual", () => {
  expect([codeOfRefusal("mark-rejected"), codeOfRefusal("mark-unchecked")]).toEqual([409, 420]);
  expect([409, 416, 420].map(describeCode)).toEqual([
    "Некорректный код маркировки",
    "Нет маркированной позиции",
    "Код маркировки не проверен",
  ]);
});
