import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const KEY_LENGTH = 32;

/** Cost N of scrypt; one hash takes about 50 ms. */
export const DEFAULT_PASSWORD_COST = 16_384;

/** Returns `scrypt$N$salt$key`, with salt and key in base64url. */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(password, salt, cost);
  return `scrypt$${cost}$${salt.toString("base64url")}$${key.toString("base64url")}`;
}

/** A hash of no password. Comparing with it makes an unknown courier cost as much time as a wrong password. */
export function decoyHash(cost: number): string {
  return `scrypt$${cost}$${"A".repeat(22)}$${"A".repeat(43)}`;
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [kind, cost, salt, key] = hash.split("$");
  if (kind !== "scrypt" || salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, "base64url");
  const actual = await deriveKey(password, Buffer.from(salt, "base64url"), Number(cost));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function deriveKey(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_LENGTH, { N: cost }, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
