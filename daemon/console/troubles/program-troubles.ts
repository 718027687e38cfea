/** Troubles of the program itself, which only its administrator can mend. */
import type { Fault } from "@fiscald/shared/fault.js";
import { type FaultWords, faultTextOf, hintOf } from "../../messages/fault-words.js";
import type { Messages } from "../../messages/messages.js";
import { type Found, factOf, found } from "./found.js";
import type { TroubleKind } from "./trouble.js";
import type { ProgramFacts } from "./trouble-facts.js";

export function daemonDown(): Found {
  return found({ kind: "daemon-down", needs: "person", say: (_, { troubles }) => troubles.daemonDown });
}

export function storeTrouble(fault: Fault): Found {
  return found({
    ...{ kind: "store-trouble", needs: "person", fault: factOf(fault) },
    say: (_, { troubles }, language) => ({
      text: troubles.storeTrouble({ text: faultTextOf(fault.code, language) }),
      next: hintOf(fault.code, language),
    }),
  });
}

export function ownTroubles({ hasLock, consoleFault, alertFault }: ProgramFacts): readonly Found[] {
  const because = (kind: TroubleKind, fault: Fault | null, words: (messages: Messages) => FaultWords) =>
    fault === null ? [] : [found({ kind, needs: "look", fault, say: (_, messages) => words(messages) })];
  return [
    ...(hasLock ? [] : [found({ kind: "lock-gone", needs: "person", say: (_, { troubles }) => troubles.lockGone })]),
    ...because("console-closed", consoleFault, ({ troubles }) => troubles.consoleClosed),
    ...because("alert-failed", alertFault, ({ troubles }) => troubles.alertFailed),
  ];
}
