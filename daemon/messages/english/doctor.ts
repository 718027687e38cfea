/** What `doctor` finds, in English (messages.ts). */

export interface DoctorCount {
  readonly count: number;
}
export interface DoctorMinutes {
  readonly minutes: number;
}

export const doctorTexts = {
  begins: "Checking; nothing is printed, and no site is asked for an order. This takes up to half a minute.",
  running: "The daemon runs.",
  notRunning: "The daemon does not run: registers are asked directly.",
  nextTitle: "What to do",
  allWell: "All is well.",
  found: ({ bad, warnings }: { readonly bad: number; readonly warnings: number }) =>
    `To mend: ${bad}, to look at: ${warnings}.`,
  levels: { ok: "ok", warning: "LOOK", bad: "BAD" },
  checks: {
    files: "files",
    console: "console",
    proxy: "proxy",
    site: "site",
    poll: "polls",
    clock: "clock",
    port: "port",
    register: "register",
    drive: "fiscal drive",
    ofd: "OFD",
    settings: "settings",
  },
  files: {
    text: "This user may read and write there.",
    forbidden: "This user may not write there.",
    unreadable: "This user may not read there.",
    next: "Give the folder to the user that the daemon runs as, or run this command as that user.",
  },
  console: { free: "The port is free.", answers: "The daemon answers there." },
  proxy: {
    none: "No variable names a proxy; sites are called directly.",
    set: ({ names }: { readonly names: string }) => `${names} names a proxy, but sites are called directly.`,
    next: "Let this computer reach the sites without the proxy, if the site cannot be reached.",
  },
  site: {
    answers: ({ status, ms }: { readonly status: number; readonly ms: number }) =>
      `It answers within ${ms} ms (HTTP ${status}).`,
    redirects: ({ status }: { readonly status: number }) => `It redirects (HTTP ${status}).`,
    redirectNext: "Put the address that it redirects to into the config.",
    certificate: ({ count }: DoctorCount) => `Its certificate expires in ${count} days.`,
    certificateNext: "Renew the site's certificate.",
    steps: {
      dns: "Its name is not found (DNS).",
      tcp: "Its name is known, but no connection is made (TCP).",
      tls: "It is connected, but no secure connection is made (TLS).",
      http: "It is connected, but does not answer (HTTP).",
    },
    nextTcp: "Check the internet connection, the firewall and the port in the address.",
    polled: "The last poll was answered as it should be.",
    notPolled: "Not polled yet.",
  },
  clock: {
    right: "This computer's clock agrees.",
    off: ({ minutes }: DoctorMinutes) => `This computer's clock differs by ${minutes} min.`,
    next: "Set date, time and time zone of this computer, and switch time synchronisation on.",
    register: ({ minutes }: DoctorMinutes) => `The register's clock differs by ${minutes} min from this computer's.`,
    registerNext:
      "Check both clocks and `timeZone` in the config; the service engineer sets a register's clock that is ahead.",
  },
  port: { opens: "It opens, and the register is behind it." },
  register: {
    answers: ({ model, kkm }: { readonly model: string; readonly kkm: string }) => `It answers: ${model}, kkm ${kkm}.`,
    emulator: "An emulated register: nothing fiscal happens.",
    starting: "It is being connected and checked.",
    startingNext: "Run `fiscald doctor` again in a minute.",
    unknown: "Not asked: the daemon runs, but its console is closed.",
    paperOut: "There is no paper.",
    paperLow: "Paper runs low.",
    paperNext: "Put in a new roll.",
    coverOpen: "The cover is open.",
    coverNext: "Close the cover.",
  },
  drive: {
    well: "Nothing is reported about it.",
    daysLeft: ({ count }: DoctorCount) => `It lives for ${count} more days.`,
    documentsLeft: ({ count }: DoctorCount) => `It holds ${count} more documents.`,
    next: "Order a new drive and a service visit.",
  },
  ofd: {
    none: "No document waits for the OFD.",
    unreported: "The register does not report its queue.",
    waiting: ({ count }: DoctorCount) => `Documents that wait for the OFD: ${count}.`,
    late: ({ count, hours }: DoctorCount & { readonly hours: number }) =>
      `Documents that wait for the OFD: ${count}, the oldest for ${hours} h.`,
    next: "Check the register's network and its OFD settings; after 30 days the drive blocks.",
  },
};
