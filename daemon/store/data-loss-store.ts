/**
 * What is unknown about a register after a data loss and cannot be read from its documents. It stays on record until a
 * person has compared the register with the site and accepts the register.
 */
import { type FnSerial, type RegisterId, toFnSerial } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { MetaStore } from "./database/meta-store.js";

export interface Loss {
  /** The fiscal drive that was on record and is no longer connected: lost receipts may be on it. */
  readonly drive: FnSerial | null;
  /** Cash may have been put into the drawer or taken out: no document shows it. */
  readonly drawer: boolean;
}

export interface LossStore {
  /** Null if nothing is unknown. */
  find(register: RegisterId): Loss | null;
  keep(register: RegisterId, loss: Loss): void;
  settle(register: RegisterId): void;
}

const lossSchema = z.object({ drive: z.string().transform(toFnSerial).nullable(), drawer: z.boolean() });

export function createLossStore(meta: MetaStore): LossStore {
  const keyOf = (register: RegisterId) => `unknown-since-loss:${register}`;
  return {
    find(register) {
      const text = meta.get(keyOf(register));
      return text === null ? null : lossSchema.parse(JSON.parse(text));
    },
    keep: (register, loss) => meta.set(keyOf(register), JSON.stringify(loss)),
    settle: (register) => meta.remove(keyOf(register)),
  };
}
