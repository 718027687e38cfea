/** What the commands print, in English (messages.ts). */

export interface JobParameters {
  readonly job: number;
}
export interface RegisterParameters {
  readonly register: string;
}
export interface SiteParameters {
  readonly site: string;
}
export interface PathParameters {
  readonly path: string;
}

export interface Rates {
  readonly about: string;
  readonly rates: string;
}

export const commandTexts = {
  wasSetAside: ({ job }: JobParameters) => `job ${job} stays not printed, and no person is asked to see to it`,
  resultSentAgain: ({ job }: JobParameters) => `job ${job} stays not printed; the result of its equal is sent again`,
  cancelled: ({ job }: JobParameters) => `job ${job} is cancelled`,
  willBePrinted: ({ job }: JobParameters) => `job ${job} will be printed`,
  queuedAgain: ({ job }: JobParameters) => `job ${job} is queued again`,
  moved: ({ job, register }: JobParameters & RegisterParameters) => `job ${job} goes to ${register}`,
  settled: ({ job }: JobParameters) => `job ${job} is settled`,
  noSuchJob: "there is no such job",
  reportQueued: ({ report, register }: RegisterParameters & { readonly report: string }) =>
    `the ${report} report of ${register} is queued`,
  testSlipQueued: ({ register }: RegisterParameters) => `${register} prints the test slip`,
  copied: ({ job }: JobParameters) => `a copy of the receipt of job ${job} is printed`,
  paused: ({ register }: RegisterParameters) =>
    `${register} is paused: it prints no orders until \`fiscald resume ${register}\``,
  resumed: ({ register }: RegisterParameters) => `${register} prints again`,
  declaredLost: ({ register }: RegisterParameters) =>
    `at the next start orders are compared with the receipts that are on ${register} already`,
  differencesAccepted: ({ register }: RegisterParameters) =>
    `what ${register} does to receipts is accepted; \`status\` names what receipts still wait for`,
  differencesMended: ({ register }: RegisterParameters) =>
    `receipts that waited on ${register} are printed, and the first ones are compared again`,
  lossColumns: ["JOB", "ORDER", "FIRST LINE", "WHAT", "SUM", "|", "DRIVE", "FD", "TIME", "WHAT", "SUM"] as const,
  ordersSinceLoss: ({ register, jobs }: RegisterParameters & { readonly jobs: string }) =>
    `Since the database was lost these orders wait: each may be one of the documents. Nothing is changed yet.\n` +
    `Is a document that of an order: \`fiscald resolve JOB --printed FD\`. Then print the others and accept the register:\n` +
    `  fiscald accept-identity ${register} --orders ${jobs}`,
  accepted: ({ register }: RegisterParameters) => `${register} is accepted as it is`,
  resent: ({ event }: { readonly event: number }) => `event ${event} will be delivered again`,
  synced: ({ site }: SiteParameters) => `the list of registers goes to ${site}`,
  jobColumns: ["JOB", "STATE", "SITE", "ORDER", "REGISTER", "WHAT", "SUM", "FD", "TIME", ""] as const,
  noLines: ({ days, path }: PathParameters & { readonly days: number }) =>
    `no such line in the last ${days} day(s) of ${path}`,
  configRight: ({ path, sites, registers }: PathParameters & { readonly sites: number; readonly registers: number }) =>
    `${path} is right: ${sites} site(s), ${registers} register(s)`,
  lookAt: "look at",
  ratesOn: ({ day }: { readonly day: string }) => `VAT on ${day}:`,
  changes: "CHANGE",
  rateOnDay: {
    refused: ({ about, rates }: Rates) => `${about}: sales at ${rates} are refused; refunds and method 7 are printed`,
    allowed: ({ about, rates }: Rates) => `${about}: sales at ${rates} are printed (\`rates.allow20\`)`,
    unset: ({ about }: Rates) => `${about}: a position without a tax is refused (\`defaultTax\` is not set)`,
    default: ({ about, rates }: Rates) => `${about}: a position without a tax is printed at ${rates}`,
    outdated: ({ about, rates }: Rates) =>
      `${about}: a position without a tax would be printed at ${rates}, which is not in force: change \`defaultTax\``,
    unread: ({ about, rates }: Rates) =>
      `${about}: row ${rates} (\`defaultTax\`) has not been read from the register yet`,
  },
  restored: ({ path, copy }: PathParameters & { readonly copy: string }) => `${path} is now the copy ${copy}`,
  renamed: ({ path }: PathParameters) => `the replaced file was renamed to ${path}`,
  startAfterRestore: "Start the daemon: it compares the registers' documents with the jobs before it prints anything.",
  bundleMissing: ({ what }: { readonly what: string }) => `missing in the bundle: ${what}`,
  bundleMasked: "Buyers' contacts, passwords and tokens are masked. Check the bundle, then send it to support.",
  serviceInstalled: "installed and started; `fiscald service status` shows the service, `fiscald status` what it does",
  serviceRemoved: "the service is removed; config and data stay where they are",
  noService: "the service is not installed (`fiscald service install`)",
};
