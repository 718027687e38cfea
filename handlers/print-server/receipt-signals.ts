/** What the nodes of a receipt store tell each other. */
export interface Signal {
  readonly channel: string;
  readonly payload: string;
}

/** Told when there may be a receipt for a waiting poll. */
export const wakeChannel = "fiscald_receipts";
/** Told with the id of each receipt that has changed. */
export const changeChannel = "fiscald_receipt_changes";

/** `kkm` null: a receipt for any register. */
export function wakeSignal(resource: string, kkm: string | null): Signal {
  return { channel: wakeChannel, payload: JSON.stringify([resource, kkm]) };
}

export function changeSignal(receiptId: string): Signal {
  return { channel: changeChannel, payload: receiptId };
}

/** An empty payload stands for everything that may have been missed. */
export function concerns(payload: string, resource: string, kkm: string): boolean {
  return ["", wakeSignal(resource, null).payload, wakeSignal(resource, kkm).payload].includes(payload);
}
