import { both, rows } from "../../rows.js";
import { type Counted, messagesInRussian, minutesOrMore, russianMinutesOrMore } from "./trouble-words.js";

export const siteTroubleTexts = rows({
  unknownAnswer: {
    text: [
      "The site answered with something that is neither an order nor «no orders».",
      "Сайт ответил не заказом и не сообщением, что заказов нет.",
    ],
    next: ["Show the answer to the site's developer.", "Покажите этот ответ разработчику сайта."],
  },
  siteDown: ["{text} Its orders wait.", "{text} Чеки ждут."],
  siteHtml: {
    text: [
      "The site answers with a web page, not with an order. Its orders wait.",
      "Сайт отвечает страницей, а не заказом. Чеки ждут.",
    ],
    next: [
      "Tell the site's developer. Printing goes on by itself when the site answers with orders.",
      "Сообщите разработчику сайта. Печать продолжится сама, когда сайт ответит заказом.",
    ],
  },
  siteUnreadable: {
    text: ["The site's answer cannot be read. Its orders wait.", "Ответ сайта не читается. Чеки ждут."],
    next: ["Tell the site's developer.", "Сообщите разработчику сайта."],
  },
  siteRefusesUs: {
    text: [
      "The site does not accept this program's secret (answer {status}). Its orders wait.",
      "Сайт не принимает секрет этой программы (ответ {status}). Чеки ждут.",
    ],
    next: [
      "Compare the secret in the settings with the one on the site.",
      "Сверьте секрет в настройках программы с тем, что на сайте.",
    ],
  },
  siteNotFound: {
    text: [
      "There is no page at the site's address (answer 404). Its orders wait.",
      "По адресу сайта нет нужной страницы (ответ 404). Чеки ждут.",
    ],
    next: [
      "Compare the site's address in the settings with the one from its developer.",
      "Сверьте адрес сайта в настройках с тем, что дал разработчик.",
    ],
  },
  siteMoved: {
    text: [
      "The site points to another address (answer {status}). Its orders wait.",
      "Сайт отправляет на другой адрес (ответ {status}). Чеки ждут.",
    ],
    next: [
      "Ask the site's developer for the right address and write it into the settings.",
      "Узнайте у разработчика верный адрес и укажите его в настройках.",
    ],
  },
  siteError: {
    text: ["The site answers with the error {status}. Its orders wait.", "Сайт отвечает ошибкой {status}. Чеки ждут."],
    next: [
      "Tell the site's developer or its hosting. Printing goes on by itself when the site answers.",
      "Сообщите разработчику сайта или его хостингу. Печать продолжится сама, когда сайт ответит.",
    ],
  },
  nobodyPolls: {
    none: [
      "The site is not polled: no register is bound to it.",
      "Сайт не опрашивается: для него не указана ни одна касса.",
    ],
    next: [
      "Bind a register to the site in the settings (`sites` of the register).",
      "Укажите сайт для кассы в настройках (`sites` кассы).",
    ],
    unseen: [
      "The site is not polled yet: register {register} has never answered.",
      "Сайт пока не опрашивается: касса {register} ещё ни разу не ответила.",
    ],
    connect: [
      "Just after the start the register is still being connected: wait half a minute. Then check that it is switched on and its cable is plugged in.",
      "Сразу после запуска касса ещё подключается: подождите полминуты. Потом проверьте, включена ли она и вставлен ли кабель.",
    ],
  },
  eventRefused: {
    text: both(
      ({ count }: Counted) =>
        `The site does not accept ${count === 1 ? "a result or report" : `${count} results or reports`}.`,
      ({ count }) => `Сайт не принимает ${count} ${messagesInRussian(count)} о чеках и кассах.`,
    ),
    next: [
      "Tell the site's developer; when the site is mended, send them again. Their list: `fiscald status`.",
      "Сообщите разработчику сайта; когда исправит, отправьте снова. Список: `fiscald status`.",
    ],
  },
  eventWaits: {
    text: both(
      ({ count, minutes }: Counted & { readonly minutes: number }) =>
        `${count} ${count === 1 ? "message" : "messages"} could not be delivered for ${minutesOrMore(minutes)}.`,
      ({ count, minutes }) =>
        `${count} ${messagesInRussian(count)} сайту не доставлено уже ${russianMinutesOrMore(minutes)}.`,
    ),
    next: [
      "Sending is repeated by itself until the site answers. Check the site and this machine's network.",
      "Отправка повторяется сама, пока сайт не ответит. Проверьте сайт и интернет этого компьютера.",
    ],
  },
  siteLeft: {
    text: [
      "Results wait for a site that is no longer in the settings: {count}.",
      "Результаты ждут сайта, которого больше нет в настройках: {count}.",
    ],
    next: [
      "If the site has another id now, name the old one there as `renamedFrom` and restart fiscald.",
      "Если у сайта теперь другое имя, впишите прежнее в его `renamedFrom` и перезапустите программу.",
    ],
  },
});
