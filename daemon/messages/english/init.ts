/** Questions and answers of `init` and `discover`, in English (messages.ts). */
import type { PathParameters } from "./commands.js";

export interface Id {
  readonly id: string;
}

export const initTexts = {
  begins: ({ path }: PathParameters) => `Makes the config ${path}. Enter takes the answer in [brackets].`,
  mayReplace: ({ path, old }: PathParameters & { readonly old: string }) =>
    `${path} exists. Write a new one (the present one is renamed to ${old})`,
  nothingWritten: "Nothing was written.",
  written: ({ path, count }: PathParameters & { readonly count: number }) =>
    `Written: ${path}, with ${count} register(s).`,
  passwordIn: ({ path }: PathParameters) => `A password is in ${path}, readable by this user only.`,
  secretIn: ({ path }: PathParameters) => `The secret is in ${path}, readable by this user only.`,
  giveSecret: ({ secret }: { readonly secret: string }) => `Give it to the site, which does not know it yet: ${secret}`,
  next: "Next",
  zones: ({ zones }: { readonly zones: string }) =>
    `Time zone of the registers: ${zones} (\`timeZone\`). Shifts are closed before they are 24 hours old;`,
  closing: "a time of day for it is `closeShiftAt`, such as 23:50.",
  noDefaultTax: ({ ids }: { readonly ids: string }) =>
    `No position without a tax is printed by ${ids}: the site names one, or \`defaultTax\` does.`,
  yesNo: "y/n",
  site: {
    orders: "Address of the site's handler, such as https://shop.example/fiscal",
    isOneAddress: "Do all calls go to this one address",
    id: "Short name of the site, for logs and commands",
    format: "Format of its orders",
    encoding: "How calls are encoded",
    auth: "How the daemon authenticates to the site",
    result: "Address for the print results",
    sync: "Address for the list of registers (Enter = not sent)",
    activity: "Address for connects and disconnects (Enter = not sent)",
    zreport: "Address for Z-reports (Enter = not sent)",
    error: "Address for orders that could not be read (Enter = not sent)",
    user: "User",
    header: "Name of the header",
    secret: "The secret that the site knows (Enter = generate a new one)",
  },
  register: {
    use: ({ what }: { readonly what: string }) => `Use ${what}`,
    at: "at",
    kkm: "kkm",
    inn: "INN",
    unread: ({ reason }: { readonly reason: string }) => `, whose identity cannot be read: ${reason},`,
    sameRegister: " (the same register on another connection)",
    another: "Add another register by hand",
    title: ({ id }: Id) => `${id}: its name for people`,
    group: "Group: registers of one group replace one another (none = no group)",
    cashier: "Cashier for orders without a cashier: position and surname",
    taxSystem: "Tax system for orders without one",
    orDefault: "(Enter = default)",
    connection: "How is the register connected? `emulator` is an emulated register for trials: nothing fiscal happens",
    maker: "Protocol of the maker",
    serialPort: "Serial port",
    baudRate: "Baud rate",
    host: "Address of the register",
    tcpPort: "TCP port",
    service: "Address of the service",
    memoryFile: "File for the emulator's memory",
  },
  problems: {
    needed: "an answer is needed here",
    yesNo: "answer y or n",
    oneOf: ({ choices }: { readonly choices: string }) => `answer one of: ${choices}`,
    address: "must be an address that begins with http:// or https://",
    id: "letters, digits, dot, dash and underscore only",
    group: "letters, digits, dot, dash and underscore",
    signature: "must be base64, with or without `whsec_` before it",
    tooLong: ({ most }: { readonly most: number }) => `at most ${most} letters`,
    notValid: "is not valid",
    number: ({ from, to }: { readonly from: number; readonly to: number }) => `a number from ${from} to ${to}`,
  },
};

export const discoverTexts = {
  looking: "Looking for registers; nothing is printed or written on any of them. This may take half a minute.",
  found: ["DRIVER", "MODEL", "KKM", "INN", "FN", "CONNECTION", ""] as const,
  others: ["NO REGISTER FOUND AT", "", "USB", "WHY"] as const,
  states: {
    busy: "busy",
    forbidden: "forbidden",
    silent: "silent",
    foreign: "foreign",
    closed: "closed",
    "not-asked": "not-asked",
  },
  ofDaemon: ({ id }: Id) => `register ${id} of the running daemon is here: see \`fiscald status\``,
  nothing: ({ advice }: { readonly advice: string }) => `
No register was found. What to do:
  - switch the register on, connect it, wait until it has started, and look again;
  - close every other program that uses it (driver tests, 1C, the maker's utilities): one port has one owner;
  - over the network: fiscald discover --host ADDRESS[:PORT], with the address that the register prints on its
    start-up slip or keeps in its settings;
  - on a serial port that is not listed: fiscald discover --port PATH;
${advice}  - on Linux, the user needs the group of the port (dialout): see \`ls -l PATH\`.
`,
};
