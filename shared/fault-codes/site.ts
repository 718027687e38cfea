import { afterHelp, type FaultRow, never, repeat, retriesByItself } from "./fault-row.js";

export const siteFaults = {
  "site.unreachable": repeat(
    ["The site cannot be reached.", "Сайт недоступен."],
    [
      "Check the internet connection, the address and its port, and whether the site runs.",
      "Проверьте интернет, адрес и порт сайта, и работает ли он.",
    ],
  ),
  "site.dns": repeat(
    ["The site's name cannot be resolved.", "Имя сайта не находится (DNS)."],
    ["Check the address in the config and the DNS of this computer.", "Проверьте адрес в настройках и DNS компьютера."],
  ),
  "site.tls": repeat(
    ["The site's certificate is not accepted.", "Сертификат сайта не принят."],
    ["Check the certificate, this clock, or set `tls.caFile`.", "Проверьте сертификат, часы или задайте `tls.caFile`."],
  ),
  "site.proxy": repeat(
    ["A proxy between here and the site wants a login.", "Прокси-сервер перед сайтом требует вход."],
    ["Let this computer through without a login, or log in.", "Откройте компьютеру доступ без входа или войдите."],
  ),
  "site.clock": repeat(
    [
      "The site cannot be trusted or does not trust us because this computer's clock is wrong.",
      "Из-за неверных часов этого компьютера сайт не принимает вызовы или его сертификат не принимается.",
    ],
    ["Set this computer's date, time and time zone.", "Проверьте дату, время и часовой пояс компьютера."],
  ),
  "site.timeout": repeat(["The site did not answer in time.", "Сайт не ответил вовремя."], retriesByItself),
  "site.unauthorized": repeat(
    ["The site refused our credentials.", "Сайт не принял наш ключ доступа."],
    ["Check the site's auth settings.", "Проверьте настройки доступа к сайту."],
  ),
  "site.http-status": repeat(
    ["The site answered with an error status.", "Сайт ответил ошибкой."],
    ["Look at the site's own log.", "Посмотрите журнал самого сайта."],
  ),
  "site.bad-answer": repeat(
    ["The site's answer is not what the protocol says.", "Ответ сайта не соответствует протоколу."],
    ["Check the handler: the message says what is wrong.", "Проверьте обработчик: ошибка названа в сообщении."],
  ),
  "site.refused": never(
    ["The site refused the event.", "Сайт отверг событие."],
    ["Look at the site's words; resend when it is mended.", "Прочитайте ответ сайта; исправив, отправьте снова."],
  ),
  "site.answer-lost": afterHelp(
    [
      "A poll was sent but its answer did not arrive whole: an order may have been handed out.",
      "Опрос отправлен, но ответ не дошёл целиком: сайт мог уже отдать заказ.",
    ],
    ["Check whether an order is still waiting on the site.", "Проверьте на сайте, не остался ли заказ без чека."],
  ),
} as const satisfies Record<`site.${string}`, FaultRow>;
