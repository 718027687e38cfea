import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const KEY_LENGTH = 32;
const COST = 16_384;

/** `scrypt$salt$key`, both base64url. About 50 ms. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString("base64url")}$${(await deriveKey(password, salt)).toString("base64url")}`;
}

/** False also for a hash that is none. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [kind, salt, key] = hash.split("$");
  if (kind !== "scrypt" || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, "base64url");
  const actual = await deriveKey(password, Buffer.from(salt, "base64url"));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function deriveKey(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_LENGTH, { N: COST }, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
