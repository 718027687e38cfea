import { type FaultRow, faultCodes } from "@fiscald/shared/fault-codes.js";

const retrySigns = { repeat: "↻", "after-help": "✋", never: "✕", unsure: "?" } as const;
/** Most faults have this result code, so the page names only other codes. */
const usualResultCode = 4;

const areaTitles: Readonly<Record<string, string>> = {
  link: "The connection to a register / Связь с кассой",
  device: "What a register reports / Сообщения кассы",
  register: "A register as the daemon knows it / Касса в демоне",
  job: "A job / Задание",
  order: "An order that cannot be read / Заказ не читается",
  receipt: "A receipt that cannot be printed / Чек нельзя напечатать",
  site: "The site / Сайт",
  store: "The database / База данных",
  config: "The config / Настройки",
  usage: "Commands / Команды",
  daemon: "The daemon / Демон",
  service: "Installing the service / Установка службы",
  internal: "The program itself / Сама программа",
};

/** The faults are grouped by area, in both languages. */
export function faultPage(): string {
  const rows = Object.entries(faultCodes);
  const areas = [...new Set(rows.map(([code]) => areaOf(code)))];
  const sections = areas.map((area) => {
    const own = rows.filter(([code]) => areaOf(code) === area).map(([code, row]) => faultLines(code, row));
    return `## ${areaTitles[area] ?? area}\n\n${own.join("\n\n")}`;
  });
  return `${intro}\n\n${sections.join("\n\n")}\n`;
}

const intro = `# Faults / Неисправности

Every fault has a code that never changes: in the log, in \`fiscald explain\`, in the console and in the metrics. The
sign behind it says whether the daemon tries again: ↻ by itself, ✋ after help, ✕ not at all, ? not known yet. The site
gets \`resultCode\` ${usualResultCode}, or the number behind the sign. \`npm run docs\` makes this page of \`shared/fault-codes.ts\`.

У каждой неисправности постоянный код: в журнале, в \`fiscald explain\`, в консоли и в метриках. Знак за ним говорит,
повторяет ли демон: ↻ сам, ✋ после помощи, ✕ нет, ? пока неизвестно. Сайт получает \`resultCode\` ${usualResultCode} или число за знаком.`;

function faultLines(code: string, { text, hint, retry, resultCode }: FaultRow): string {
  const number = resultCode === usualResultCode ? "" : ` ${resultCode}`;
  return [
    `### \`${code}\` ${retrySigns[retry]}${number}`,
    "",
    ...wrapped(`${text.en} ${hint.en}`),
    "",
    ...wrapped(`${text.ru} ${hint.ru}`),
  ].join("\n");
}

function wrapped(text: string): readonly string[] {
  return text.match(/.{1,120}(?= |$)/g)?.map((line) => line.trim()) ?? [];
}

function areaOf(code: string): string {
  return code.split(".")[0] ?? code;
}
