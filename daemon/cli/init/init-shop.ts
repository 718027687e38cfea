import { type Language, messagesIn } from "../../messages/messages.js";
import { type NewShop, setupAnswers, usualClosing, zoneOfComputer } from "../../setup/setup-answers.js";
import type { Questions } from "../terminal/questions.js";

export interface ShopToAsk {
  readonly language: Language;
  /** The documents of one of the registers all name a cashier. */
  readonly needsCashier: boolean;
}

type CashierAnswer = Pick<NewShop, "cashier" | "cashierInn">;
type ShopAnswers = CashierAnswer & Pick<NewShop, "timeZone" | "closeShiftAt">;

/** Asks what all registers of the shop share. */
export async function askShop(questions: Questions, { language, needsCashier }: ShopToAsk): Promise<ShopAnswers> {
  const { shop: words, problems, none } = questions.words;
  const cashier = await askCashier(questions, needsCashier);
  const timeZone = await askZone(questions, language);
  const { closeShiftAt } = setupAnswers.shape;
  const closing = await questions.text(words.closeShiftAt, {
    otherwise: usualClosing,
    problem: (answer) => (answer === none || closeShiftAt.safeParse(answer).success ? null : problems.time),
  });
  return { ...cashier, timeZone, closeShiftAt: closing === none ? null : closing };
}

async function askCashier(questions: Questions, needsCashier: boolean): Promise<CashierAnswer> {
  const { shop: words, problems, none } = questions.words;
  const { cashier, cashierInn } = setupAnswers.shape;
  const name = await questions.text(needsCashier ? words.cashier : words.cashierOrNone, {
    otherwise: "Кассир",
    problem: (answer) => (cashier.safeParse(answer).success ? null : problems.tooLong({ most: 64 })),
  });
  if (name === none && !needsCashier) return { cashier: "", cashierInn: "" };
  const inn = await questions.text(words.cashierInn, {
    otherwise: "",
    problem: (answer) => (cashierInn.safeParse(answer).success ? null : problems.inn),
  });
  return { cashier: name, cashierInn: inn };
}

/** The zones are chosen by the first city of each. A computer whose zone is no Russian one suggests none, and says so. */
async function askZone(questions: Questions, language: Language): Promise<string> {
  const { shop: words } = questions.words;
  const cities = new Map(
    Object.entries(messagesIn(language).setup.zones).map(([zone, name]) => [name.split(/,| \(/)[0] ?? name, zone]),
  );
  const own = zoneOfComputer();
  const suggested = [...cities].find(([, zone]) => zone === own)?.[0];
  const { timeZone: computerZone } = new Intl.DateTimeFormat().resolvedOptions();
  const question = suggested === undefined ? words.zoneUnknown({ zone: computerZone }) : words.timeZone;
  const city = await questions.choose(question, [...cities.keys()], suggested);
  return cities.get(city) ?? city;
}
