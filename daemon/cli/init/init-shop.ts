/** The questions of `init` about site and shop. Questions that the set-up page also asks have the same words. */
import { createWebhook } from "@fiscald/shared/http/webhook-headers.js";
import { isDoubtfulInn } from "@fiscald/shared/ids.js";
import { configId, webAddress } from "../../config/field-types.js";
import { configReasons } from "../../messages/reasons/config-reasons.js";
import { type AuthKind, authKinds, authNow, nameOfHost, newSecret } from "../../setup/entries.js";
import { type NewShop, setupAnswers, usualClosing, zoneOfComputer } from "../../setup/setup-answers.js";
import type { SiteToTry } from "../../setup/try-site.js";
import { type Questions, wrongBy } from "../terminal/questions.js";

/** `tryIt` tests the address and shows how the site answers. The site does not know a secret that was just made. */
export async function askSite(questions: Questions, tryIt: (site: SiteToTry) => Promise<void>) {
  const { language, words } = questions;
  const { setup } = words;
  const orders = await questions.text(setup.orders, { problem: wrongBy(webAddress, language) });
  const kind = await questions.choose(words.init.auth, authKinds, "signature");
  const user = kind === "basic" ? await questions.text(setup.user) : "";
  const header = kind === "header" ? await questions.text(setup.header, { otherwise: "X-Fiscal-Key" }) : "";
  const answer = kind === "none" ? "" : await askSecret(questions, kind);
  const isSecretNew = kind !== "none" && answer === "";
  const secret = isSecretNew ? newSecret(kind) : answer;
  await tryIt({ orders, auth: authNow(kind, { user, name: header }, secret), isSecretNew: answer === "" });
  const id = await questions.text(setup.siteId, {
    otherwise: nameOfHost(orders),
    problem: wrongBy(configId, language),
  });
  return { site: { orders, auth: kind, user, header, secret, id }, isSecretNew };
}

function askSecret(questions: Questions, kind: AuthKind): Promise<string> {
  const { language, words } = questions;
  const isRight = (text: string) => kind !== "signature" || text === "" || createWebhook(text) !== null;
  const problem = (text: string) => (isRight(text) ? null : configReasons.base64[language]);
  return questions.secret(words.setup.secret, { otherwise: "", problem });
}

type ShopAnswers = Pick<NewShop, "cashier" | "cashierInn" | "timeZone" | "closeShiftAt">;

/** `needsCashier`: at least one register names a cashier on all its documents. */
export async function askShop(questions: Questions, needsCashier: boolean): Promise<ShopAnswers> {
  const { language, words } = questions;
  const { setup } = words;
  const { none } = words.init;
  const { cashier, cashierInn, closeShiftAt } = setupAnswers.shape;
  const name = await questions.text(needsCashier ? setup.cashier : questions.orNone(setup.cashier), {
    otherwise: "Кассир",
    problem: wrongBy(cashier, language),
  });
  const hasCashier = needsCashier || name !== none;
  const inn = hasCashier ? await askInn(questions, wrongBy(cashierInn, language)) : "";
  const timeZone = await askZone(questions);
  const closing = await questions.text(questions.orNone(setup.closeShiftAt), {
    otherwise: usualClosing,
    problem: (answer) => (answer === none ? null : wrongBy(closeShiftAt, language)(answer)),
  });
  return {
    cashier: hasCashier ? name : "",
    cashierInn: inn,
    timeZone,
    closeShiftAt: closing === none ? null : closing,
  };
}

async function askInn(questions: Questions, problem: (answer: string) => string | null): Promise<string> {
  const { setup, init } = questions.words;
  for (;;) {
    const inn = await questions.text(setup.cashierInn, { otherwise: "", problem });
    if (!isDoubtfulInn(inn) || (await questions.yesNo(`${setup.innDoubt({ inn })} ${init.keepInn}`, false))) return inn;
  }
}

/** Offers each zone by its first city. A computer whose zone is not Russian suggests none and says so. */
async function askZone(questions: Questions): Promise<string> {
  const { setup } = questions.words;
  const cities = new Map(Object.entries(setup.zones).map(([zone, name]) => [name.split(/,| \(/)[0] ?? name, zone]));
  const own = zoneOfComputer();
  const suggested = [...cities].find(([, zone]) => zone === own)?.[0];
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
  const question = suggested === undefined ? `${setup.zoneUnknown({ zone })} ${setup.timeZone}` : setup.timeZone;
  const city = await questions.choose(question, [...cities.keys()], suggested);
  return cities.get(city) ?? city;
}
