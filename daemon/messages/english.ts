/** English texts for operators (messages.ts). */
import { rateOfTaxId } from "@fiscald/shared/receipt/vat.js";
import { commandTexts } from "./english/commands.js";
import { doctorTexts } from "./english/doctor.js";
import { helpTexts } from "./english/help.js";
import { discoverTexts, initTexts } from "./english/init.js";
import { journalTexts } from "./english/journal.js";
import { setupTexts } from "./english/setup.js";

interface Register {
  readonly register: string;
}
interface Host {
  readonly host: string;
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
    registerBlocked: ({ register, text }: Register & OfFault) => `Register ${register} waits for a person. ${text}`,
    registerOffline: ({ register, text }: Register & OfFault) => `Register ${register} is offline. ${text}`,
    registerPaused: ({ register, since }: Register & { readonly since: string }) =>
      `Register ${register} is paused since ${since}.`,
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
      unreadable: "A document that may be this receipt could not be read; it is read again by itself.",
      "no-evidence": "Nothing on the fiscal drive can show it: the drive is gone, or was lost from sight for a time.",
      ambiguous: "The documents that were read leave more than one answer.",
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
    siteTrouble: ({ site, since, text }: Site & OfFault & { readonly since: string }) =>
      `Site ${site} cannot be asked for orders since ${since}. ${text}`,
    siteHtml: {
      text: ({ site, since }: Site & { readonly since: string }) =>
        `Site ${site} has answered polls with a web page (HTML) instead of an order since ${since}.`,
      next: "Check on the site that the address in `urls.orders` is that of the handler, and that it shows no error page or login.",
    },
    siteUnreadable: ({ site, since, text }: Site & OfFault & { readonly since: string }) =>
      `Site ${site} has answered polls with something that is no order since ${since}. ${text}`,
    nobodyPolls: {
      text: ({ site, asked }: Asked) => `Site ${site} is not polled, so its orders do not arrive: ${asked}.`,
      next: "Bind a register to the site (`sites` of the register), connect it once and check `fiscald status`.",
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
    isJob: ({ job, order }: { readonly job: string; readonly order: string }) => `job ${job} is of order ${order}`,
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
  page: {
    allPrinted: "Everything prints",
    printsWithWarnings: "It prints, and there is something to see to",
    personNeeded: "A person is needed",
    otherLanguage: "Русский",
    soundOn: "Sound: on",
    soundOff: "Sound: off",
    connection: {
      loading: "Reading the state",
      live: "Connected",
      lost: "The daemon does not answer",
      "no-access": "This page is closed",
    },
    shownAsOf: ({ at }: { readonly at: string }) => `What you see is of ${at}. The page connects again by itself.`,
    howToOpen: "Open it by the link that `fiscald console` prints on this computer.",
    troubles: "To see to",
    registers: "Registers",
    sites: "Sites",
    neverConnected: "was never connected",
    inHand: "Prints now",
    nothing: "nothing",
    queue: "Queue",
    shift: "Shift",
    shiftStates: { open: "open", closed: "closed", expired: "older than 24 hours" },
    ofDay: ({ hours }: { readonly hours: number }) => `${hours} of 24 h`,
    paper: "Paper",
    papers: { present: "there", low: "runs low", out: "out", unknown: "not reported" },
    ofdQueue: "Not yet at the OFD",
    documents: ({ count }: Count) => `${count} ${count === 1 ? "document" : "documents"}`,
    drive: "Fiscal drive",
    daysLeft: ({ count }: Count) => `${count} days left`,
    clock: "Clock",
    clockDifference: ({ minutes }: { readonly minutes: number }) =>
      minutes === 0 ? "right" : `${minutes > 0 ? "ahead" : "behind"} by ${Math.abs(minutes)} min`,
    oldFigures: "These figures are of the time before the connection was lost.",
    polled: "Answered last",
    lastOrder: "Last order",
    undelivered: "Results to deliver",
    never: "never",
    now: "Now",
    orders: "Orders",
    setup: "Set-up",
    searchLabel: "Order, document number, sum or day (25.11.2026)",
    find: "Find",
    nothingFound: "Nothing was found.",
    older: "Older",
    newer: "Newer",
    time: "Time",
    order: "Order",
    sum: "Sum",
    register: "Register",
    state: "State",
    document: "Document",
    back: "Back to the list",
    why: "Why it is not printed",
    story: "What happened",
    results: "Results for the site",
    deliveryStates: { pending: "waits", delivered: "delivered", refused: "refused by the site" },
    receipt: "The receipt as it was ordered",
    actions: "What to do",
    actionNames: {
      retry: "Print again",
      cancel: "Do not print",
      copy: "Copy on paper",
      notPrinted: "It was not printed",
      printed: "It was printed",
    },
    decisions: "Decisions",
    noDecisions: "Nothing needs a decision.",
    unsureJobs: "Outcome unknown: say what became of them",
    failedJobs: "Not printed",
    retryAll: "Print all of them again",
    foreignDevices: "Another device answers",
    acceptDevice: "It is the right one",
    refusedEvents: "Results that the site refused",
    resend: "Send again",
    unreadAnswers: "Answers that could not be read",
    unreadNext: "Nothing of them is printed. Give them to the site's developer.",
    pausedFor: "Paused",
    pause: "Pause",
    resume: "Go on printing",
    testSlip: "Test slip",
    xReport: "X report",
    zReport: "Close the shift (Z)",
    sync: "Send the list of registers",
    askRetryAll: ({ count }: Count) => `${count} receipts are queued and printed again. Go on?`,
    askAccept: ({ register }: Register) => `${register} will print on the device that answers now. Go on?`,
    askResend: ({ site }: { readonly site: string }) => `The result is sent to ${site} again. Go on?`,
    askPause: ({ register }: Register) =>
      `${register} prints no orders until you let it go on. A receipt in hand is finished; orders wait or go to another register of its group; the shift is closed as ever. Go on?`,
    askResume: ({ register }: Register) => `${register} prints what waits for it. Go on?`,
    askTestSlip: ({ register }: Register) => `${register} prints a few lines that are no receipt. Go on?`,
    askCopy: ({ order }: { readonly order: string }) =>
      `The register prints a copy of the receipt of order ${order} once more; nothing is sold by it. Go on?`,
    askX: ({ register }: Register) => `${register} prints an X report; the shift stays open. Go on?`,
    askZ: ({ register }: Register) => `${register} closes its shift and prints the Z report. Go on?`,
    askSync: ({ site }: { readonly site: string }) => `${site} is sent the list of its registers. Go on?`,
    askRetry: ({ order }: { readonly order: string }) =>
      `The receipt of order ${order} is queued and printed again. Go on?`,
    askCancel: ({ order }: { readonly order: string }) =>
      `The receipt of order ${order} will not be printed, and the site gets this as the result. Go on?`,
    askNotPrinted: ({ order, documents }: { readonly order: string; readonly documents: string }) =>
      `The receipt of order ${order} will be printed${documents === "" ? "" : `, and you have checked that the documents ${documents} are other receipts`}. If it was registered already, the buyer pays twice in the tax office's eyes. Go on?`,
    askPrinted: "The number of its document (FD), from the paper or the OFD's cabinet:",
    yes: "Yes, go on",
    no: "No",
    done: "Done.",
    jobKinds: {
      sale: "Sale",
      return: "Return",
      "x-report": "X report",
      "z-report": "Closing of the shift (Z)",
      "sections-report": "Report by departments",
      "cashiers-report": "Report by cashiers",
      "hours-report": "Report by hours",
      "cash-in": "Cash in",
      "cash-out": "Cash out",
      "sync-time": "Setting of the clock",
      text: "Text",
      service: "Service",
    },
    eventKinds: {
      result: "Result",
      connected: "Register connected",
      disconnected: "Register disconnected",
      zreport: "Z report",
      sync: "List of registers",
      error: "Report of an error",
    },
    tries: ({ count }: Count) => `${count} ${count === 1 ? "try" : "tries"}`,
    jobStates: {
      queued: "waits",
      printing: "prints",
      unsure: "outcome unknown",
      printed: "printed",
      failed: "not printed",
      refused: "refused",
      cancelled: "cancelled",
    },
    siteStates: { green: "answers", yellow: "answers", red: "trouble", grey: "not asked yet" },
    ages: {
      now: "just now",
      minutes: ({ count }: Count) => `${count} min`,
      hours: ({ count }: Count) => `${count} h`,
      days: ({ count }: Count) => `${count} days`,
    },
  },
  journal: journalTexts,
  eventStates: { pending: "pending", delivered: "delivered", refused: "refused" },
  status: {
    runs: "The daemon runs.",
    down: "The daemon does not run; this is the state in its database.",
    registers: ["REGISTER", "STATE", "KKM", "MODEL", "SHIFT", "LAST FD", "WAITING", ""] as const,
    jobs: "JOBS",
    events: ["EVENTS FOR", "WAITING", "REFUSED", "OLDEST WAITS"] as const,
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
  alerts: {
    begun: ({ host }: Host) => `fiscald on ${host}: a person is needed`,
    over: ({ host }: Host) => `fiscald on ${host}: it is over`,
    isOver: "Over:",
    more: ({ count }: Count) => `and ${count} more: see \`fiscald status\``,
  },
  setup: setupTexts,
};
