/** What becomes of the receipts of one order. `play` in receipt-world.ts explains the steps. */
import { databaseKinds } from "../../../support/site-databases.js";
import { play, useReceiptShop } from "../receipt-world.js";

const repeats = {
  "a printed sale that is enqueued again is the same receipt, even after its shift was closed": `
    sale 100 -> 1 new; sale 100 -> 1 queued; d1 prints -> 1; days 40; sale 100 -> 1 printed`,
  "a sale whose receipt was returned whole is refused, and printed with a key": `
    sale 100; d1 prints; return 100; d1 prints -> 2
    sale 100 -> job.already-printed of 1; sale 100 key=payment-2 -> 3 new`,
  "a second equal partial refund needs an id or a key of its own, and may go up to what was sold": `
    sale 100; d1 prints; return 40 -> 2 new; return 40 -> 2 queued; d1 prints
    return 40 -> job.already-printed of 2; return 40 id=own -> 3 new; d1 prints -> 3
    return 40 key=refund-3 -> job.return-exceeds-sale of 1`,
  "a return beyond what was sold is refused with printAnyway, and accepted once with beyondSold": `
    sale 100; d1 prints; return 6000 id=own printAnyway -> job.return-exceeds-sale of 1
    return 6000 id=own beyondSold -> 2 new; return 6000 id=own beyondSold -> 2 queued; d1 prints
    return 6000 id=own beyondSold -> 2 printed; states -> 1 printed, 2 printed`,
  "a return of an order whose sale has failed is refused, because nothing was sold": `
    sale 100; d1 fails; return 100 -> job.return-exceeds-sale of 1`,
  "a further sale of an order prints once when a key names it": `
    sale 100; d1 prints; sale 100 printAnyway key=second -> 2 new; sale 100 printAnyway key=second -> 2 queued
    d1 polls -> 2`,
  "printAnyway and beyondSold without an id or a key, and a key beside an id, are refused": `
    sale 100 printAnyway -> order.missing-value; sale 100 beyondSold -> order.missing-value
    sale 100 id=own key=1 -> order.wrong-value; states -> none`,
  "an id with other names of goods and the same total is the same receipt, with a warning": `
    sale 100 id=own; d1 prints; log neither kept nor printed -> no
    sale 100 id=own name=Coffee -> 1 printed; log neither kept nor printed -> yes`,
  "an order with an id of its own is never answered with the receipt that replaced it": `
    sale 100 id=own; d1 fails; sale 90 id=other -> 2 new; sale 100 id=own -> job.being-printed of 2
    d1 prints; sale 100 id=own -> job.already-printed of 2`,
  // The old message is outdated while the receipt is queued again, and counts once the till has the receipt.
  "a failed sale without an id is queued again as one receipt, for the daemon that had it": `
    sale 100; d1 fails; sale 100 -> 1 new; states -> 1 queued; 1 failed repeated -> outdated
    d2 polls -> none; d1 polls -> 1; 1 failed repeated -> applied`,
  "a failed sale with its own id is queued again as one receipt, for the daemon that had it": `
    sale 100 id=own; d1 fails; sale 100 id=own -> 1 new; states -> 1 queued; 1 failed repeated -> outdated
    d2 polls -> none; d1 polls -> 1; 1 failed repeated -> applied`,
  "a sale with other content is refused while the first sale is handed out, unsure or printed": `
    sale 100; d1 polls; sale 90 -> job.being-printed of 1; 1 unknown; sale 90 -> job.being-printed of 1
    1 printed; sale 90 -> job.already-printed of 1`,
  "new content replaces a sale that still waits, and the first content may replace the new content": `
    sale 100; sale 90 -> 2 new; states -> 1 replaced, 2 queued; sale 100 -> 1 new; d1 polls -> 1; d2 polls -> none`,
  "an order that was sold before the store existed can be returned, with a warning": `
    return 40 -> 1 new; log the sale of this return is not known here -> yes; d1 polls -> 1`,
  "a service job counts as new after the earlier one is printed, and is queued again after the earlier one failed": `
    cash-in 500 -> 1 new; cash-in 500 -> 1 queued; d1 fails; cash-in 500 -> 1 new; d1 prints -> 1
    cash-in 500 -> 2 new; d1 prints; cash-in 500 -> 3 new`,
  "service jobs of one key for two registers are two jobs, and each is done once": `
    cash-in 500 till=0001 key=float -> 1 new; cash-in 500 till=0002 key=float -> 2 new
    cash-in 500 till=0001 key=float -> 1 queued; cash-in 500 till=0002 key=float -> 2 queued`,
  "equal service jobs for two registers are two jobs, and each is handed to its own register": `
    cash-in 500 till=0001; d1 polls -> 1; cash-in 500 till=0002 -> 2 new; d2 polls till=0002 -> 2`,
  "a waiting service job that is enqueued for another register under its id is done once, on that register": `
    cash-in 500 till=0001 id=own; cash-in 500 till=0002 id=own -> 1 queued; d1 polls till=0001 -> none
    d1 prints till=0002 -> 1; cash-in 500 till=0001 id=own -> 1 printed`,
};

const handedOut = {
  "a released receipt is given to another daemon": `
    sale 100; d1 polls; release 1 -> queued; d2 polls -> 1; d1 polls -> none`,
  "a receipt that is not handed out is not released": `
    sale 100; release 1 -> job.wrong-state; release 2 -> job.not-found`,
  "receipts that were never offered come before repeated offers, and the oldest offer is repeated first": `
    sale 100; sale 100 order=A-2; d1 polls -> 1; d1 polls -> 2; d1 polls -> 1; d1 polls -> 2`,
  "withdraw takes a queued receipt and refuses a handed out one, and the withdrawn order can be sold again": `
    sale 100; sale 100 order=A-2; withdraw 1 -> true; withdraw 1 -> false; states -> 1 replaced; d1 polls -> 2
    withdraw 2 -> false; sale 100 -> 1 new; d1 polls till=0002 -> 1`,
  "after a failure the order's next receipt goes to the same daemon, unless the next receipt is released": `
    sale 100; d1 fails; sale 90 -> 2 new; d2 polls -> none; sale 80 -> 3 new; d2 polls -> none
    unnamed polls -> none; states -> 1 failed, 2 replaced, 3 queued; release 3 -> queued; d2 polls -> 3`,
  "after a release the order's next receipt goes to any daemon": `
    sale 100; d1 polls; return 90 -> 2 new; d2 polls -> none; release 1 -> queued; d2 polls -> 1; d2 polls -> 2`,
  "the release of one daemon's receipt does not release a receipt that waits for another daemon": `
    cash-in 500 till=0001; d1 polls -> 1; cash-in 500 till=0002; d2 fails till=0002 -> 2
    cash-in 500 till=0002 -> 2 new; release 1 -> queued; d3 polls till=0002 -> none; d2 polls till=0002 -> 2`,
  "after a printed receipt the order's next receipt goes to any daemon": `
    sale 100; d1 prints; return 100 -> 2 new; d2 polls -> 2`,
  "a return of an unsure sale waits until the sale's outcome is known, and other orders do not wait": `
    sale 100; d1 polls; return 40 -> 2 new; 1 unknown; return 30 -> 3 new; d1 polls -> none
    sale 50 order=A-2; d1 polls -> 4; 1 printed; d1 polls -> 2; d1 polls -> 3`,
  "a cash job of another till does not wait for an unsure cash job under the same order number": `
    cash-in 500 till=0001; d1 doubts -> 1; cash-in 500 till=0002 -> 2 new; d2 polls till=0002 -> 2`,
  "a return with beyondSold does not wait for an unsure sale": `
    sale 100; d1 doubts; return 300 key=r beyondSold -> 2 new; d1 polls -> 2`,
};

const superseded = {
  "a queued sale is withdrawn, with a warning, when the failed sale before it is printed after all": `
    sale 100; d1 fails; sale 90; 1 printed; states -> 1 printed, 2 replaced; log taken back -> 1, 2
    d1 polls -> none; d2 polls -> none`,
  "a queued return beyond what was sold is withdrawn when the failed return before it is printed after all": `
    sale 100; d1 prints; return 40; d1 fails -> 2; return 70 -> 3 new; 2 printed
    states -> 1 printed, 2 printed, 3 replaced`,
  "when a failed return is printed after all, only the returns that now exceed the sale are withdrawn": `
    sale 100; d1 prints; return 60; d1 fails -> 2; return 60 key=another -> 3 new; return 40 -> 4 new; 2 printed
    states -> 1 printed, 2 printed, 3 replaced, 4 queued`,
  "a failed sale that is printed after all leaves returns and other orders queued": `
    sale 100; d1 fails; sale 90; return 40; sale 100 order=A-2; 1 printed
    states -> 1 printed, 2 replaced, 3 queued; states order=A-2 -> 4 queued`,
  "a failed sale that is printed after all leaves a second sale with a key of its own queued": `
    sale 100; d1 fails; sale 100 printAnyway key=second -> 2 new; 1 printed; d1 polls -> 2`,
  "a queued sale is withdrawn when the released sale before it is printed after all": `
    sale 100; d1 polls; release 1; sale 90; 1 printed; states -> 1 printed, 2 replaced`,
  "a sale that is queued again after another sale failed is withdrawn when the failed one is printed after all": `
    sale 100; d1 fails; sale 90; d1 fails -> 2; sale 100 -> 1 new; 2 printed; states -> 2 printed, 1 replaced
    d1 polls -> none`,
  "a handed out sale is neither offered nor released once the failed sale before it is printed": `
    sale 100; d1 fails; sale 90; d1 polls -> 2; 1 printed; log may be printed twice -> 1, 2
    lost 2; d1 polls -> none; release 2 -> replaced; d2 polls -> none`,
  "a handed out sale is offered again when the unsure sale before it has failed": `
    sale 100; d1 fails; sale 90; d1 polls -> 2; 1 unknown; d1 polls -> none; 1 failed; d1 polls -> 2`,
  "a withheld receipt is released only after the unsure earlier one has failed": `
    sale 100; d1 fails; sale 90; d1 polls -> 2; 1 unknown; release 2 -> job.being-printed of 1
    1 failed; release 2 -> queued; d2 polls -> 2`,
  "a receipt that waits for an unsure earlier one of its order is withdrawn when the earlier one is printed": `
    sale 100; d1 fails; sale 90; 1 unknown; d1 polls -> none; 1 printed; states -> 1 printed, 2 replaced
    d2 polls -> none`,
  "a receipt that is printed although its order has a printed one is logged with both ids": `
    sale 100; d1 fails; sale 90; d1 prints -> 2; log printed twice -> no; 1 printed
    log an order is printed twice -> 1, 2`,
  "a receipt that is printed although its order has an unsure one is logged with both ids": `
    sale 100; d1 fails; sale 90; d1 doubts -> 2; log printed twice -> no; 1 printed
    log an order may be printed twice -> 1, 2`,
  "two printed refunds within the sale are not logged when the earlier one had been reported as failed": `
    sale 100; d1 prints; return 60; d1 fails -> 2; return 40; d1 prints -> 3; 2 printed; log twice -> no`,
};

describe.each(databaseKinds)("the receipts of one order, on $name", (kind) => {
  const { check, shop } = useReceiptShop(kind);

  check.each(Object.entries({ ...repeats, ...handedOut, ...superseded }))("%s", (_, story) => play(shop(), story));
});
