/** Errors of the delivery API; their HTTP statuses are in handlers/delivery/http/api-errors.ts. */
import { type FaultRow, fixRequest, row } from "./fault-row.js";

export const apiFaults = {
  "api.bad-request": row("never", 1, ["The request cannot be read.", "Запрос не читается."], fixRequest),
  "api.unauthorized": row(
    "never",
    4,
    ["The access token is missing or not valid.", "Нет токена доступа или он недействителен."],
    ["Make a token with `fiscald-site token create`.", "Создайте токен: `fiscald-site token create`."],
  ),
  "api.forbidden": row("never", 4, ["This token may not do that.", "Недостаточно прав."], fixRequest),
  "api.not-found": row("never", 4, ["There is no such object.", "Объект не найден."], fixRequest),
  "api.invalid": row("never", 1, ["The data is not valid.", "Данные не прошли проверку."], fixRequest),
  "api.too-large": row("never", 1, ["The request is larger than allowed.", "Запрос слишком большой."], fixRequest),
  "api.too-many": row(
    "repeat",
    4,
    ["Too many requests.", "Слишком много запросов."],
    ["Wait as long as the Retry-After header says.", "Подождите столько, сколько указано в Retry-After."],
  ),
} as const satisfies Record<`api.${string}`, FaultRow>;
