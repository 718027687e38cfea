import { type FaultRow, faultCodes } from "@fiscald/shared/fault-codes.js";

const retryWords = {
  repeat: "by itself / само",
  "after-help": "after help / после помощи",
  never: "never / нет",
  unsure: "not known yet / пока неизвестно",
} as const;

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

/** The page of all faults, in both languages, by area. */
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

Every fault has a code that never changes: it stands in the log, in \`fiscald explain\`, in the console and in the
metrics. \`resultCode\` is the code in the answer to the site. This page is made from \`shared/fault-codes.ts\` by
\`npm run docs\`.

У каждой неисправности постоянный код: он стоит в журнале, в \`fiscald explain\`, в консоли и в метриках.
\`resultCode\` получает сайт. Страница создаётся из \`shared/fault-codes.ts\` командой \`npm run docs\`.`;

function faultLines(code: string, { text, hint, retry, resultCode }: FaultRow): string {
  return [
    `### \`${code}\``,
    "",
    ...wrapped(`${text.en} ${hint.en}`),
    "",
    ...wrapped(`${text.ru} ${hint.ru}`),
    "",
    `Tried again / повтор: ${retryWords[retry]}. resultCode ${resultCode}.`,
  ].join("\n");
}

/** Lines of at most 120 characters. */
function wrapped(text: string): readonly string[] {
  return text.match(/.{1,120}(?= |$)/g)?.map((line) => line.trim()) ?? [];
}

function areaOf(code: string): string {
  return code.split(".")[0] ?? code;
}
