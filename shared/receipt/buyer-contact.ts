/** Reads the buyer's contact (tag 1008), and phones of suppliers (tag 1171) in the same spellings. */

/** Invisible characters that copied phones and e-mails have around them, such as direction marks. */
const format = /\p{Cf}/gu;

export function hasUnseenInContact(text: string): boolean {
  return text.search(/\p{Cf}/u) !== -1;
}

const MAX_CONTACT = 64;
const email = /^[^\s@,;]+@[^\s@,;]+$/;
/** Texts that forms leave where the buyer entered nothing. */
const noContact = /^(?:[-\u2010-\u2015]|0|none|no|нет)?$/i;

export function isNoContact(text: string): boolean {
  return noContact.test(text.replace(format, "").trim());
}

/**
 * A contact (tag 1008) is one e-mail or one phone: an e-mail stays as it is (up to 64 characters, without `mailto:`), a
 * phone becomes + and digits. `8 (912) 345-67-89` and `9123456789` are `+79123456789`. Null when it is neither.
 */
export function parseContact(text: string): string | null {
  const trimmed = text
    .replace(format, "")
    .trim()
    .replace(/^mailto:\s*/i, "");
  if (trimmed.length > MAX_CONTACT || /\p{Cc}/u.test(trimmed)) return null;
  return trimmed.includes("@") ? (email.test(trimmed) ? trimmed : null) : parsePhone(trimmed);
}

/** Reads phones between commas, each as + and digits; null when one of them is no phone. */
export function parsePhones(text: string): readonly string[] | null {
  const phones = text.split(",").map(parsePhone);
  return phones.every((phone) => phone !== null) ? phones : null;
}

/** Receipt services document that +7 may be left out. */
function parsePhone(text: string): string | null {
  const bare = text.replace(format, "").replace(/[\s().\u2010-\u2015-]/g, "");
  if (/^[78]\d{10}$/.test(bare)) return `+7${bare.slice(1)}`;
  if (/^9\d{9}$/.test(bare)) return `+7${bare}`;
  return /^\+\d{5,15}$/.test(bare) ? bare : null;
}
