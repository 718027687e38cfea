import { createPrintServerRouter, openReceiptStore } from "@fiscald/handlers";
import type { TaskTableAnswer } from "@fiscald/shared/exchange/task-table.js";
import { isFault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { startCampaignSite } from "./campaign-site.js";
import { hurriedClock } from "./hurried-clock.js";
import type { OfferingSite } from "./plain-site.js";

/** As fast as the daemon's own clock. */
const HURRY = 20;

/** A site made with our handler kit: two daemons may poll it, and each receipt goes to one of them alone. */
export async function startKitSite(database: string): Promise<OfferingSite> {
  const store = await openReceiptStore({ database, clock: hurriedClock(HURRY), logger: silentLogger });
  const router = createPrintServerRouter({ store, logger: silentLogger, maxWaitSeconds: 1 });
  // The router sits at the site's one address, whatever it is called.
  const site = await startCampaignSite((request, response, body) =>
    router(Object.assign(request, { body, url: "/" }), response),
  );
  const { close } = site;
  return Object.assign(site, {
    async offer({ answer }: { readonly answer: TaskTableAnswer }) {
      try {
        await store.enqueue(answer);
      } catch (error) {
        // Offered once more when its sale is printed: the kit says so, and nothing is to be done.
        if (!isFault(error) || error.code !== "job.already-printed") throw error;
      }
    },
    withdrawAnswered() {},
    async close() {
      await close();
      await store.close();
    },
  });
}
