/** A refusal that speaks against a tag whose way no reference of the maker confirms. */
import type { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { ConnectedRegister } from "../connected-register.js";
import { checkedRegisterOf } from "../connected-register.js";
import { alteredFault, NO_DOCUMENT } from "../describe-difference.js";
import type { RegisterContext } from "../register-context.js";

/** What a register answers to a receipt that it does not take. */
const refusals: readonly FaultCode[] = ["device.bad-value", "device.not-supported", "device.unknown-error"];

export interface RefusedAt {
  readonly context: Pick<RegisterContext, "stores" | "settings" | "clock" | "log">;
  readonly connected: ConnectedRegister;
}

/**
 * The fault of a job that was not registered. Where its receipt has an unconfirmed tag that no document has proven, the
 * register is taken not to know the tag: receipts with it wait until a person decides. After that a refusal is one again.
 * Call it inside a transaction.
 */
export function refusalOf({ context, connected }: RefusedAt, job: number, fault: Fault): Fault {
  const { stores, clock, log } = context;
  if (!refusals.includes(fault.code)) return fault;
  const register = checkedRegisterOf({ context, connected });
  const sent = stores.checks.sentBy(job);
  const proven = stores.checks.agreedTags(register.model);
  const tag = connected.capabilities.unconfirmedTags?.find((one) => !proven.has(one) && sent?.head[one] !== undefined);
  if (tag === undefined) return fault;
  const difference = { tag, sent: String(sent?.head[tag]), read: null, weight: "hold" } as const;
  const place = { job, fn: register.fn, fd: NO_DOCUMENT };
  if (!stores.checks.addDifference(register, difference, place, clock.now())) return fault;
  log.error("the register refused a receipt with an unconfirmed tag: receipts with it wait", { job, tag, fault });
  return alteredFault(difference, NO_DOCUMENT);
}
