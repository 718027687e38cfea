/** The operator's page, in English (messages.ts). */
import type { RegisterParameters } from "./commands.js";

export interface Count {
  readonly count: number;
}

export interface Moved {
  readonly order: string;
  readonly register: string;
}

export interface Reconciled {
  readonly orders: number;
  readonly documents: number;
  readonly results: number;
}

export interface Copied {
  readonly path: string;
}

export const pageTexts = {
  allPrinted: "Everything prints",
  printsWithWarnings: "It prints, and there is something to see to",
  personNeeded: "A person is needed",
  otherLanguage: "Русский",
  soundOn: "Sound: on",
  soundAsleep: "Sound: press to switch it on",
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
  daysLeft: ({ count }: Count) => `${count} ${count === 1 ? "day" : "days"} left`,
  clock: "Clock",
  clockDifference: ({ minutes }: { readonly minutes: number }) =>
    minutes === 0 ? "right" : `${minutes > 0 ? "ahead" : "behind"} by ${Math.abs(minutes)} min`,
  howSet: "How this register is set",
  setPlace: "Where it stands",
  setValue: "Value",
  setRight: "Right",
  setEffect: "What it does, how it is mended",
  oldFigures: "These figures are of the time before the connection was lost.",
  polled: "Answered last",
  lastOrder: "Last order",
  undelivered: "Results to deliver",
  never: "never",
  now: "Now",
  orders: "Orders",
  setup: "Set-up",
  leave: "Leave",
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
    approve: "Print it",
    retry: "Print again",
    setAside: "Leave it so",
    printAnother: "Another receipt: print it",
    sameReceipt: "The same one: send its result again",
    cancel: "Do not print",
    copy: "Copy on paper",
    notPrinted: "It was not printed",
    printed: "It was printed",
    printedAsOther: "It was printed, as another document",
  },
  candidates: "Documents of the register, one of which may be this receipt",
  checkedAsOthers: ({ fds }: { readonly fds: string }) => `Checked by hand, other receipts: FD ${fds}.`,
  unreadDocument: "not read",
  isDocument: ({ fd }: { readonly fd: number }) => `It is document ${fd}`,
  askIsDocument: ({ order, fd }: { readonly order: string; readonly fd: number }) =>
    `The register reads document ${fd} once more. If it fits order ${order}, the site gets it as the order's receipt. Go on?`,
  decideBelow: "Choose below what is to be done.",
  decisionTexts: {
    "job-unsure":
      "It is not known whether a receipt was registered; it is not printed again. Compare it with the register's documents.",
    "job-held": "An order waits until a person approves it. Compare it with the site's order, then print it or do not.",
    "job-failed": "A receipt was not printed. Find the cause, then print it again or leave it so.",
    "answer-rejected": "A site's answer could not be read: there is no receipt of it. Give it to the site's developer.",
    "event-refused": "The site refused a result or a report. Correct the site and send them again.",
  },
  administratorActs: "The administrator does this.",
  notRetried: ({ count }: { readonly count: number }) =>
    `Done but for ${count} of them. The page of each order says why.`,
  decisions: "Decisions",
  noDecisions: "Nothing needs a decision.",
  unsureJobs: "Outcome unknown: say what became of them",
  heldJobs: "Held: say whether they are to be printed",
  failedJobs: "Not printed",
  declinedJobs: "Orders that were refused, without a receipt",
  newestShown: ({ count }: Count) => `The newest ${count} are shown. Others may follow once these are settled.`,
  retryAll: "Print those shown again",
  setAsideAll: "Leave those shown so",
  foreignDevices: "Another device answers",
  acceptDevice: "It is the right one",
  sinceLoss: "Orders since the database was lost: printed already or not?",
  sinceLossNext:
    "Each order may be one of the documents: compare them with the receipts' paper or the OFD's cabinet. An order that has its receipt here: open it and name the document. Then accept the register.",
  ordersOfLoss: "Orders that wait",
  documentsOfLoss: "Documents of that time",
  acceptLoss: "The other orders have no receipt: print them",
  askAcceptLoss: ({ register, count }: RegisterParameters & Count) =>
    `${count} ${count === 1 ? "order is" : "orders are"} printed, and the documents that ${register} holds from that time keep no order waiting any more. Go on?`,
  alteringRegisters: "Receipts are not registered as they are sent",
  alteringNext:
    "Receipts with that value wait. Correct the wrong receipt, and mend the register or accept what it does.",
  differencesMended: "It is mended at the register",
  acceptDifferences: "It is right so",
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
  askRetryAll: ({ count }: Count) =>
    `${count} ${count === 1 ? "receipt is" : "receipts are"} queued and printed again. Go on?`,
  askAccept: ({ register }: RegisterParameters) => `${register} will print on the device that answers now. Go on?`,
  askDifferencesMended: ({ register }: RegisterParameters) =>
    `Receipts that wait on ${register} are printed; the first ones are compared again with what was sent. Go on?`,
  askAcceptDifferences:
    "Receipts with this difference are taken as they are registered, until the register's firmware or registration changes. Go on?",
  askResend: ({ site }: { readonly site: string }) => `The result is sent to ${site} again. Go on?`,
  askPause: ({ register }: RegisterParameters) =>
    `${register} prints no orders until you let it go on. A receipt in hand is finished; orders wait or go to another register of its group; the shift is closed as ever. Go on?`,
  askResume: ({ register }: RegisterParameters) => `${register} prints what waits for it. Go on?`,
  askTestSlip: ({ register }: RegisterParameters) => `${register} prints a few lines that are no receipt. Go on?`,
  askCopy: ({ order }: { readonly order: string }) =>
    `The register prints a copy of the receipt of order ${order} once more; nothing is sold by it. Go on?`,
  awayNow: "The register is not ready now: this may be done later, when it is back.",
  askX: ({ register }: RegisterParameters) => `${register} prints an X report; the shift stays open. Go on?`,
  askZ: ({ register }: RegisterParameters) => `${register} closes its shift and prints the Z report. Go on?`,
  askSync: ({ site }: { readonly site: string }) => `${site} is sent the list of its registers. Go on?`,
  askRetry: ({ order }: { readonly order: string }) =>
    `The receipt of order ${order} is queued and printed again. Go on?`,
  askApprove: ({ order }: { readonly order: string }) => `The receipt of order ${order} is printed as it is. Go on?`,
  askSetAside: ({ order }: { readonly order: string }) =>
    `Order ${order} stays not printed and leaves the decisions. Go on?`,
  askPrintAnother: ({ order }: { readonly order: string }) =>
    `Order ${order} is printed as one receipt more, although an equal one is printed. Go on?`,
  askSameReceipt: ({ order }: { readonly order: string }) =>
    `Nothing is printed: the site gets the result of the receipt of order ${order} again. Go on?`,
  askSetAsideAll: ({ count }: Count) => `${count} of them stay not printed and leave the decisions. Go on?`,
  askCancel: ({ order }: { readonly order: string }) =>
    `The receipt of order ${order} will not be printed, and the site gets this as the result. Go on?`,
  askNotPrinted: ({ order, unread }: { readonly order: string; readonly unread: number }) =>
    `The receipt of order ${order} will be printed. If it was registered already, the buyer pays twice in the tax office's eyes. ${
      unread === 0
        ? ""
        : unread === 1
          ? "One document could not be read: find it on the tape or in the OFD's cabinet, and tick it if it is another receipt. "
          : `${unread} documents could not be read: find them on the tape or in the OFD's cabinet, and tick those that are other receipts. `
    }Go on?`,
  notPrintedRefusals: {
    "job.already-printed":
      "The receipt was found in the fiscal drive: the order is printed, and the site will be told. It need not be printed.",
    "job.document-unread":
      "Nothing was done: a document that may be this receipt cannot be read. Find it on the tape or in the OFD's cabinet. " +
      "If it is another receipt, press the button again and tick it.",
  },
  checkedDocument: ({ fd }: { readonly fd: number }) => `I have checked document ${fd}: it is another receipt`,
  askPrinted: "The number of its document (FD), from the paper or the OFD's cabinet:",
  yes: "Yes, go on",
  no: "No",
  done: "Done.",
  acting: "Under way…",
  noAnswer:
    "No answer: it is not known whether this was done. Before you repeat it, look at the orders and the register.",
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
  unsureNotice: 'The answer "outcome unknown"',
  tries: ({ count }: Count) => `${count} ${count === 1 ? "try" : "tries"}`,
  jobStates: {
    queued: "waits",
    held: "waits for a decision",
    printing: "prints",
    unsure: "outcome unknown",
    printed: "printed",
    failed: "not printed",
    refused: "refused",
    cancelled: "cancelled",
  },
  jobDone: "done",
  siteStates: { green: "answers", yellow: "answers", red: "trouble", grey: "not asked yet" },
  ages: {
    now: "just now",
    minutes: ({ count }: Count) => `${count} min`,
    hours: ({ count }: Count) => `${count} h`,
    days: ({ count }: Count) => `${count} days`,
  },
  asOf: ({ at }: { readonly at: string }) => `As of ${at}`,
  log: "Log",
  logLevel: "Level",
  logLevels: {
    error: "errors only",
    warn: "errors and warnings",
    info: "everything of note",
    debug: "everything, with details",
  },
  logOrder: "Order",
  logAll: "all",
  logEmpty: "No such line among the last ones.",
  logText: "What happened",
  poll: "Check now",
  askPoll: ({ site }: { readonly site: string }) => `${site} is asked for orders at once. Go on?`,
  move: ({ register }: { readonly register: string }) => `Print on ${register}`,
  askMove: ({ order, register }: Moved) =>
    `The receipt of order ${order} will be printed on ${register} instead. Go on?`,
  askResendResult: ({ order }: { readonly order: string }) =>
    `The result of order ${order} is sent to its site again. Go on?`,
  resendAll: "Send those shown again",
  askResendAll: ({ count }: Count) => `${count} results are sent to their sites again. Go on?`,
  day: "The day",
  dayLabel: "Show the day",
  downloadCsv: "Table for a spreadsheet (CSV)",
  kind: "What",
  count: "Receipts",
  sales: "Sales",
  returns: "Returns",
  paymentType: "Paid",
  paymentTypes: ["cash", "electronically", "by prepayment", "on credit", "by counter-provision"],
  otherPayment: ({ type }: { readonly type: number }) => `type ${type}`,
  shifts: "Shifts against the registers' own counters",
  closed: "Closed at",
  ourSales: "Our sales",
  ourReturns: "Our returns",
  counted: "The register's counters",
  countedSame: "the same",
  countedOther: ({ sales, returns }: { readonly sales: string; readonly returns: string }) =>
    `sales ${sales}, returns ${returns}`,
  countedAtClosing: "read at the closing",
  noCounters: "not reported",
  whyDiffers:
    "A difference is of receipts that another program or a cashier printed, or of an order that is not settled.",
  reconciliation: "Orders, documents and results",
  reconciled: ({ orders, documents, results }: Reconciled) =>
    `${orders} orders, ${documents} documents, ${results} results accepted by the sites.`,
  nothingMissing: "Nothing is missing, nothing is there twice.",
  missing: "Ordered and not printed",
  doubled: "Printed more than once",
  unreported: "Printed, and the site has not accepted the result",
  unowned: "Receipts in the fiscal drive without an order of ours",
  perHour: ({ most }: { readonly most: number }) => `Receipts per hour, at most ${most}`,
  support: "For support",
  supportFile: "Support file",
  askSupportFile:
    "A file with the settings, the last log lines and the stories of open orders is made and downloaded, without " +
    "passwords and buyers' contacts. Go on?",
  copyNow: "Copy of the database",
  askCopyNow: "The database is copied into the folder for copies. Receipts go on being printed. Go on?",
  copied: ({ path }: Copied) =>
    `The copy is ${path}. It is put back only when the database is damaged: stop fiscald, then type ` +
    `fiscald restore "${path}"`,
};
