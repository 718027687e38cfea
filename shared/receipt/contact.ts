/** Tag 1008: one e-mail or one phone. */
const MAX_CONTACT = 64;
const email = /^[^\s@,;]+@[^\s@,;]+$/;

/**
 * An e-mail as it is (up to 64 characters), a phone as + and digits: `8 (912) 345-67-89` is `+79123456789`.
 * Null when it is neither.
 */
export function parseContact(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_CONTACT || /\p{Cc}/u.test(trimmed)) return null;
  return trimmed.includes("@") ? (email.test(trimmed) ? trimmed : null) : parsePhone(trimmed);
}

function parsePhone(text: string): string | null {
  const bare = text.replace(/[\s().-]/g, "");
  if (/^[78]\d{10}$/.test(bare)) return `+7${bare.slice(1)}`;
  return /^\+\d{5,15}$/.test(bare) ? bare : null;
}
