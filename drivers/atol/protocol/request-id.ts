import { createHash } from "node:crypto";

/** Namespace of the uuids that this product gives to the print service's jobs. */
const NAMESPACE = Buffer.from("6f1c2f0e5d0b4a5e9a7d0c41c2b3f7aa", "hex");

/** UUID version 5 (RFC 9562): the same name always has the same one. */
export function uuidOf(name: string): string {
  const hash = createHash("sha1").update(NAMESPACE).update(name, "utf8").digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
