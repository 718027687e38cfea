/**
 * The safety nets that the campaign switches off, one at a time, to show that it would notice. Without one:
 *
 *   journal     the baseline is not stored before the first byte
 *   fence       after an unknown outcome nothing is cancelled and nothing is awaited
 *   gapCheck    documents that another program made meanwhile are compared with no order
 *   comparison  no document is compared with the sent tags
 *   repeats     an order that comes again is another order
 *   content     an order that comes again is always the newest one of its number
 *   told        nobody was told of a result: an equal refund repeats the printed one
 *   returned-whole  after a whole return an equal sale repeats the printed one
 *   sold        returns are not compared with the sold sum
 *   receipt-id  a known receiptId is that receipt, whatever content comes with it
 *   unseen      order numbers are compared with their invisible characters
 *   run         the files beside the database do not name its run: an earlier number is a lost database (case-world.ts)
 *   issuer      the order marks of all sites have one issuer (case-world.ts writes it into the configs)
 *   close-once  the link repeats every unanswered request
 */
import type { CampaignHooks } from "@fiscald/daemon/app-options.js";
import type { ByteTransport } from "@fiscald/shared/byte-transport.js";
import type { Clock, Timer } from "@fiscald/shared/clock.js";
import { accept } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { withoutComparison, withoutFence, withoutGapCheck, withoutJournal } from "../../../support/missing-nets.js";
import { decideWithout } from "./broken-rules.js";

export const nets = [
  "journal",
  "fence",
  "gapCheck",
  "issuer",
  "close-once",
  "run",
  "comparison",
  "repeats",
  "content",
  "told",
  "returned-whole",
  "sold",
  "receipt-id",
  "unseen",
] as const;
export type Net = (typeof nets)[number];

/** In ms of the daemon's clock. */
const REPEAT_AFTER_MS = 400;

export function breakNet(net: string, clock: Clock): CampaignHooks {
  switch (net) {
    case "journal":
      return { wrapStores: withoutJournal };
    case "fence":
      return { wrapDriver: withoutFence };
    case "gapCheck":
      return { wrapStores: withoutGapCheck };
    case "comparison":
      return { wrapStores: withoutComparison };
    case "repeats":
      return { decideRepeat: () => accept() };
    case "content":
    case "told":
    case "returned-whole":
    case "sold":
    case "receipt-id":
    case "unseen":
      return { decideRepeat: decideWithout(net) };
    case "issuer":
    case "run":
      return {};
    case "close-once":
      return { wrapTransport: (open) => () => repeatUnanswered(open(), clock) };
    default:
      throw new Error(`no such net: ${net}; there are ${nets.join(", ")}`);
  }
}

/** Once for each write. */
function repeatUnanswered(transport: ByteTransport, clock: Clock): ByteTransport {
  let timer: Timer | null = null;
  transport.onBytes(() => timer?.cancel());
  transport.onClosed(() => timer?.cancel());
  return {
    ...bound(transport),
    async write(bytes) {
      timer?.cancel();
      timer = clock.setTimer(REPEAT_AFTER_MS, () => void transport.write(bytes).catch(() => {}));
      await transport.write(bytes);
    },
  };
}

function bound(transport: ByteTransport): ByteTransport {
  return {
    label: transport.label,
    open: (signal) => transport.open(signal),
    write: (bytes) => transport.write(bytes),
    close: (options) => transport.close(options),
    onBytes: (listener) => transport.onBytes(listener),
    onClosed: (listener) => transport.onClosed(listener),
  };
}
