import { MAX_ORDER_ID } from "@fiscald/shared/exchange/head-fields.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import { type RegisterId, toFnSerial, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { type LocalTime, parseLocalTime } from "@fiscald/shared/local-time.js";
import { layoutReceipt } from "@fiscald/shared/paper/layout-receipt.js";
import { renderPng } from "@fiscald/shared/paper/rasterizer.js";
import { rowsAsMeant } from "@fiscald/shared/receipt/tax-meaning.js";
import express, { type Request, type Router } from "express";
import { z } from "zod";
import { languages } from "../messages/messages.js";
import { asRegistered } from "../sites/registered-rates.js";
import { retryWhileBusy } from "../store/database/retry-while-busy.js";
import type { JobFilter } from "../store/job-statements.js";
import { NO_REASON } from "../store/journal.js";
import { eventStates } from "../store/outbox-store.js";
import { jobStates } from "../store/rows/job-row.js";
import { actionsOn, idOf, nameIn, parseInput, viewsOn } from "./api-errors.js";
import { codeForBuyer } from "./buyers-receipt.js";
import type { ConsoleParts } from "./console-parts.js";
import { dayCsv } from "./day/day-csv.js";
import { type DayBounds, dayBoundsAt, parseDay, readDayReceipts, zoneOf } from "./day/day-receipts.js";
import { dayView } from "./day/day-view.js";
import { todayView } from "./day/today-view.js";
import { pollByOperator, resendEvent, syncByOperator } from "./event-actions.js";
import { jobStory } from "./job-story.js";
import { nowView } from "./now-view.js";
import { createOnceAMinute, type OnceAMinute } from "./once-a-minute.js";
import { orderPage, orderStory } from "./order-views.js";
import { putAway } from "./put-away.js";
import { addRepairs } from "./repairs/repair-api.js";
import { decisionsView } from "./troubles/decisions.js";
import { beginningsIn, whyJob, whyOrder } from "./troubles/find-troubles.js";
import { type Found, joinAlike, titlesOf, toTrouble } from "./troubles/found.js";
import { presentFacts } from "./troubles/gather-facts.js";
import { eventView, faultView, jobView, registerView, siteView } from "./views.js";

type UpkeepNote = "database copied by the operator" | "support file made by the operator" | "stopped to be moved";

const pageSize = 50;
const paperColumns = 42;

const page = z.coerce.number().int().min(1).default(1);
const jobQuery = z.object({
  state: z.enum(jobStates).exactOptional(),
  site: z.string().transform(toSiteId).exactOptional(),
  register: z.string().transform(toRegisterId).exactOptional(),
  order: z.string().transform(toOrderId).exactOptional(),
  page,
});
const eventQuery = z.object({
  state: z.enum(eventStates).exactOptional(),
  site: z.string().transform(toSiteId).exactOptional(),
  job: z.coerce.number().int().exactOptional(),
  page,
});
const orderQuery = z.object({ search: z.string().trim().max(MAX_ORDER_ID).default(""), page });
const dayQuery = z.object({
  day: z.string().exactOptional(),
  lang: z.enum(languages).default("ru"),
});
const reason = z.string().trim().min(1).max(500).default(NO_REASON);
const actionBody = z.strictObject({ reason });
/** `date` is the settlement's day, for an order without a time of payment. */
const datedBody = actionBody.extend({ date: z.iso.date().nullable().default(null) });
const tag = z.int().min(1000).max(9999);
const acceptIdentityBody = z.strictObject({ reason, orders: z.array(z.int().min(1)).default([]) });
const acceptBody = z.union([
  z.strictObject({ reason, tag, sent: z.string(), read: z.string().nullable() }),
  z.strictObject({ reason, tag }),
  actionBody.transform((body) => ({ ...body, tag: null })),
]);
/** The answer names the refused jobs. If all were refused, the answer is the fault of the first. */
const manyJobsBody = datedBody.extend({ jobs: z.array(z.int().min(1)).min(1).max(100) });
const resendManyBody = z.strictObject({ reason, events: z.array(z.int().min(1)).min(1).max(100) });
const ids = z.array(z.int().min(1)).max(100).default([]);
const putAwayBody = z.strictObject({ reason, events: ids, answers: ids, doubles: ids });
const moveBody = z.strictObject({ reason, register: z.string().transform(toRegisterId) });
const localTime = z.string().transform((text, context): LocalTime => {
  const time = parseLocalTime(text);
  if (time !== null) return time;
  context.addIssue({ code: "custom", message: "not a time like 2026-11-20T14:03" });
  return z.NEVER;
});
/** The numbers on a paper receipt are needed when no configured register has the receipt's drive any more. */
const paper = z.strictObject({
  fn: z
    .string()
    .regex(/^\d{16}$/, "16 digits")
    .transform(toFnSerial),
  fiscalSign: z
    .string()
    .regex(/^\d{1,10}$/, "up to 10 digits")
    .transform((sign) => sign.padStart(10, "0")),
  time: localTime,
  shift: z.int().min(1),
  receiptNumber: z.int().min(1).nullable().default(null),
});
const resolveBody = z.union(
  [
    z.strictObject({ reason, printed: z.int().min(1).nullable(), paper: paper.nullable().default(null) }),
    z.strictObject({ reason, notPrinted: z.literal(true), checked: z.array(z.int().min(1)).default([]) }),
  ],
  "say either `printed`, the number of the document, or `notPrinted`: true",
);

export function createConsoleApi(parts: ConsoleParts): Router {
  const router = express.Router();
  router.use(express.json({ limit: "64kb", strict: false }));
  const once = createOnceAMinute(parts.clock);
  addReads(router, parts);
  addJobActions(router, parts, once);
  addOtherActions(router, parts, once);
  addRepairs(router, parts, once);
  addUpkeep(router, parts);
  return router;
}

function addReads(router: Router, parts: ConsoleParts): void {
  const { jobs, outbox } = parts;
  const get = viewsOn(router);
  get("/registers", () => ({ registers: parts.snapshots().map((snapshot) => registerView(snapshot, parts)) }));
  router.get("/now", (_request, response) => {
    const { emulated } = parts;
    response.json({ ...nowView(parts, parts.clock.now()), role: response.locals["role"], emulated });
  });
  get("/decisions", () => decisionsView(parts));
  get("/orders", ({ query }) => orderPage(parts, parseInput(orderQuery, query)));
  get("/orders/:id", (request) => orderStory(jobs.get(idOf(request)), parts));
  get("/today", () => todayView(parts));
  get("/day", ({ query }) => dayView(parts, dayOf(parseInput(dayQuery, query), parts)));
  router.get("/day.csv", async (request, response) => {
    const query = parseInput(dayQuery, request.query);
    const day = dayOf(query, parts);
    const words = { titles: titlesOf(parts.snapshots()), timeZone: zoneOf(parts.snapshots()), language: query.lang };
    const table = dayCsv(await readDayReceipts(parts, day), words);
    response.attachment(`fiscald-${day.day}.csv`).type("text/csv; charset=utf-8").send(table);
  });
  get("/sites", () => ({ sites: parts.siteHealth().map((health) => siteView(health, outbox)) }));
  get("/troubles", () => {
    const shown = (trouble: Found) => toTrouble(trouble, titlesOf(parts.snapshots()), parts.clock.now());
    return { troubles: joinAlike(parts.troubles()).map(shown) };
  });
  get("/frames", () => ({ registers: parts.frames() }));
  get("/jobs", ({ query }) => {
    const { page: number, order, ...filter } = parseInput(jobQuery, query);
    const wanted: JobFilter = { ...filter, ...(order === undefined ? {} : { orderId: order }), ...window(number) };
    return {
      page: number,
      jobs: jobs.list(wanted).map(jobView),
      counts: Object.fromEntries(jobs.countByState()),
      ...(order === undefined ? {} : { why: whyOrder(order, parts, presentFacts(parts), beginningsIn(parts)) }),
    };
  });
  get("/jobs/:id", (request) => {
    const job = jobs.get(idOf(request));
    return { ...jobStory(job, parts), why: whyJob(job, presentFacts(parts), beginningsIn(parts)) };
  });
  router.get("/jobs/:id/paper.png", async (request, response) => {
    const job = jobs.get(idOf(request));
    const snapshot = parts.snapshots().find(({ settings }) => settings.id === job.register);
    const rows = layoutReceipt(asRegistered(job, parts.journal), {
      columns: paperColumns,
      document: job.document,
      isUnknown: job.state === "unsure" || job.state === "printing",
      tables: { paymentTypes: snapshot?.tables?.paymentTypes ?? [], taxes: rowsAsMeant(job.taxes) },
      ...(snapshot?.identity == null ? {} : { register: { kkm: snapshot.identity.kkm, inn: snapshot.identity.inn } }),
    });
    response.type("png").send(Buffer.from(await renderPng(rows, { columns: paperColumns })));
  });
  router.get("/jobs/:id/qr.svg", (request, response) => {
    const job = jobs.get(idOf(request));
    const code = codeForBuyer(job, parts.snapshots());
    if (code === null) throw new Fault("usage.wrong", { message: `job ${job.id} has no printed receipt` });
    response.type("svg").send(code);
  });
  get("/events", ({ query }) => {
    const { page: number, ...filter } = parseInput(eventQuery, query);
    return { page: number, events: outbox.list(filter, window(number)).map(eventView) };
  });
}

function dayOf({ day }: z.output<typeof dayQuery>, { snapshots, clock }: ConsoleParts): DayBounds {
  const timeZone = zoneOf(snapshots());
  const found = day === undefined ? dayBoundsAt(clock.now(), timeZone) : parseDay(day, timeZone);
  if (found === null) throw new Fault("usage.wrong", { message: "day: not a day like 2026-11-25", place: "day" });
  return found;
}

function addJobActions(router: Router, { actions, repairs, clock, jobs }: ConsoleParts, once: OnceAMinute): void {
  const post = actionsOn(router, clock);
  /** The receipt is named by its key, because printing anyway makes another job with the same key. */
  const receiptOf = (id: number) => {
    const { site, key } = jobs.get(id);
    return key === null ? `job ${id}` : `${site} ${key.key}`;
  };
  const simpleActions = {
    retry: (job: number, reason: string) => actions.retry(job, reason),
    approve: (job: number, reason: string) => actions.approve(job, reason),
    print: (job: number, reason: string) =>
      jobs.get(job).state === "held" ? actions.approve(job, reason) : actions.retry(job, reason),
    "as-correction": (job: number, reason: string, date: string | null) => actions.asCorrection(job, date, reason),
    "set-aside": (job: number, reason: string) => actions.setAside(job, reason),
    cancel: (job: number, reason: string) => actions.cancel(job, reason),
    "same-receipt": (job: number, reason: string) => actions.sameReceipt(job, reason),
    "print-anyway": (job: number, reason: string) =>
      once(`print-anyway ${receiptOf(job)}`, () => actions.printAnyway(job, reason)),
    copy: (job: number, reason: string) => actions.copy(job, reason),
  };
  const tryOut = async (name: string, job: number, date: string | null): Promise<void> => {
    if (name === "as-correction") await repairs.tryCorrection(job, date);
    if (name === "approve" || name === "print") await repairs.tryApproved(job);
  };
  for (const [name, act] of Object.entries(simpleActions)) {
    const schema = name === "as-correction" ? datedBody : actionBody.transform((body) => ({ ...body, date: null }));
    post(`/jobs/:id/${name}`, schema, async ({ reason, date }, request) => {
      const id = idOf(request);
      await tryOut(name, id, date);
      return { job: jobView(await act(id, reason, date)) };
    });
  }
  for (const name of ["retry", "set-aside", "print", "as-correction"] as const) {
    router.post(`/${name}`, async (request, response) => {
      const { jobs, reason, date } = parseInput(manyJobsBody, request.body ?? {});
      const refused: { readonly job: number; readonly fault: Fault }[] = [];
      const each = async (act: (job: number) => unknown) => {
        for (const job of jobs.filter((one) => refused.every((other) => other.job !== one))) {
          try {
            await retryWhileBusy(clock, undefined, () => act(job));
          } catch (error) {
            if (!isFault(error) || error.area === "store" || error.area === "internal") throw error;
            refused.push({ job, fault: error });
          }
        }
      };
      // All corrections are tried before the first is queued, because the register would print it between two tries.
      await each((job) => tryOut(name, job, date));
      await each((job) => simpleActions[name](job, reason, date));
      const [first] = refused;
      if (first !== undefined && refused.length === jobs.length) throw first.fault;
      response.json({
        jobs: jobs.length - refused.length,
        refused: refused.map(({ job, fault }) => ({ job, error: faultView(fault) })),
      });
    });
  }
  post("/jobs/:id/move", moveBody, ({ register, reason }, request) => ({
    job: jobView(actions.move(idOf(request), register, reason)),
  }));
  post("/jobs/:id/resolve", resolveBody, async (body, request) => {
    const id = idOf(request);
    const notPrinted = (checked: readonly number[]) => actions.resolveNotPrinted(id, body.reason, checked);
    const resolved =
      "notPrinted" in body
        ? once(`not-printed ${id}`, () => notPrinted(body.checked))
        : actions.resolvePrinted(id, body.printed, body.reason, body.paper);
    return { job: jobView(await resolved) };
  });
}

function addOtherActions(router: Router, parts: ConsoleParts, once: OnceAMinute): void {
  const { actions, clock } = parts;
  const begin = actionsOn(router, clock, 202);
  const registerActions = {
    "x-report": (register: RegisterId, reason: string) => actions.report(register, "x", reason),
    "z-report": (register: RegisterId, reason: string) => actions.report(register, "z", reason),
    "test-slip": (register: RegisterId, reason: string) => actions.testSlip(register, reason),
    "differences-mended": (register: RegisterId, reason: string) => actions.differencesMended(register, reason),
    pause: (register: RegisterId, reason: string) => actions.pause(register, reason),
    resume: (register: RegisterId, reason: string) => actions.resume(register, reason),
  };
  for (const [name, act] of Object.entries(registerActions)) {
    begin(`/registers/:id/${name}`, actionBody, ({ reason }, request) => {
      const job = act(registerOf(request), reason);
      return job instanceof Object ? { job: jobView(job) } : {};
    });
  }
  begin("/registers/:id/accept-identity", acceptIdentityBody, async ({ reason, orders }, request) => {
    const register = registerOf(request);
    await once(`accept-identity ${register}`, () => actions.acceptIdentity(register, reason, orders));
    return {};
  });
  begin("/registers/:id/accept-differences", acceptBody, ({ reason, ...accepted }, request) => {
    actions.acceptDifferences(registerOf(request), accepted.tag === null ? null : accepted, reason);
    return {};
  });
  const siteActions = { sync: syncByOperator, poll: pollByOperator };
  for (const [name, act] of Object.entries(siteActions)) {
    begin(`/sites/:id/${name}`, actionBody, ({ reason }, request) => {
      const site = toSiteId(nameIn(request));
      const isKnown = parts.siteHealth().some((known) => known.site === site);
      if (!isKnown) throw new Fault("usage.wrong", { message: `there is no site ${site}` });
      act(parts, site, reason);
      return {};
    });
  }
  actionsOn(router, clock)("/put-away", putAwayBody, (body) => ({ putAway: putAway(parts, body) }));
  router.post("/resend", async (request, response) => {
    const { events, reason } = parseInput(resendManyBody, request.body ?? {});
    for (const event of events) await retryWhileBusy(clock, undefined, () => resendEvent(parts, event, reason));
    response.status(202).json({ events: events.length });
  });
  begin("/events/:id/resend", actionBody, ({ reason }, request) => ({
    event: eventView(resendEvent(parts, idOf(request), reason)),
  }));
}

function registerOf(request: Request): RegisterId {
  return toRegisterId(nameIn(request));
}

function addUpkeep(router: Router, parts: ConsoleParts): void {
  const { jobs, journal, clock, copyDatabase, makeSupportFile, stop } = parts;
  const note = (what: UpkeepNote, details: object) =>
    retryWhileBusy(clock, undefined, () =>
      jobs.transaction(() => journal.add({ at: clock.now(), actor: "operator", what, details: { ...details } })),
    );
  router.post("/copy", async (request, response) => {
    const body = parseInput(actionBody, request.body ?? {});
    const path = await copyDatabase();
    await note("database copied by the operator", { ...body, path });
    response.json({ copy: { path } });
  });
  router.post("/support-file", async (request, response) => {
    const body = parseInput(actionBody, request.body ?? {});
    if (makeSupportFile === null) throw new Fault("usage.wrong", { message: "make it by `fiscald support-bundle`" });
    const { name, data } = await makeSupportFile();
    await note("support file made by the operator", { ...body, name });
    response.attachment(name).type("zip").send(Buffer.from(data));
  });
  router.post("/stop", async (request, response) => {
    const body = parseInput(actionBody, request.body ?? {});
    if (stop === null) throw new Fault("usage.wrong", { message: "end its process" });
    await note("stopped to be moved", body);
    response.status(202).json({});
    stop();
  });
}

function window(number: number): { readonly limit: number; readonly offset: number } {
  return { limit: pageSize, offset: (number - 1) * pageSize };
}
