/** The titles of the checks in their order, and texts that say why a check is left out. */
import type { BothLanguages } from "./findings.js";

export const checkTitles = {
  address: { en: "the site answers an order poll", ru: "сайт отвечает на опрос заказов" },
  sync: { en: "it hears the list of registers", ru: "сайт принимает список касс" },
  activity: { en: "it hears that a register went and came", ru: "сайт принимает отключение и подключение кассы" },
  "z-report": { en: "it hears that a shift was closed", ru: "сайт принимает закрытие смены" },
  secrets: { en: "it refuses a wrong secret", ru: "сайт не принимает неверный секрет" },
  "unknown-action": { en: "it refuses an action that it does not know", ru: "сайт отвергает незнакомый action" },
  "broken-body": { en: "it survives a body that cannot be read", ru: "нечитаемое тело не ломает сайт" },
  order: { en: "its order can be printed", ru: "заказ можно напечатать" },
  repeat: { en: "it offers the order again until its result comes", ru: "заказ отдаётся снова, пока нет результата" },
  "foreign-register": { en: "another register does not get the order", ru: "другая касса этот заказ не получает" },
  "unknown-order": { en: "it hears a result of an unknown order", ru: "сайт принимает результат неизвестного заказа" },
  "unknown-result": { en: "it waits while a result is unknown", ru: "сайт ждёт, пока результат неизвестен" },
  result: { en: "it hears the result", ru: "сайт принимает результат" },
  "repeated-result": { en: "it hears the result a second time", ru: "сайт принимает результат второй раз" },
  "late-result": { en: "it hears a late result", ru: "сайт принимает запоздавший результат" },
  finished: { en: "the order is finished after its result", ru: "после результата заказ закончен" },
} as const satisfies Record<string, BothLanguages>;

export type CheckName = keyof typeof checkTitles;

export const skips = {
  noAnswer: { en: "the site does not answer its order poll", ru: "сайт не отвечает на опрос заказов" },
  givenUp: { en: "the check was broken off", ru: "проверка прервана" },
  noAddress: { en: "the site has no address for this call", ru: "у сайта нет адреса для этого вызова" },
  realRegister: {
    en: "a real register's rows are not known (--taxes)",
    ru: "строки настоящей кассы неизвестны (--taxes)",
  },
  noExtras: { en: "the site gets no `outcome` (resultExtras)", ru: "сайт не получает `outcome` (resultExtras)" },
  noOrder: { en: "no order waits: make a test order in the shop", ru: "заказов нет: сделайте в магазине пробный" },
  noNumber: { en: "the order has no number that a result could name", ru: "у заказа нет номера для результата" },
  severalAddresses: { en: "each call has an address of its own", ru: "у каждого вызова свой адрес" },
  noTestOrder: { en: "only --test-order is reported as printed", ru: "напечатанным считается только --test-order" },
  testOrderLacking: {
    en: "the test order did not come, or cannot be read",
    ru: "пробный заказ не отдан или не читается",
  },
  manyOrders: { en: "too many orders wait: leave one test order", ru: "заказов слишком много: оставьте один пробный" },
} as const satisfies Record<string, BothLanguages>;
