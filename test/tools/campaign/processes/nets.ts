/**
 * What the campaign takes away, one at a time, to show that it would notice:
 *
 *   journal     what "before" was is not committed before the first byte
 *   fence       after a doubt nothing is cancelled and nothing is waited for
 *   gapCheck    documents that appeared meanwhile are compared with nobody's order
 *   comparison  no document is compared with what was sent
 *   repeats     an order that comes again is another one
 *   content     an order is taken for the newest one of its number again
 *   told        nobody has been told anything: an equal refund is the one that was printed
 *   returned-whole  what was returned whole is not sold again: an equal sale is the one that was printed
 *   sold        returns are not held against what was sold
 *   receipt-id  a known receiptId is that receipt, whatever comes with it
 *   unseen      order numbers are compared with the characters that nobody sees
 *   run         the files beside the database do not name its run: an earlier number is a lost database (case-world.ts)
 *   issuer      all sites of all daemons issue their order ids under one name (case-world.ts writes it into the configs)
 *   close-once  the link writes what was not answered once more, whatever it was
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
