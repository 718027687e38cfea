/**
 * What a lost database leaves unknown of a register, and no document on it tells: kept until a person has compared the
 * register with the site and accepts it as it is.
 */
import { type FnSerial, type RegisterId, toFnSerial } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { MetaStore } from "./database/meta-store.js";

export interface Loss {
  /** The drive that was on record and is gone: receipts that were forgotten may be on it. */
  readonly drive: FnSerial | null;
  /** Cash may have been put in or taken out: no document tells of it. */
  readonly drawer: boolean;
}

export interface LossStore {
  /** Null: nothing is unknown. */
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
