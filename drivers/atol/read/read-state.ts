import { Fault } from "@fiscald/shared/fault.js";
import { addSeconds, type LocalTime, partsOf, secondsBetween } from "@fiscald/shared/local-time.js";
import { closedArchive } from "../../driver-parts.js";
import type { DeviceState, ShiftTotals } from "../../fiscal-driver.js";
import { type Answer, answerTo, drawerOf } from "../protocol/answers.js";
import type { PrintServiceClient } from "../protocol/client.js";
import { taxSystemBits } from "../protocol/enums.js";
import { blockedFault, type JobClient } from "../protocol/job-client.js";
import type { RegisterFacts } from "../protocol/models.js";

const DAY = 86_400;
const closedPhases: readonly unknown[] = ["postFiscalMode", "accessArchive"];

export async function readFacts(desk: JobClient, signal: AbortSignal): Promise<RegisterFacts> {
  const [info, fn, registration] = await desk.ask(["getDeviceInfo", "getFnInfo", "getRegistrationInfo"], signal);
  const { deviceInfo } = answerTo("getDeviceInfo", info);
  const { fnInfo } = answerTo("getFnInfo", fn);
  const { organization, device } = answerTo("getRegistrationInfo", registration);
  return {
    identity: {
      kkm: device.registrationNumber,
      inn: organization.vatin,
      fn: fnInfo.serial,
      serial: deviceInfo.serial,
      model: deviceInfo.modelName,
      firmware: deviceInfo.firmwareVersion,
      ffd: device.ffdVersion ?? deviceInfo.ffdVersion ?? null,
      taxSystems: taxSystemBits(organization.taxationTypes),
    },
    registeredForInternet: device.internet ?? null,
    lineLength: deviceInfo.receiptLineLength,
    lineDots: deviceInfo.receiptLineLengthPix ?? null,
  };
}

export interface ReadParts {
  readonly client: PrintServiceClient;
  readonly desk: JobClient;
}

export interface StateParts extends ReadParts {
  readonly unfinished: boolean;
}

export async function readState({ client, desk, unfinished }: StateParts, signal: AbortSignal): Promise<DeviceState> {
  await requireFreeQueue(client, signal);
  const answers = await desk.ask(
    ["getFnInfo", "getFnStatus", "getShiftStatus", "getDeviceStatus", "getShiftTotals", "ofdExchangeStatus"],
    signal,
  );
  const [info, fn, shift, device, totals, ofd] = answers;
  const { fnInfo } = answerTo("getFnInfo", info);
  const { fnStatus } = answerTo("getFnStatus", fn);
  const { shiftStatus } = answerTo("getShiftStatus", shift);
  const { deviceStatus } = answerTo("getDeviceStatus", device);
  const { shiftTotals } = answerTo("getShiftTotals", totals);
  const { status } = answerTo("ofdExchangeStatus", ofd);
  const clock = deviceStatus.currentDateTime;
  const { expiredTime, number, state } = shiftStatus;
  const expiry = timeOrNull(fnInfo.validityDate);
  return {
    fn: fnInfo.serial,
    lastFd: fnStatus.fiscalDocumentNumber,
    shift: { number, state },
    paper: deviceStatus.paperPresent ? "present" : "out",
    coverOpen: deviceStatus.coverOpened,
    // A receipt is one task, which cannot stay open. Other programs' receipts are not reported.
    openReceipt: null,
    print: unfinished ? "unfinished" : "idle",
    drawer: drawerOf(shiftTotals),
    unsent: {
      count: status.notSentCount,
      firstAt: status.notSentCount === 0 ? null : timeOrNull(status.notSentFirstDocDateTime),
    },
    clock,
    shiftOpenedAt: state === "closed" || expiredTime == null ? null : addSeconds(expiredTime, -DAY),
    fnWarnings: warningBits(fnInfo.warnings),
    fnDaysLeft: expiry === null ? null : Math.ceil(secondsBetween(clock, expiry) / DAY),
    fnDocumentsLeft: null,
    blockedBy: blockOf(deviceStatus) ?? (closedPhases.includes(fnInfo.livePhase) ? closedArchive() : null),
  };
}

/** The service writes the year 1970 for an unknown time. */
function timeOrNull(time: LocalTime | null | undefined): LocalTime | null {
  return time == null || partsOf(time).year === 1970 ? null : time;
}

/** Throws when the service's queue is blocked, because any query would wait in the queue. */
async function requireFreeQueue(client: PrintServiceClient, signal: AbortSignal): Promise<void> {
  const { isBlocked, reason } = await client.queue(signal);
  if (isBlocked) throw blockedFault(reason);
}

/** Throws the obstacle to printing a receipt now. Sends two queries, where a reading of the whole state sends seven. */
export async function requireReady(
  { client, desk }: ReadParts,
  wanted: "open" | "any",
  signal: AbortSignal,
): Promise<void> {
  await requireFreeQueue(client, signal);
  const [answer] = await desk.ask(["getDeviceStatus"], signal);
  const { deviceStatus } = answerTo("getDeviceStatus", answer);
  const block = blockOf(deviceStatus);
  if (block !== null) throw block;
  if (wanted === "any" || deviceStatus.shift === "open") return;
  throw new Fault(deviceStatus.shift === "expired" ? "device.shift-expired" : "device.shift-closed");
}

export async function readShiftTotals(desk: JobClient, signal: AbortSignal): Promise<ShiftTotals> {
  const [answer] = await desk.ask(["getShiftTotals"], signal);
  const { shiftNumber, receipts } = answerTo("getShiftTotals", answer).shiftTotals;
  const { sell, sellReturn } = receipts;
  return {
    shift: shiftNumber,
    sales: sell.sum,
    returns: sellReturn.sum,
    saleCount: sell.count,
    returnCount: sellReturn.count,
  };
}

/** Null: printing is possible. */
function blockOf(status: Answer<"getDeviceStatus">["deviceStatus"]): Fault | null {
  if (!status.fnPresent) return new Fault("device.fn-failure", { message: "the register has no fiscal drive" });
  if (status.coverOpened) return new Fault("device.cover-open");
  if (!status.paperPresent) return new Fault("device.paper-out");
  return status.blocked ? new Fault("device.hardware", { message: "the register says that it is blocked" }) : null;
}

/** Warning bits of the drive (54-fz 7). */
function warningBits(warnings: Answer<"getFnInfo">["fnInfo"]["warnings"]): number {
  const bits: readonly (readonly [boolean | undefined, number])[] = [
    [warnings?.needReplacement, 0x01],
    [warnings?.resourceExhausted, 0x02],
    [warnings?.memoryOverflow, 0x04],
    [warnings?.ofdTimeout, 0x08],
    [warnings?.criticalError, 0x80],
  ];
  return bits.reduce((sum, [on, bit]) => (on === true ? sum | bit : sum), 0);
}
