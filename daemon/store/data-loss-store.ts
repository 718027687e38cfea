/**
 * After a data loss: the shift in which cash may have been moved unseen. It counts until that shift is over, or until a
 * person accepts the register.
 */
import { type FnSerial, type RegisterId, toFnSerial } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { MetaStore } from "./database/meta-store.js";

export interface DrawerLoss {
  readonly fn: FnSerial;
  /** Number of the shift that was open then, or of the next one. */
  readonly shift: number;
}

export interface LossStore {
  /** Null: all that was done with the drawer is on record. */
  find(register: RegisterId): DrawerLoss | null;
  keep(register: RegisterId, loss: DrawerLoss): void;
  settle(register: RegisterId): void;
}

const lossSchema = z.object({ fn: z.string().transform(toFnSerial), shift: z.int() });

export function createLossStore(meta: MetaStore): LossStore {
  const keyOf = (register: RegisterId) => `drawer-unknown:${register}`;
  return {
    find(register) {
      const text = meta.get(keyOf(register));
      return text === null ? null : lossSchema.parse(JSON.parse(text));
    },
    keep: (register, loss) => meta.set(keyOf(register), JSON.stringify(loss)),
    settle: (register) => meta.remove(keyOf(register)),
  };
}
