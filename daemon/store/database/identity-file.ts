/**
 * What a deleted database must not take with it, in a small file beside it: the daemon's id, by which sites know who holds
 * their receipts, and every issuer that a site ever had, by which old receipts are recognised.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";

const identitySchema = z.object({
  daemon: z.string().nullable(),
  /** By site id: 8 hex each. */
  issuers: z.record(z.string(), z.array(z.string())),
});

export type Identity = z.output<typeof identitySchema>;

const UNKNOWN: Identity = { daemon: null, issuers: {} };

export interface IdentityFile {
  /** What cannot be read is unknown: the file only ever adds caution. */
  read(): Identity;
  /** A full disk must not keep the daemon from its work: then the file stays as it was. */
  update(change: Partial<Identity>): void;
}

export function identityFileOf(database: string): IdentityFile {
  const path = `${database}.identity`;
  function read(): Identity {
    try {
      return identitySchema.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch {
      return UNKNOWN;
    }
  }
  return {
    read,
    update(change) {
      try {
        const next = JSON.stringify({ ...read(), ...change });
        writeFileSync(`${path}.part`, `${next}\n`, { mode: 0o600 });
        renameSync(`${path}.part`, path);
      } catch {
        // Said above.
      }
    },
  };
}
