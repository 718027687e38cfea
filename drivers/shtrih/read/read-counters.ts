/** Facts about a register that no receipt depends on: the drawer, the OFD queue, what is left of the drive. */
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { DrawerTotals, UnsentDocuments } from "../../fiscal-driver.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";

/** Numbers of the money registers for 1Ah (Shtrih-M protocol, 6.5). */
const drawerRegisters = { cash: 241, cashIn: 242, cashOut: 243 } as const;

export interface OptionalCounters {
  readonly drawer: DrawerTotals | null;
  readonly unsent: UnsentDocuments | null;
  readonly driveExpiry: LocalTime | null;
  readonly documentsLeft: number | null;
}

export async function readCounters(talk: Conversation, signal: AbortSignal): Promise<OptionalCounters> {
  const driveExpiry = await talk.askOptional(commands.fnExpiry, talk.admin, signal);
  const ofd = await talk.askOptional(commands.ofdStatus, talk.admin, signal);
  const drawer = await readDrawer(talk, signal);
  const memory = await talk.askOptional(commands.freeMemory, talk.admin, signal);
  const unsent = ofd === null ? null : { count: ofd.count, firstAt: ofd.firstAt };
  return { drawer, unsent, driveExpiry, documentsLeft: memory?.documentsLeft ?? null };
}

export async function readDrawer(talk: Conversation, signal: AbortSignal): Promise<DrawerTotals | null> {
  const register = (number: number) =>
    talk.askOptional(commands.moneyRegister, { ...talk.operator, register: number }, signal);
  const cash = await register(drawerRegisters.cash);
  const cashIn = await register(drawerRegisters.cashIn);
  const cashOut = await register(drawerRegisters.cashOut);
  return cash === null || cashIn === null || cashOut === null ? null : { cash, cashIn, cashOut };
}
