import { reasons } from "../rows.js";

export const orderReasons = reasons({
  noKkmOfSite: [
    "no register with kkm {kkm} is configured for this site",
    "кассы с номером {kkm} у этого сайта в настройках нет",
  ],
  noKkm: ["no register with kkm {kkm} is configured", "кассы с номером {kkm} в настройках нет"],
  noRegister: ["no register {id} is configured", "кассы {id} в настройках нет"],
  unseenKkm: [
    "kkm {kkm} is not known: it may be the one of {register}, which was never connected so far",
    "касса с номером {kkm} неизвестна: возможно, это {register}, которая ещё не подключалась",
  ],
  kkmOfOther: [
    "found kkm {kkm}, which is the one of {holder}",
    "найдена касса с номером {kkm}, а это номер кассы {holder}",
  ],
  noDrive: ["no connected register has drive {fn}", "среди подключённых касс нет кассы с накопителем {fn}"],
  notConnected: ["{register} was not connected so far", "{register} ещё не подключалась"],
  unknown: ["It is not known whether the receipt came out.", "Неизвестно, вышел ли чек."],
  unknownService: ["It is not known whether this was done.", "Неизвестно, выполнено ли это."],
  triedOut: [
    "It is not tried again by itself: a person at the till repeats it, or the order comes with other content, at most ten times.",
    "Сам по себе он больше не печатается: его повторит человек у кассы, или пришлите заказ (до десяти раз) с другим содержимым.",
  ],
  printing: ["{register} is printing", "{register} печатает"],
  shiftClosed: ["shift {shift} is closed", "смена {shift} закрыта"],
  cashierMissing: [
    "set `cashier` of {place}: its documents all name one",
    "задайте `cashier` кассы {place}: в её документах всегда есть кассир",
  ],
  taxSystemMissing: [
    "set `taxSystem` of {place}: it is registered for several",
    "задайте `taxSystem` кассы {place}: у неё несколько систем",
  ],
  otherTaxSystems: [
    "the order was accepted for a register with other tax systems",
    "заказ принят для кассы с другими системами налогообложения",
  ],
  noTaxRows: [
    "the register has no tax rows for the rates of the order: {rates}",
    "в кассе нет строк налогов для ставок заказа: {rates}",
  ],
  rateFlaw: ['"{name}" at {title}: {flaw}', "«{name}» по ставке {title}: {flaw}"],
  defaultTax: ["defaultTax {tax} is {title}: {flaw}", "defaultTax {tax} — это {title}: {flaw}"],
  paidOn: [
    "paid on {day}, {hours} hours before it came to the register",
    "оплачен {day}, часов до передачи на кассу: {hours}",
  ],
  rateOfDocument: [
    '"{name}" has the rate that the register put into the document of its sale: {rate}',
    "у позиции «{name}» ставка, которую касса записала в чек её продажи: {rate}",
  ],
  withoutSite: ["without a site: job {job} on {register}", "чек без сайта: задание {job}, касса {register}"],
  aboveLargest: ["{total} is above {largest}", "{total} больше, чем {largest}"],
  notLawful: ["it is no rate of the law", "такой ставки нет в законе"],
  pictureAddress: [
    "{source}: only pictures on this machine are printed, no addresses",
    "{source}: печатаются только картинки с этого компьютера",
  ],
  pictureBytes: ["{source}: {size} bytes are more than {max}", "{source}: размер {size} байт, а можно не больше {max}"],
  pictureOutside: ["{source}: it is outside the pictures folder", "{source}: вне папки картинок"],
  pictureMegapixels: ["it has more than {max} megapixels", "в картинке больше {max} мегапикселей"],
  pictureFormat: ["it is neither a PNG nor a JPEG file", "картинка не в формате PNG или JPEG"],
  sentAgain: ["the site sent the order again with other content", "сайт передал заказ ещё раз с другим содержимым"],
  otherDocument: [
    "answered with document {fd} of drive {fn}, expected {expected}",
    "в ответе документ {fd} накопителя {fn}, а ожидался {expected}",
  ],
  stopped: ["stopped before the answer could be stored", "работа остановлена до того, как ответ записан"],
  registeredOther: [
    "tag {tag}: the register was sent {sent} and registered {read} (document {fd})",
    "тег {tag}: кассе передано {sent}, она зарегистрировала {read} (документ {fd})",
  ],
  notRegistered: [
    "tag {tag}: the register was sent {sent} and did not register it (document {fd})",
    "тег {tag}: кассе передано {sent}, она этого не зарегистрировала (документ {fd})",
  ],
  tagRefused: ["tag {tag}: the register refused a receipt with it", "тег {tag}: касса отвергла чек с ним"],
  settingWrong: [
    "{place} is {value}: with value {right} the receipt is printed as it was sent",
    "{place} сейчас {value}: при значении {right} чек печатается таким, как передан",
  ],
});
