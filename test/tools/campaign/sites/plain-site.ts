import type { TaskTableAnswer } from "@fiscald/shared/exchange/task-table.js";
import type { Seeded } from "../../../support/seeded.js";
import { Telling } from "../judging/telling.js";
import { isReadable, type Spelling, spell } from "../plan/orders.js";
import type { Story } from "../plan/story.js";
import { type CampaignSite, startCampaignSite } from "./campaign-site.js";

export interface Offer {
  /** Unique in its case. */
  readonly key: string;
  readonly orderId: string;
  /** Null: a service job. */
  readonly operation: "sale" | "return" | null;
  readonly answer: TaskTableAnswer;
  /** Default: UTF-8. */
  readonly spelling?: Spelling | undefined;
}

export interface OfferingSite extends CampaignSite {
  /** Replaces an earlier offer of the same key. */
  offer(offer: Offer): Promise<void>;
  begin(story: Story, newId: () => string): Telling;
  /** Withdraws answered orders that were offered again only to be recognised. */
  withdrawAnswered(): void;
}

/** Longest time in real ms that an empty answer is held. */
const HOLD_MS = 400;

const FOUND_AT_ONCE = 0.7;

/** A site without the kit: answers each poll with any open order, again and again, until the order's result comes. */
export async function startPlainSite(random: Seeded): Promise<OfferingSite> {
  const open = new Map<string, Offer>();
  const tellings: Telling[] = [];
  const held = new Set<() => void>();
  const openTellings = () => tellings.filter((telling) => telling.open !== null);
  /** A site that looks for orders at intervals while it holds a poll does not find each order at once. */
  const answerHeld = () => {
    for (const answer of [...held]) if (random.chance(FOUND_AT_ONCE)) answer();
  };
  const site = await startCampaignSite(
    (_request, response, body) => {
      if (body["action"] !== "order") return void response.end();
      const answer = () => {
        clearTimeout(timer);
        held.delete(answer);
        const offer = random.pickOf([...open.values(), ...openTellings()]);
        if (offer === undefined) return void response.end();
        const { bytes, contentType } =
          offer instanceof Telling ? spell(offer.answer(), "utf-8") : spell(offer.answer, offer.spelling ?? "utf-8");
        response.setHeader("content-type", contentType);
        response.end(bytes);
      };
      const timer = setTimeout(answer, HOLD_MS);
      held.add(answer);
      response.once("close", () => {
        clearTimeout(timer);
        held.delete(answer);
      });
      if (open.size + openTellings().length > 0) answer();
    },
    (result, messageId) => {
      const { orderId, operation, outcome } = result;
      const goesOn = tellings.filter((telling) => telling.hear(result, messageId));
      if (goesOn.length > 0) answerHeld();
      if (outcome === "unknown") return;
      for (const [key, offer] of open) {
        const isOther = operation !== undefined && offer.operation !== null && wireNames[offer.operation] !== operation;
        if (offer.orderId === orderId && !isOther) open.delete(key);
      }
    },
    () => {
      for (const [key, { orderId, spelling = "utf-8" }] of open) {
        if (!isReadable(spelling) && site.isUnreadable(orderId)) open.delete(key);
      }
    },
  );
  return Object.assign(site, {
    async offer(offer: Offer) {
      open.set(offer.key, offer);
      answerHeld();
    },
    begin(story: Story, newId: () => string) {
      const telling = new Telling(story, newId);
      tellings.push(telling);
      answerHeld();
      return telling;
    },
    withdrawAnswered() {
      for (const [key, { orderId, operation }] of open) {
        const results = operation === null ? site.resultsOfJob(orderId) : site.resultsOf({ orderId, operation });
        if (results.length > 0) open.delete(key);
      }
    },
  });
}

const wireNames = { sale: "sell", return: "sell_refund" } as const;
