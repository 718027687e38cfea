/** The options of the delivery API as flags of `fiscald-site serve`. */
import { type Command, InvalidArgumentError, Option } from "@fiscald/shared/command-line.js";
import type { MountDeliveryOptions } from "../delivery/check-options.js";

/** Options that only a program can give, or that `serve` has under other names. */
type OtherOptions = "database" | "publicUrl" | "clock" | "logger" | "resolve";
type FlagName = Exclude<keyof MountDeliveryOptions, OtherOptions>;

export type DeliveryFlags = Pick<MountDeliveryOptions, FlagName>;

/** Each flag is named like its option, so that commander's result can be passed on as it is. */
export const deliveryFlags: Readonly<Record<FlagName, Option>> = {
  path: new Option("--path <path>", "below which path all of it is, such as /delivery; default: at the root"),
  fiscalPath: new Option("--fiscal-path <path>", "where a proxy shows /fiscal below the public address"),
  bodyLimitBytes: new Option("--body-limit-bytes <bytes>", "largest body; default 5 MB").argParser(readPositive),
  requestsPerMinute: new Option(
    "--requests-per-minute <number>",
    "of one token or courier session, or off; default: 600, and 60 of an address without one",
  ).argParser((text) => (text === "off" ? false : readPositive(text))),
  strictTransitions: new Option("--strict-transitions", "delivery statuses move only along the documented arrows"),
  printPrepaymentReceipt: new Option("--print-prepayment-receipt", "a receipt at the time of a prepayment too"),
  printReceipts: new Option("--no-print-receipts", "orders become no receipts"),
  allowPrivateCallbacks: new Option("--allow-private-callbacks", "callbacks may go into private networks"),
  pageBase: new Option("--page-base <number>", "number of a list's first page, 0 or 1; default 1").argParser(readBase),
  registerTimeZone: new Option("--register-time-zone <zone>", "of the shops' registers; default Europe/Moscow"),
};

export function addDeliveryFlags(command: Command): Command {
  for (const option of Object.values(deliveryFlags)) command.addOption(option);
  return command;
}

export function readPositive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("This is a whole number above zero.");
}

function readBase(text: string): 0 | 1 {
  if (text === "0") return 0;
  if (text === "1") return 1;
  throw new InvalidArgumentError("This is 0 or 1.");
}
