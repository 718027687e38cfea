import type { FaultText } from "../fault-codes/fault-row.js";
import type { Given, Texts } from "../texts.js";

export const callTexts = {
  noJson: (place: Given) => ({ en: `${place} answered with something that is no JSON`, ru: `${place}: ответ не JSON` }),
  resultCode: (place: Given, code: Given) => ({
    en: `${place} answered resultCode ${code}`,
    ru: `${place}: ответ resultCode ${code}`,
  }),
  pointsNowhere: (place: Given, status: Given) => ({
    en: `${place} answered ${status} and points to an unreadable address`,
    ru: `${place}: ответ ${status} с адресом, который не читается`,
  }),
  pointsToPlain: (place: Given, status: Given, target: Given) => ({
    en: `${place} answered ${status} and points to ${target}, which is not encrypted: correct the redirect on the site`,
    ru: `${place}: ответ ${status} с переходом на ${target}, а там нет шифрования: исправьте переход на сайте`,
  }),
  redirects: (place: Given, status: Given, target: Given) => ({
    en: `${place} answered ${status} and points to ${target}, redirects are not followed: write that address into \`sites[].urls\``,
    ru: `${place}: ответ ${status} с переходом на ${target}; переходы не выполняются: запишите этот адрес в \`sites[].urls\``,
  }),
  noPage: (place: Given, status: Given) => ({
    en: `${place} answered ${status}: there is no such page, compare the address in \`sites[].urls\``,
    ru: `${place}: ответ ${status}: такой страницы нет, сверьте адрес в \`sites[].urls\``,
  }),
  answered: (place: Given, status: Given) => ({ en: `${place} answered ${status}`, ru: `${place}: ответ ${status}` }),
  at: (place: Given, what: FaultText) => ({ en: `${place}: ${what.en}`, ru: `${place}: ${what.ru}` }),
  saying: (what: FaultText, words: Given) => ({ en: `${what.en}: ${words}`, ru: `${what.ru}: ${words}` }),
  answerLost: (reason: FaultText) => ({
    en: `sent, but no whole answer: ${reason.en}`,
    ru: `отправлено, но ответ не пришёл целиком: ${reason.ru}`,
  }),
  noAnswer: (seconds: Given) => ({ en: `no answer in ${seconds} s`, ru: `ответа нет ${seconds} с` }),
  notConnected: (seconds: Given) => ({
    en: `no connection in ${seconds} s`,
    ru: `соединиться не удалось за ${seconds} с`,
  }),
  givenUp: { en: "given up", ru: "прервано" },
  noConnection: { en: "no connection", ru: "нет соединения" },
} satisfies Texts;

const noWay = "до адреса нет пути";
const noName = "имя не найдено";
const unknownIssuer = "центр сертификата не известен";

/** What the system's error codes mean; the system's own English text follows as the technical detail. */
const byCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: "там никто не отвечает",
  ETIMEDOUT: "соединиться не удалось за отведённое время",
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  ECONNRESET: "соединение оборвано",
  ENOTFOUND: noName,
  EAI_AGAIN: noName,
  CERT_HAS_EXPIRED: "сертификат просрочен",
  DEPTH_ZERO_SELF_SIGNED_CERT: "сертификат подписан самим сайтом",
  SELF_SIGNED_CERT_IN_CHAIN: "сертификат выдан центром, которому этот компьютер не доверяет",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "сайт не прислал промежуточный сертификат, или центр сертификата не известен",
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  ERR_TLS_CERT_ALTNAME_INVALID: "сертификат выдан другому имени",
  ERR_SSL_WRONG_VERSION_NUMBER: "по этому адресу нет шифрования: нужен http:// или другой порт",
};

export function networkReason(code: string, detail: string): string {
  const known = byCode[code] ?? (code.startsWith("HPE_") ? "ответ не по протоколу HTTP" : null);
  if (known === null) return detail || callTexts.noConnection.ru;
  return `${known} (${detail || code})`;
}
