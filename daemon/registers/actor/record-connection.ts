import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import type { Fault } from "@fiscald/shared/fault.js";
import { commitWithRetry } from "../commit-with-retry.js";
import type { RegisterContext } from "../register-context.js";

/**
 * Records that the register answers (null) or why it does not, together with the event for its sites. `identity`: as it
 * introduced itself, which comes before anything is on record of it.
 */
export async function recordConnection(
  context: RegisterContext,
  goneBy: Fault | null,
  identity: Identity | null,
): Promise<void> {
  const { stores, settings, facts, clock, log } = context;
  const connected = goneBy === null;
  await commitWithRetry(context, () =>
    stores.jobs.transaction(() => {
      const at = clock.now();
      stores.registers.saveConnected(settings.id, connected, at);
      if (connected) facts.connected(settings.id, identity);
      else facts.disconnected(settings.id, identity);
      const details = connected ? {} : { code: goneBy.code, reason: goneBy.message };
      const what = connected ? "connected" : "disconnected";
      stores.journal.add({ at, actor: "daemon", what, register: settings.id, details });
    }),
  );
  if (!connected) log.warn("disconnected", { fault: goneBy });
}
