/**
 * Facts that PIRIT's reference leaves unconfirmed and recovery depends on, each in both ways. One after the other the
 * commands of a receipt lose their answer, their power or their cable, are carried out too late, or are answered with a
 * wrong checksum, noise or an old answer. Each order is one document.
 */

import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { type PiritSettings, piritSettings } from "@fiscald/emulators/pirit/settings.js";
import { inPiritTill, mishaps } from "./pirit-till.js";

/** Facts about rates, batch mode and tags 1125 and 1187 are left out, because they settle no doubt. */
const facts = [
  "cancel-when-paid",
  "enquiry-while-busy",
  "receipt-after-power-cut",
  "printer-status-error",
  "archive-block",
  "tlv-block",
  "close-date",
  "counters-after-close",
] as const satisfies readonly (keyof PiritSettings)[];

const variants: readonly Readonly<Record<string, string>>[] = [
  {},
  ...facts.flatMap((fact) => [...piritSettings.shape[fact].values].slice(1).map((value) => ({ [fact]: value }))),
];

const effects: readonly ((when: FaultInput["when"]) => FaultInput)[] = [
  ...mishaps,
  (when) => ({ effect: "corrupt", when }),
  (when) => ({ effect: "noise", when }),
];

test.each(variants)(
  "on a PIRIT with %j each order is one document, whatever fault a command of its receipt meets",
  async (unconfirmed) => {
    await inPiritTill(async (till) => {
      till.heard.length = 0;
      await till.printOne();
      const dialogue = [...till.heard];
      expect(dialogue).toContain("31");
      let cases = 0;
      for (const [at, command] of dialogue.entries()) {
        const nth = dialogue.slice(0, at + 1).filter((name) => name === command).length;
        // All effects at commands that change something, one in turn at questions.
        const isQuestion = /^(0[0-6]|11|13|78)$/.test(command);
        for (const effect of isQuestion ? effects.slice(at % effects.length).slice(0, 1) : effects) {
          const fault = effect({ command, nth });
          till.addFault(fault);
          const { state, fault: why, told, fds } = await till.printOne();
          expect({ fault, state, why, fds }).toEqual({ fault, state: "printed", why: null, fds: [told] });
          till.clearFaults();
          cases += 1;
        }
      }
      expect(cases).toBeGreaterThan(dialogue.length + 5 * effects.length);
      expect(till.receipts()).toHaveLength(cases + 2);
      expect(till.helped > 0).toBe(unconfirmed["cancel-when-paid"] === "refused");
    }, unconfirmed);
  },
);
