/** Writes the report for a person: each check, its findings with their request and answer, and the paper. */
import type { BothLanguages, Finding, Language } from "./findings.js";
import type { Check, CheckState, OfferedOrder, SiteExchange, SiteReport } from "./site-report.js";

const MAX_BODY = 2000;

const states: Readonly<Record<CheckState, BothLanguages>> = {
  right: { en: "right:", ru: "верно:" },
  wrong: { en: "NOT SO:", ru: "НЕ ТАК:" },
  advice: { en: "advice:", ru: "совет:" },
  skipped: { en: "skipped:", ru: "пропуск:" },
};

const words = {
  register: { en: "register", ru: "касса" },
  asForm: { en: "calls as form fields", ru: "вызовы полями формы" },
  asJson: { en: "calls as JSON", ru: "вызовы в JSON" },
  mend: { en: "mend", ru: "исправить" },
  request: { en: "request", ru: "запрос" },
  answer: { en: "answer", ru: "ответ" },
  noAnswer: { en: "no answer", ru: "ответа нет" },
  paper: { en: "The receipt as it was read:", ru: "Чек, как он прочитан:" },
  orders: { en: "Orders that the site offered:", ru: "Заказы, которые отдал сайт:" },
  sync: {
    en: "The site has the tax rows of --taxes now. On the till, `fiscald sync` sends it the register's own.",
    ru: "Теперь у сайта строки налогов из --taxes. Команда `fiscald sync` на кассе отправит ему настоящие.",
  },
  noNumber: { en: "an order without a number", ru: "заказ без номера" },
} as const satisfies Record<string, BothLanguages>;

const endings: Readonly<Record<"printed" | "failed" | "lost" | "none", BothLanguages>> = {
  printed: { en: "reported as printed: throw it away", ru: "сообщено: напечатан; заказ выбросьте" },
  failed: {
    en: "reported as failed: nothing was printed, the site may offer it again",
    ru: "сообщено: не напечатан, сайт может отдать его снова",
  },
  lost: {
    en: "the site did not take its result: look there whether the order still waits",
    ru: "сайт не принял результат: посмотрите, ждёт ли ещё этот заказ",
  },
  none: {
    en: "no result could name it: look at the site whether the order still waits",
    ru: "результат некому сообщить: посмотрите на сайте, ждёт ли ещё этот заказ",
  },
};

export function writeText(report: SiteReport, language: Language): string {
  const encoded = (report.encoding === "form" ? words.asForm : words.asJson)[language];
  const width = Math.max(...Object.values(states).map((state) => state[language].length));
  const blocks = [
    `${report.site}  ${words.register[language]} ${report.kkm}, ${encoded}`,
    report.checks.map((check) => checkLines(check, report.exchanges, { language, width })).join("\n"),
    ...(report.paper === null ? [] : [`${words.paper[language]}\n\n${indent(report.paper.trimEnd(), 4)}`]),
    ...(report.orders.length === 0 ? [] : [orderLines(report.orders, language)]),
    summary(report, language),
    ...(report.needsSync ? [words.sync[language]] : []),
  ];
  return printable(`${blocks.join("\n\n")}\n`);
}

interface Style {
  readonly language: Language;
  readonly width: number;
}

function checkLines(check: Check, exchanges: readonly SiteExchange[], { language, width }: Style): string {
  const why = check.skipped === null ? "" : ` (${check.skipped[language]})`;
  const head = `${states[check.state][language].padEnd(width)}  ${check.title[language]} [${check.name}]${why}`;
  const shown = [...new Set(check.findings.map(({ exchange }) => exchange))].flatMap((number) =>
    number === null ? [] : (exchanges[number] ?? []),
  );
  const lines = check.findings.map(
    (found) => `${findingLine(found, language)}\n${words.mend[language]}: ${found.mend[language]}`,
  );
  const details = [...lines, ...shown.map((exchange) => exchangeLines(exchange, language))];
  return [head, ...details.map((text) => indent(text, width + 2))].join("\n");
}

export function findingLine({ name, place, what }: Finding, language: Language): string {
  return `${name}: ${place === null ? "" : `${place}: `}${what[language]}`;
}

export function exchangeLines(exchange: SiteExchange, language: Language): string {
  const { url, headers, body, answer, failure } = exchange;
  const end =
    answer === null
      ? `${words.noAnswer[language]}: ${failure?.[language] ?? ""}`
      : `${words.answer[language]}:\n${indent(message(`HTTP ${answer.status}`, answer.headers, answer.body), 2)}`;
  return `${words.request[language]}:\n${indent(message(`POST ${url}`, headers, body), 2)}\n${end}`;
}

function message(first: string, headers: Readonly<Record<string, string>>, body: string): string {
  const shown = body.length <= MAX_BODY ? body : `${body.slice(0, MAX_BODY)} ...`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [first, ...lines, ...(shown === "" ? [] : ["", shown])].join("\n");
}

/** Replaces characters that a terminal would act on: an answer may contain anything. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, "\uFFFD");
}

function orderLines(orders: readonly OfferedOrder[], language: Language): string {
  const lines = orders.map(({ orderId, reportedAs, taken }) => {
    const end = reportedAs === null ? endings.none : taken ? endings[reportedAs] : endings.lost;
    return `  ${orderId ?? words.noNumber[language]}: ${end[language]}`;
  });
  return [words.orders[language], ...lines].join("\n");
}

function summary({ checks }: SiteReport, language: Language): string {
  const order: readonly CheckState[] = ["right", "wrong", "advice", "skipped"];
  const counts = order.map((state) => [state, checks.filter((check) => check.state === state).length] as const);
  return counts
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${states[state][language]} ${count}`)
    .join(", ");
}

function indent(text: string, by: number): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : `${" ".repeat(by)}${line}`))
    .join("\n");
}
