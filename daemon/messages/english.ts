/** English texts for operators (messages.ts). */
import { rateOfTaxId } from "@fiscald/shared/receipt/vat.js";
import { commandTexts } from "./english/commands.js";
import { doctorTexts } from "./english/doctor.js";
import { helpTexts } from "./english/help.js";
import { discoverTexts, initTexts } from "./english/init.js";
import { journalTexts } from "./english/journal.js";
import { pageTexts } from "./english/page.js";
import { setupTexts } from "./english/setup.js";

interface Register {
  readonly register: string;
}
interface Host {
  readonly host: string;
}
interface TwoDevices {
  readonly found: { readonly kkm: string; readonly inn: string };
  readonly expected: { readonly kkm: string; readonly inn: string };
}
interface Count {
  readonly count: number;
}
interface Site {
  readonly site: string;
}
/** The text or hint of a fault, in the catalogue's language. */
interface OfFault {
  readonly text: string;
}
interface Asked extends Site {
  /** What the site is asked for, from `asked` below. */
  readonly asked: string;
}
interface Since {
  readonly since: string;
}

interface Days {
  readonly days: number;
}

const daysOf = (count: number) => `${count} day${count === 1 ? "" : "s"}`;

interface Jobs {
  /** Job numbers, for a command line. */
  readonly jobs: string;
}

const commands = (name: string, jobs: string) =>
  jobs
    .split(" ")
    .map((job) => `\`fiscald ${name} ${job}\``)
    .join(", ");

export const english = {
  /** Why an order is not printed: cause and next step (console/why/why-not-printed.ts). */
  why: {
    title: "Why not yet",
    nextTitle: "What to do",
    daemonDown: {
      text: "The daemon does not run: no order is taken and nothing is printed.",
      next: "Start it: its service, or `fiscald run`.",
    },
    storeTrouble: ({ text }: OfFault) => `The database stores nothing, so no site is polled. ${text}`,
    driveOver: ({ days }: Days) => `The fiscal drive ended ${daysOf(days)} ago: the register does not print.`,
    ofdOver: ({ days }: Days) =>
      `Receipts have not reached the OFD for ${daysOf(days)}: the register does not print until they do.`,
    driveDays: ({ days, until }: Days & { readonly until: string | null }) =>
      `The fiscal drive has ${daysOf(days)} left${until === null ? "" : ` (until ${until})`}. Order a new one and a service visit.`,
    ofdQueue: ({ hours, left }: { readonly hours: number; readonly left: number }) =>
      `Receipts have not reached the OFD for ${hours < 48 ? `${hours} h` : daysOf(Math.floor(hours / 24))}. Unless this is mended, the register stops printing in ${daysOf(left)}. Check its network and its OFD settings.`,
    registerBlocked: ({ register, since, text }: Register & OfFault & Partial<Since>) =>
      `Register ${register} waits for a person${since === undefined ? "" : ` since ${since}`}. ${text}`,
    registerOffline: ({ register, since, text }: Register & OfFault & Partial<Since>) =>
      `Register ${register} is offline${since === undefined ? "" : ` since ${since}`}. ${text}`,
    registerPaused: ({ register, since }: Register & Since) => `Register ${register} is paused since ${since}.`,
    registerStarting: {
      text: ({ register }: Register) => `Register ${register} is being connected and checked.`,
      next: "Nothing: it prints in some seconds. If this lasts, check its power and cable.",
    },
    registerStopped: {
      text: ({ register }: Register) => `Register ${register} was stopped with the daemon.`,
      next: "Start the daemon again.",
    },
    registerRemoved: {
      text: ({ register }: Register) => `Register ${register} is not in the config any more.`,
      next: ({ jobs }: Jobs) => `Give the job to another register (\`fiscald move ${jobs} REGISTER\`) or cancel it.`,
    },
    shiftClosing: {
      text: ({ register }: Register) => `Register ${register} closes its shift; receipts wait until that is done.`,
      next: "Nothing: the receipt is printed after the closing. If this lasts, check the register's paper and cover.",
    },
    printing: {
      text: ({ register }: Register) => `Register ${register} is printing it now.`,
      next: "Nothing: wait some seconds. If this lasts, check the register's paper, cover and power.",
    },
    waitsForTurn: {
      text: ({ register, ahead }: Register & { readonly ahead: number }) =>
        ahead === 0 ? `It is next on register ${register}.` : `Register ${register} prints others first: ${ahead}.`,
      next: "Nothing: it is printed in its turn.",
    },
    waitsForOther: {
      text: ({ register, other, text }: Register & OfFault & { readonly other: string }) =>
        `Register ${register} cannot print it: ${text} It waits for register ${other} of the same group.`,
    },
    waitsForReading: {
      text: ({ register, other }: Register & { readonly other: string }) =>
        `Register ${register} waits until register ${other} was read: this order may be printed there already.`,
      gone: ({ other }: { readonly other: string }) =>
        `If register ${other} is gone for good, remove it from the config.`,
    },
    triedAgain: ({ register, text }: Register & OfFault) =>
      `The last try on register ${register} failed; it is tried again by itself. ${text}`,
    settling: {
      text: ({ register, text }: Register & OfFault) =>
        `Register ${register} is asked whether the last try was registered; the answer decides what happens. ${text}`,
      next: "Nothing: it goes on by itself once the register has answered.",
    },
    unsure: {
      text: ({ register }: Register) =>
        `It is not known whether register ${register} registered this receipt, so it is not printed again.`,
      next: ({ jobs }: Jobs) =>
        `Look at the register's last documents, then say what you found: ${commands("resolve", jobs)} with \`--printed FD\` or \`--not-printed\`.`,
    },
    doubt: {
      "in-progress": "The maker's print service may still print it; it is asked until it has ended.",
      unreadable:
        "A document that may be this one could not be found or read for certain. The last hundred are read again by themselves.",
      "no-evidence": "Neither the fiscal drive nor the register's counters show whether it was done.",
      ambiguous: "The documents that were read leave more than one answer.",
    },
    held: {
      text: ({ text }: OfFault) => `Nothing is printed until a person approves it. ${text}`,
      next: ({ jobs }: Jobs) =>
        `Compare it with the site's order. To print it: ${commands("approve", jobs)}; to leave it not printed: ${commands("set-aside", jobs)}.`,
    },
    failed: {
      text: ({ text }: OfFault) => `Printing failed and is not tried any more. ${text}`,
      next: ({ text, jobs }: OfFault & Jobs) => `${text} Then: \`fiscald retry ${jobs}\`.`,
    },
    refused: ({ text }: OfFault) => `The order was refused, nothing was printed for it. ${text}`,
    cancelled: ({ text }: OfFault) => `The order will not be printed. ${text}`,
    unreadable: ({ text }: OfFault) => `The site's order could not be read, nothing was printed for it. ${text}`,
    wrongKkm: {
      text: ({ kkm, asked, site }: Asked & { readonly kkm: string }) =>
        `The order is for kkm ${kkm}, which no register of site ${site} has. Registers of the site: ${asked}.`,
      next: "Correct kkm in the site's order, or connect that register and bind it to the site.",
    },
    siteTrouble: ({ site, since, text }: Site & OfFault & Since) =>
      `Site ${site} cannot be asked for orders since ${since}. ${text}`,
    siteHtml: {
      text: ({ site, since }: Site & Since) =>
        `Site ${site} has answered polls with a web page (HTML) instead of an order since ${since}.`,
      next: "Check on the site that the address in `urls.orders` is that of the handler, and that it shows no error page or login.",
    },
    siteUnreadable: ({ site, since, text }: Site & OfFault & Since) =>
      `Site ${site} has answered polls with something that is no order since ${since}. ${text}`,
    nobodyPolls: {
      text: ({ site, asked }: Asked) => `Site ${site} is not polled, so its orders do not arrive: ${asked}.`,
      next: "Bind a register to the site (`sites` of the register) and connect it once. Then check `fiscald status`.",
    },
    notOffered: {
      text: ({ site, asked }: Asked) => `Site ${site} has not offered this order. It is asked for: ${asked}.`,
      next: "Check on the site that the order is released for printing and that its kkm is one of these.",
    },
  },
  /** What a site is polled for. */
  asked: {
    kkm: ({ kkm, register, at }: Register & { readonly kkm: string; readonly at: string }) =>
      `kkm ${kkm} (${register}), last answer ${at}`,
    never: ({ kkm, register }: Register & { readonly kkm: string }) => `kkm ${kkm} (${register}), no answer yet`,
    unknown: ({ register }: Register) => `${register} was never connected, its kkm is not known`,
    nothing: "no register is bound to it",
  },
  states: {
    queued: "queued",
    held: "held",
    printing: "printing",
    unsure: "unsure",
    printed: "printed",
    failed: "failed",
    refused: "refused",
    cancelled: "cancelled",
  },
  phases: {
    offline: "offline",
    connecting: "connecting",
    recovering: "recovering",
    ready: "ready",
    finishing: "finishing a print",
    busy: "busy",
    blocked: "blocked",
    stopped: "stopped",
    unknown: "unknown",
    paused: "paused",
  },
  explain: {
    job: ({ job, state, what }: { readonly job: number; readonly state: string; readonly what: string }) =>
      `job ${job}  ${state}  ${what}`,
    unread: ({ order }: { readonly order: string }) => `order ${order}  could not be read, nothing was printed for it`,
    unknown: ({ order }: { readonly order: string }) =>
      `the order ${order} is not known: no site has offered it to this daemon`,
    register: ({ register }: Register) => `register ${register}`,
    polledFor: ({ kkm }: { readonly kkm: string }) => `polled for kkm ${kkm}`,
    tax: ({ id, rate }: { readonly id: number | null; readonly rate: string }) =>
      `${id === null ? "without a tax id" : rateOfTaxId(id) === null ? `tax ${id}` : "rate in words"}: ${rate}`,
    operator: "operator",
    shift: "shift",
    event: ({ event, kind, site }: Site & { readonly event: number; readonly kind: string }) =>
      `event ${event} ${kind} to ${site}`,
    tries: ({ state, tries, at }: { readonly state: string; readonly tries: number; readonly at: string | null }) =>
      `${state} after ${tries} tries${at === null ? "" : ` at ${at}`}`,
    beforeThat: ({ text }: OfFault) => `before that: ${text}`,
  },
  consoleLink: { once: "The operator's page. The link works once, within five minutes:" },
  page: pageTexts,
  journal: journalTexts,
  eventStates: { pending: "pending", delivered: "delivered", refused: "refused" },
  status: {
    runs: "The daemon runs.",
    down: "The daemon does not run; this is the state in its database.",
    registers: ["REGISTER", "STATE", "KKM", "MODEL", "SHIFT", "LAST FD", "WAITING", ""] as const,
    jobs: "JOBS",
    events: ["EVENTS FOR", "WAITING", "REFUSED", "OLDEST WAITS"] as const,
    settings: ["HOW IT IS SET", "WHERE IT STANDS", "VALUE", "RIGHT"] as const,
    refused: ["REFUSED EVENT", "SITE", "KIND", "JOB", "TRIES", "THE SITE SAID"] as const,
    why: "WHY NOT PRINTED",
    noTrouble: "Nothing keeps an order from being printed.",
    notAsked: "Not known: the daemon's console is closed. Its log says why.",
    orders: "Orders",
    warnings: "WARNINGS",
    noWarnings: "No warnings.",
  },
  commands: commandTexts,
  help: helpTexts,
  init: initTexts,
  discover: discoverTexts,
  doctor: doctorTexts,
  /** The word to a person. */
  foreign: ({ found, expected }: TwoDevices) =>
    `The register that answers is kkm ${found.kkm} of taxpayer ${found.inn}. Expected: kkm ${expected.kkm} of taxpayer ${expected.inn}.`,
  alerts: {
    warned: ({ host }: Host) => `fiscald on ${host}: it prints, with a warning`,
    begun: ({ host }: Host) => `fiscald on ${host}: a person is needed`,
    over: ({ host }: Host) => `fiscald on ${host}: it is over`,
    isOver: "Over:",
    more: ({ count }: Count) => `and ${count} more: see \`fiscald status\``,
  },
  setup: setupTexts,
};
