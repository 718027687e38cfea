import { isFast } from "../support/tier.js";
import { describeAlterations } from "./contract/describe-alterations.js";
import { describeCorrections } from "./contract/describe-corrections.js";
import { describeFaults } from "./contract/describe-faults.js";
import { describeLife } from "./contract/describe-life.js";
import { describeMarks } from "./contract/describe-marks.js";
import { describePaper } from "./contract/describe-paper.js";
import { describeReceipts } from "./contract/describe-receipts.js";
import { describeService } from "./contract/describe-service.js";
import { describeServiceFaults } from "./contract/describe-service-faults.js";
import type { ContractSubject } from "./contract/subject.js";
import { skips } from "./skips.js";

let hasFaults = false;

/**
 * What every driver must do with its emulated register, whose fiscal memory is the truth. A new maker is one more call;
 * the features that its registers lack stand in `skips.ts` under the same name. `onlyAdded`: only `test:all` runs the
 * subject, `npm test` does not.
 */
export function describeDriver(name: string, subject: ContractSubject, { onlyAdded = false } = {}): void {
  if (isFast && onlyAdded) return;
  const lacks = skips[name] ?? [];
  describe(`the driver contract on ${name}`, () => {
    // What `npm test` has run is not repeated.
    if (isFast || onlyAdded) {
      describeReceipts(subject, lacks);
      describeMarks(subject, lacks);
      describeCorrections(subject);
      describeAlterations(subject);
      describePaper(subject, lacks);
      describeService(subject, lacks);
      describeLife(subject, lacks);
    }
    // `npm test` runs each fault once for a maker, `test:all` for each of the maker's protocols.
    if (isFast && hasFaults) return;
    hasFaults = true;
    describeFaults(subject, lacks);
    describeServiceFaults(subject);
  });
}
