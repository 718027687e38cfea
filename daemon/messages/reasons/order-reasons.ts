/** Why an order is not printed on a register of this config. */
import type { FaultText } from "@fiscald/shared/fault-codes/fault-row.js";
import type { Given, Texts } from "@fiscald/shared/texts.js";

export const orderReasons = {
  noKkmOfSite: (kkm: Given | null) => ({
    en: `no register with kkm ${kkm} is configured for this site`,
    ru: `кассы с номером ${kkm} у этого сайта в настройках нет`,
  }),
  noKkm: (kkm: Given) => ({
    en: `no register with kkm ${kkm} is configured`,
    ru: `кассы с номером ${kkm} в настройках нет`,
  }),
  noRegister: (id: Given) => ({ en: `no register ${id} is configured`, ru: `кассы ${id} в настройках нет` }),
  unseenKkm: (kkm: Given, register: Given) => ({
    en: `kkm ${kkm} is not known: it may be the one of ${register}, which was never connected so far`,
    ru: `касса с номером ${kkm} неизвестна: возможно, это ${register}, которая ещё не подключалась`,
  }),
  kkmOfOther: (kkm: Given, holder: Given) => ({
    en: `found kkm ${kkm}, which is the one of ${holder}`,
    ru: `найдена касса с номером ${kkm}, а это номер кассы ${holder}`,
  }),
  noDrive: (fn: Given) => ({
    en: `no connected register has drive ${fn}`,
    ru: `среди подключённых касс нет кассы с накопителем ${fn}`,
  }),
  notConnected: (register: Given) => ({
    en: `${register} was not connected so far`,
    ru: `${register} ещё не подключалась`,
  }),
  unknown: {
    en: "It is not known whether the receipt came out.",
    ru: "Неизвестно, вышел ли чек.",
  },
  unknownService: {
    en: "It is not known whether this was done.",
    ru: "Неизвестно, выполнено ли это.",
  },
  triedOut: {
    en: "It is not tried again by itself: a person at the till repeats it, or the order comes with other content, at most ten times.",
    ru: "Сам по себе он больше не печатается: его повторит человек у кассы, или пришлите заказ (до десяти раз) с другим содержимым.",
  },
  printing: (register: Given) => ({ en: `${register} is printing`, ru: `${register} печатает` }),
  shiftClosed: (shift: Given) => ({ en: `shift ${shift} is closed`, ru: `смена ${shift} закрыта` }),
  cashierMissing: (place: Given) => ({
    en: `set \`cashier\` of ${place}: its documents all name one`,
    ru: `задайте \`cashier\` кассы ${place}: в её документах всегда есть кассир`,
  }),
  taxSystemMissing: (place: Given) => ({
    en: `set \`taxSystem\` of ${place}: it is registered for several`,
    ru: `задайте \`taxSystem\` кассы ${place}: у неё несколько систем`,
  }),
  otherTaxSystems: {
    en: "the order was accepted for a register with other tax systems",
    ru: "заказ принят для кассы с другими системами налогообложения",
  },
  noTaxRows: (rates: Given) => ({
    en: `the register has no tax rows for the rates of the order: ${rates}`,
    ru: `в кассе нет строк налогов для ставок заказа: ${rates}`,
  }),
  rateFlaw: (name: Given, title: Given, flaw: FaultText) => ({
    en: `"${name}" at ${title}: ${flaw.en}`,
    ru: `«${name}» по ставке ${title}: ${flaw.ru}`,
  }),
  defaultTax: (tax: Given, title: Given, flaw: FaultText) => ({
    en: `defaultTax ${tax} is ${title}: ${flaw.en}`,
    ru: `defaultTax ${tax} — это ${title}: ${flaw.ru}`,
  }),
  paidOn: (day: Given, hours: Given) => ({
    en: `paid on ${day}, ${hours} hours before it came to the register`,
    ru: `оплачен ${day}, часов до передачи на кассу: ${hours}`,
  }),
  aboveLargest: (total: Given, largest: Given) => ({
    en: `${total} is above ${largest}`,
    ru: `${total} больше, чем ${largest}`,
  }),
  notLawful: { en: "it is no rate of the law", ru: "такой ставки нет в законе" },
  pictureAddress: (source: Given) => ({
    en: `${source}: only pictures on this machine are printed, no addresses`,
    ru: `${source}: печатаются только картинки с этого компьютера`,
  }),
  pictureBytes: (source: Given, size: Given, max: Given) => ({
    en: `${source}: ${size} bytes are more than ${max}`,
    ru: `${source}: размер ${size} байт, а можно не больше ${max}`,
  }),
  pictureOutside: (source: Given) => ({
    en: `${source}: it is outside the pictures folder`,
    ru: `${source}: вне папки картинок`,
  }),
  pictureMegapixels: (max: Given) => ({
    en: `it has more than ${max} megapixels`,
    ru: `в картинке больше ${max} мегапикселей`,
  }),
  pictureFormat: { en: "it is neither a PNG nor a JPEG file", ru: "картинка не в формате PNG или JPEG" },
  sentAgain: {
    en: "the site sent the order again with other content",
    ru: "сайт передал заказ ещё раз с другим содержимым",
  },
  otherDocument: (fd: Given, fn: Given, expected: Given) => ({
    en: `answered with document ${fd} of drive ${fn}, expected ${expected}`,
    ru: `в ответе документ ${fd} накопителя ${fn}, а ожидался ${expected}`,
  }),
  stopped: { en: "stopped before the answer could be stored", ru: "работа остановлена до того, как ответ записан" },
  registeredOther: (tag: Given, sent: Given, read: Given, fd: Given) => ({
    en: `tag ${tag}: the register was sent ${sent} and registered ${read} (document ${fd})`,
    ru: `тег ${tag}: кассе передано ${sent}, она зарегистрировала ${read} (документ ${fd})`,
  }),
  notRegistered: (tag: Given, sent: Given, fd: Given) => ({
    en: `tag ${tag}: the register was sent ${sent} and did not register it (document ${fd})`,
    ru: `тег ${tag}: кассе передано ${sent}, она этого не зарегистрировала (документ ${fd})`,
  }),
  tagRefused: (tag: Given) => ({
    en: `tag ${tag}: the register refused a receipt with it`,
    ru: `тег ${tag}: касса отвергла чек с ним`,
  }),
  settingWrong: (place: FaultText, value: Given, right: Given) => ({
    en: `${place.en} is ${value}: with value ${right} the receipt is printed as it was sent`,
    ru: `${place.ru} сейчас ${value}: при значении ${right} чек печатается таким, как передан`,
  }),
} satisfies Texts;
