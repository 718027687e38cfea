import type { Fault } from "@fiscald/shared/fault.js";
import { faultTextOf, hintOf } from "../../messages/fault-words.js";
import { type Found, found } from "./found.js";
import type { ProgramFacts } from "./trouble-facts.js";

export function daemonDown(): Found {
  return found({ kind: "daemon-down", needs: "person", say: (_, { troubles }) => troubles.daemonDown });
}

export function storeTrouble(fault: Fault): Found {
  return found({
    ...{ kind: "store-trouble", needs: "person", fault },
    say: (_, { troubles }, language) => ({
      text: troubles.storeTrouble({ text: faultTextOf(fault.code, language) }),
      next: hintOf(fault.code, language),
    }),
  });
}

export function ownTroubles({ hasLock, alertFault }: ProgramFacts): readonly Found[] {
  return [
    ...(hasLock ? [] : [found({ kind: "lock-gone", needs: "person", say: (_, { troubles }) => troubles.lockGone })]),
    ...(alertFault === null ? [] : [alertFailed(alertFault)]),
  ];
}

function alertFailed(fault: Fault): Found {
  return found({ kind: "alert-failed", needs: "look", fault, say: (_, { troubles }) => troubles.alertFailed });
}
