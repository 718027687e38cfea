/** Faults of calls that reach the site's handlers, which the handler kit answers with an HTTP status. */
import { afterHelp, type FaultRow, fixRequest, never, repeat, retriesByItself } from "./fault-row.js";

export const callFaults = {
  "call.unreadable": never(
    ["The body of the call cannot be read.", "Тело запроса не читается."],
    ["Send UTF-8 JSON or form fields.", "Отправляйте JSON или поля формы в UTF-8."],
    1,
  ),
  "call.wrong-type": never(
    ["The call's content type is not supported.", "Тип содержимого запроса не поддерживается."],
    ["Send application/json or form fields, not compressed.", "Отправляйте `application/json` или форму без сжатия."],
    1,
  ),
  "call.too-large": never(
    ["The call's body is larger than allowed.", "Тело запроса больше допустимого."],
    ["Raise `limitBytes` of the router if such calls are real.", "Если такие запросы нужны, увеличьте `limitBytes`."],
    1,
  ),
  "call.late": repeat(
    ["The call or its answer did not come in time.", "Запрос или ответ на него не успел вовремя."],
    retriesByItself,
  ),
  "call.unauthorized": never(
    ["The call carries no valid secret.", "В запросе нет верного ключа доступа."],
    ["Compare the site's auth settings on both sides.", "Сверьте ключ в настройках сервера печати и сайта."],
  ),
  "call.forbidden": never(
    ["Calls from this address are not allowed.", "Запросы с этого адреса запрещены."],
    ["Add the address to the allow list.", "Добавьте адрес в список разрешённых."],
  ),
  "call.repeated": never(
    ["The poll has been answered before.", "На этот опрос уже был ответ."],
    [
      "A poll is sent once: look for a proxy that repeats calls, or for somebody who replays them.",
      "Опрос отправляется один раз: проверьте, не повторяет ли запросы прокси или кто-то посторонний.",
    ],
    1,
  ),
  "call.copied-daemon": afterHelp(
    ["Two machines ask with the id of one daemon.", "Два компьютера опрашивают сайт с одним номером (`id`) демона."],
    [
      "Stop the copy, delete its database with all files beside it, then run `fiscald-site receipts admit ID` at the site.",
      "Остановите копию, удалите её базу со всеми файлами рядом, затем на сайте: `fiscald-site receipts admit НОМЕР`.",
    ],
    1,
  ),
  "call.unknown-action": never(
    ["The action is unknown.", "Неизвестное действие (`action`)."],
    ["Compare the print server's action names with the site's.", "Сверьте имена действий сервера печати и сайта."],
    2,
  ),
} as const satisfies Record<`call.${string}`, FaultRow>;

/** Errors of the delivery API; their HTTP statuses are in handlers/delivery/http/api-errors.ts. */
export const apiFaults = {
  "api.bad-request": never(["The request cannot be read.", "Запрос не читается."], fixRequest, 1),
  "api.unauthorized": never(
    ["The access token is missing or not valid.", "Нет токена доступа или он недействителен."],
    ["Make a token with `fiscald-site token create`.", "Создайте токен: `fiscald-site token create`."],
  ),
  "api.forbidden": never(["This token may not do that.", "Недостаточно прав."], fixRequest),
  "api.not-found": never(["There is no such object.", "Объект не найден."], fixRequest),
  "api.invalid": never(["The data is not valid.", "Данные не прошли проверку."], fixRequest, 1),
  "api.too-large": never(["The request is larger than allowed.", "Запрос слишком большой."], fixRequest, 1),
  "api.too-many": repeat(
    ["Too many requests.", "Слишком много запросов."],
    ["Wait as long as the Retry-After header says.", "Подождите столько, сколько указано в `Retry-After`."],
  ),
} as const satisfies Record<`api.${string}`, FaultRow>;
