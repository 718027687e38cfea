/** The checks that need no order: register list, activity, shift, secrets, calls that the site cannot know. */
import type { ActivityBody, SyncBody, ZReportBody } from "../exchange/calls.js";
import { type CheckRun, isSilent, type PolledSite } from "./check-run.js";
import { skips } from "./check-titles.js";
import { findingTexts } from "./finding-texts.js";
import type { BothLanguages, Finding } from "./findings.js";
import { finding } from "./findings.js";
import { isJson, isSuccess, readHeard, unanswered } from "./read-answers.js";
import { type CallToSend, hasSecret, type SecretSent } from "./site-caller.js";
import { exampleInn } from "./site-to-check.js";

/** Polls for an order, and finds out how the site wants its calls encoded. */
export async function checkAddress(run: CheckRun): Promise<void> {
  await run.check("address", async () => {
    let polled = await run.poll();
    if (run.options.site.encoding === "auto" && understood(polled) < understanding.order) {
      run.caller.encoding = "form";
      const asForm = await run.poll();
      if (understood(asForm) > understood(polled)) polled = asForm;
      else run.caller.encoding = "json";
    }
    run.isSilent = understood(polled) === understanding.silence;
    const missing = unanswered(polled.called);
    if (missing === null) return [];
    run.stopped = skips.noAnswer;
    return [missing];
  });
}

/** How well a site understood a poll. `silence`: an empty answer, which a site may give to all that it ignores. */
const understanding = { refusal: 0, unreadable: 1, silence: 2, nothing: 3, order: 4 };

function understood({ called, read }: PolledSite): number {
  if (read.offer !== null) return understanding.order;
  if (read.isNothing) return isSilent(called) ? understanding.silence : understanding.nothing;
  const isRefusal = unanswered(called) !== null || read.findings.some(({ name }) => name === "refusal");
  return isRefusal ? understanding.refusal : understanding.unreadable;
}

export async function checkEvents(run: CheckRun): Promise<void> {
  const { site, register } = run.options;
  const { kkm, fn, model: device, title, tables } = register;
  const inn = register.inn ?? exampleInn;
  const heard = async (...calls: readonly CallToSend[]) => {
    const sent = calls.filter(({ to }) => site.urls[to] !== null);
    const findings: Finding[] = [];
    for (const call of sent) findings.push(...readHeard(await run.send(call)));
    return sent.length === 0 ? skips.noAddress : findings;
  };
  await run.check("sync", async () => {
    const taxes = tables.taxes.map(({ id, title }) => ({ id, title }));
    const data = [{ name: title, kkm, inn, fn, taxes, typeClose: tables.paymentTypes }];
    const body: SyncBody = { action: "sync", data };
    return register.rows === "withheld" ? skips.realRegister : heard({ to: "sync", body });
  });
  await run.check("activity", () => {
    const bodyOf = (action: ActivityBody["action"]): ActivityBody => ({ action, kkm, device, title });
    // The last call reports the register as connected, so that the site does not go on with a disconnected one.
    const went: CallToSend = { to: "disconnected", body: bodyOf("KKMDisconnected") };
    return heard(went, { to: "connected", body: bodyOf("KKMConnected") });
  });
  await run.check("z-report", () => {
    const shift = { resultCode: 0, resultInfo: "", closedSession: "1", sessionSumm: 0 } as const;
    const body: ZReportBody = { action: "ZReport", kkm, inn, fn, ...shift };
    return heard({ to: "zreport", body });
  });
}

export async function checkSecrets(run: CheckRun): Promise<void> {
  const { site } = run.options;
  await run.check("secrets", async () => {
    if (!hasSecret(site)) return [finding("no-secret", { what: findingTexts.calledWithoutSecret, exchange: null })];
    const tries = ["wrong", "none", ...(site.auth.kind === "signature" ? (["late"] as const) : [])] as const;
    const findings: Finding[] = [];
    for (const secret of tries) findings.push(...(await checkSecret(run, secret)));
    return findings;
  });
}

async function checkSecret(run: CheckRun, secret: Exclude<SecretSent, "right">): Promise<readonly Finding[]> {
  const { called, read } = await run.poll({ secret });
  const { answer, exchange } = called;
  if (read.offer !== null) {
    return [
      finding("wrong-secret", { what: findingTexts.answeredPollWith(findingTexts[`${secret}Secret`]), exchange }),
    ];
  }
  if (answer !== null && answer.status >= 400 && answer.status < 500) return [];
  const missing = unanswered(called);
  if (missing !== null) return [missing];
  // Whether the site hands out an order to this secret can be seen only while an order waits.
  const what = findingTexts.pollWithStatus(findingTexts[`${secret}Secret`], answer?.status ?? 0);
  return [finding("secret-status", { what, exchange })];
}

const brokenBodyError: BothLanguages = {
  en: "Check that the body could be read before it is used, and answer HTTP 400, or resultCode 1.",
  ru: "Проверьте, что тело прочиталось, прежде чем его использовать, и отвечайте HTTP 400 или resultCode 1.",
};

export async function checkStrangeCalls(run: CheckRun): Promise<void> {
  const { site, register } = run.options;
  await run.check("unknown-action", async () => {
    const addresses = new Set(Object.values(site.urls).filter((url) => url !== null));
    if (addresses.size > 1) return skips.severalAddresses;
    return refused(run, { action: "checkSiteUnknown", kkm: register.kkm });
  });
  await run.check("broken-body", () => refused(run, '{"action": "order", "kkm": '));
}

/** No site can understand the call: whatever the answer is, it must not be success. */
async function refused(run: CheckRun, body: object | string): Promise<readonly Finding[]> {
  const isBroken = typeof body === "string";
  const called = await run.send({ to: "orders", body });
  const { answer, exchange } = called;
  if (answer !== null && answer.status >= 400 && answer.status < 500) return [];
  if (isSuccess(called)) {
    const what = isBroken ? findingTexts.tookBrokenBody : findingTexts.tookUnknownAction;
    return [finding(isBroken ? "broken-body" : "unknown-action", { what, exchange })];
  }
  if (answer !== null && answer.status < 300 && isJson(answer)) return [];
  return readHeard(called, isBroken ? brokenBodyError : undefined);
}
