/** Facts about a register that no receipt depends on: the drawer, the OFD queue, what is left of the drive. */
import type { Clock } from "@fiscald/shared/clock.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { DrawerTotals, UnsentDocuments } from "../../fiscal-driver.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";

/** Numbers of the money registers for 1Ah (Shtrih-M protocol, 6.5). */
const drawerRegisters = { cash: 241, cashIn: 242, cashOut: 243 } as const;
/** How long the counters are kept: reading them takes six commands, too many before every receipt of a busy till. */
const KEEP_MS = 60_000;

export interface OptionalCounters {
  readonly drawer: DrawerTotals | null;
  readonly unsent: UnsentDocuments | null;
  readonly driveExpiry: LocalTime | null;
  readonly documentsLeft: number | null;
}

/** Reads the counters and keeps them for a while. Belongs to one connection and ends with it. */
export class CounterReader {
  private kept: { readonly at: number; readonly shift: string; readonly counters: OptionalCounters } | null = null;

  constructor(
    private readonly talk: Conversation,
    private readonly clock: Pick<Clock, "monotonic">,
  ) {}

  /** `mayBeKept`: values up to a minute old, of this shift, are good enough. */
  async read(
    { mayBeKept, shift }: { readonly mayBeKept: boolean; readonly shift: string },
    signal: AbortSignal,
  ): Promise<OptionalCounters> {
    const at = this.clock.monotonic();
    const { talk, kept } = this;
    if (mayBeKept && kept !== null && kept.shift === shift && at - kept.at < KEEP_MS) return kept.counters;
    const driveExpiry = await talk.askOptional(commands.fnExpiry, talk.admin, signal);
    const ofd = await talk.askOptional(commands.ofdStatus, talk.admin, signal);
    const drawer = await readDrawer(talk, signal);
    const memory = await talk.askOptional(commands.freeMemory, talk.admin, signal);
    const unsent = ofd === null ? null : { count: ofd.count, firstAt: ofd.firstAt };
    const counters = { drawer, unsent, driveExpiry, documentsLeft: memory?.documentsLeft ?? null };
    this.kept = { at, shift, counters };
    return counters;
  }
}

export async function readDrawer(talk: Conversation, signal: AbortSignal): Promise<DrawerTotals | null> {
  const register = (number: number) =>
    talk.askOptional(commands.moneyRegister, { ...talk.operator, register: number }, signal);
  const cash = await register(drawerRegisters.cash);
  const cashIn = await register(drawerRegisters.cashIn);
  const cashOut = await register(drawerRegisters.cashOut);
  return cash === null || cashIn === null || cashOut === null ? null : { cash, cashIn, cashOut };
}
