import { formatRoubles, type Kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";

/** Why a person is to approve the order before it is printed; null = nobody is asked. */
export function holdFault(receipt: Receipt, largest: Kopecks): Fault | null {
  if (receipt.kind !== "receipt" || totalOf(receipt) <= largest) return null;
  const message = `${formatRoubles(totalOf(receipt))} is above ${formatRoubles(largest)}`;
  return new Fault("job.held-large", { message });
}
