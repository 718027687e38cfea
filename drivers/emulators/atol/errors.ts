/** Error numbers of the maker's driver that the emulated register uses (sources in drivers/atol/README.md). */
import type { Refusal } from "../memory/refusals.js";

const refusalCodes: Readonly<Record<Refusal, number>> = {
  "shift-open": 83,
  "shift-closed": 73,
  "shift-expired": 68,
  "receipt-open": 82,
  "no-receipt": 81,
  "no-lines": 205,
  "too-many-lines": 110,
  "tax-unknown": 144,
  "tax-system-unknown": 143,
  "sum-mismatch": 8,
  "value-out-of-range": 16,
  "total-out-of-range": 227,
  "payments-below-total": 66,
  "cashless-above-total": 52,
  "zero-total": 205,
  "not-enough-cash": 80,
  "paper-out": 44,
  "cover-open": 45,
  "print-halted": 44,
  "nothing-halted": 12,
  "clock-behind": 36,
  "drive-full": 120,
  "drive-expired": 119,
  "ofd-blocked": 140,
  "no-document": 123,
  "bad-sign": 11,
  "mark-unchecked": 420,
  "mark-rejected": 409,
};

const descriptions: Readonly<Record<number, string>> = {
  2: "Нет связи",
  8: "Неверное значение реквизита",
  11: "Не поддерживается в данной версии",
  17: "Неверный формат",
  44: "Нет бумаги",
  45: "Открыта крышка",
  66: "Чек оплачен не полностью",
  68: "Смена превысила 24 часа",
  73: "Смена закрыта",
  80: "Недостаточно наличных в денежном ящике",
  82: "Чек открыт",
  83: "Смена открыта",
  123: "Запрошенные данные отсутствуют в ФН",
  144: "Недопустимый номер налога",
  172: "Кассир не зарегистрирован",
  402: "Сервер проверки маркировки недоступен",
  409: "Некорректный код маркировки",
  416: "Нет маркированной позиции",
  420: "Код маркировки не проверен",
  501: "Не удалось разобрать задание",
  502: "Выполнение прервано из-за ошибки предыдущего задания",
  503: "Задание отменено",
};

export function codeOfRefusal(refusal: Refusal): number {
  return refusalCodes[refusal];
}

export function describeCode(code: number): string {
  return code === 0 ? "Ошибок нет" : (descriptions[code] ?? `Ошибка ${code}`);
}

/** Codes that stop the queue during a fiscal task: those of ATOL's web server and of an open-source server together. */
const stopping = new Set([
  1, 2, 3, 4, 15, 44, 45, 46, 114, 115, 116, 117, 118, 119, 120, 121, 122, 124, 133, 134, 135, 136, 137, 138, 141, 142,
  159, 166, 177, 241,
]);

export function stopsQueue(code: number): boolean {
  return stopping.has(code);
}

export function blockReasonOf(code: number): "connectionError" | "fnError" | "paperError" {
  if ([1, 2, 3, 4, 241].includes(code)) return "connectionError";
  return [44, 45, 46, 114].includes(code) ? "paperError" : "fnError";
}
