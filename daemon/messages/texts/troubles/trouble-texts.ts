/** Names of register and site stand before a text. The page omits sentences with a command, so these come last. */
import { both, plural, rows } from "../../rows.js";
import { orderTroubleTexts } from "./order-troubles.js";
import { registerTroubleTexts } from "./register-troubles.js";
import { siteTroubleTexts } from "./site-troubles.js";
import { type Counted, inEnglish, inRussian, type Moment, minute, russianMinute } from "./trouble-words.js";

export const troubleTexts = rows({
  since: both(
    (moment: Moment) => `since ${minute(moment)}`,
    (moment) => `с ${russianMinute(moment)}`,
  ),
  cause: ["Cause", "Причина"],
  next: ["What to do", "Что делать"],
  /** A text about several registers begins with this. */
  registers: both(
    (counted: Counted) => `${counted.count} registers: ${inEnglish(counted)}`,
    (counted) => `${counted.count} ${plural(counted.count, "касса", "кассы", "касс")}: ${inRussian(counted)}`,
  ),
  /** A text about a register or a site ends with this. */
  waiting: both(
    (counted: Counted) =>
      `${counted.count === 1 ? "1 order waits" : `${counted.count} orders wait`}: ${inEnglish(counted)}.`,
    (counted) =>
      counted.count === 1
        ? `Ждёт заказ ${inRussian(counted)}.`
        : `${plural(counted.count, "Ждёт", "Ждут", "Ждут")} ${counted.count} ${plural(counted.count, "заказ", "заказа", "заказов")}: ${inRussian(counted)}.`,
  ),
  daemonDown: {
    text: [
      "The daemon does not run: no order is taken and nothing is printed.",
      "Программа не запущена: заказы не принимаются, чеки не печатаются.",
    ],
    next: ["Start it: its service, or `fiscald run`.", "Запустите службу или `fiscald run`."],
  },
  storeTrouble: [
    "No order can be stored, so no site is polled. {text}",
    "Заказы некуда записать, поэтому сайты не опрашиваются. {text}",
  ],
  lockGone: {
    text: [
      "The lock file beside the database was deleted or replaced.",
      "Файл блокировки рядом с базой удалён или подменён.",
    ],
    next: ["Restart the daemon and leave the file alone.", "Перезапустите программу и не трогайте этот файл."],
  },
  alertFailed: {
    text: [
      "A person was to be alerted, and could not be reached; it is tried again.",
      "Нужно было сообщить человеку о неполадке, но сообщение не отправлено; попытки продолжаются.",
    ],
    next: [
      "Check `alerts` in the config and this machine's network.",
      "Проверьте `alerts` в настройках и сеть этого компьютера.",
    ],
  },
  ...orderTroubleTexts,
  ...registerTroubleTexts,
  ...siteTroubleTexts,
});

/** A site is polled for the orders of this register. The rows also tell the site's last answer. */
export const askedTexts = rows({
  kkm: both(
    (given: Moment & { readonly register: string; readonly kkm: string }) =>
      `${given.register} (kkm ${given.kkm}), last answer ${minute(given)}`,
    (given) => `${given.register} (рег. № ККТ ${given.kkm}), последний ответ ${russianMinute(given)}`,
  ),
  never: ["{register} (kkm {kkm}), no answer yet", "{register} (рег. № ККТ {kkm}), ответа ещё не было"],
  unknown: ["{register}, which was never connected", "{register} (ещё не подключалась)"],
  nothing: ["no register is bound to it", "для сайта не указана ни одна касса"],
});
