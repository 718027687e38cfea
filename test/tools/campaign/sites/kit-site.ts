import { createPrintServerRouter, openReceiptStore } from "@fiscald/handlers";
import type { TaskTableAnswer } from "@fiscald/shared/exchange/task-table.js";
import { isFault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Enqueued } from "../judging/answer.js";
import { Telling } from "../judging/telling.js";
import type { Request, Story } from "../plan/story.js";
import { hurriedClock } from "../processes/hurried-clock.js";
import { messageIdOf, startCampaignSite } from "./campaign-site.js";
import type { OfferingSite } from "./plain-site.js";

/** The pace of the daemon's own clock. */
const HURRY = 20;

/** A site made with the handler kit: two daemons may poll it, and each receipt goes to only one of them. */
export async function startKitSite(database: string): Promise<OfferingSite> {
  const store = await openReceiptStore({ database, clock: hurriedClock(HURRY), logger: silentLogger });
  const router = createPrintServerRouter({ store, logger: silentLogger, maxWaitSeconds: 1 });
  const tellings: Telling[] = [];
  // The router serves the site's one address, whatever the path.
  const site = await startCampaignSite((request, response, body) => {
    if (body["action"] === "orderConfirm") {
      // The shop makes its next request after the kit has stored the result.
      response.once("close", () => {
        for (const telling of tellings) if (telling.hear(body, messageIdOf(request))) ask(telling);
      });
    }
    router(Object.assign(request, { body, url: "/" }), response);
  });

  /** Makes requests until one has to wait for a print result. A fault of the kit stops the story. */
  function ask(telling: Telling): void {
    if (telling.open === null) return;
    void enqueueOf(telling.open).then((enqueued) => {
      if (telling.hearAtOnce(enqueued)) ask(telling);
    });
  }

  async function enqueueOf({ order, kit = {} }: Request): Promise<Enqueued> {
    try {
      return await store.enqueue(order.answer, kit);
    } catch (error) {
      return { refusedAs: isFault(error) ? error.code : String(error) };
    }
  }

  const { close } = site;
  return Object.assign(site, {
    async offer({ answer }: { readonly answer: TaskTableAnswer }) {
      try {
        await store.enqueue(answer);
      } catch (error) {
        // The order was offered again after its sale was printed: the kit reports that, and nothing is to be done.
        if (!isFault(error) || error.code !== "job.already-printed") throw error;
      }
    },
    begin(story: Story, newId: () => string) {
      const telling = new Telling(story, newId);
      tellings.push(telling);
      ask(telling);
      return telling;
    },
    withdrawAnswered() {},
    async close() {
      await close();
      await store.close();
    },
  });
}
