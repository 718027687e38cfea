/**
 * The steps before the first byte of a job: the register passes the preflight (preflight.ts), its shift is young
 * enough, none of its new documents is the job's receipt, and the job is compiled for this register.
 */

import type { DocumentTags } from "@fiscald/drivers/fiscal-document.js";
import type { DeviceState, ShiftState } from "@fiscald/drivers/fiscal-driver.js";
import type { Program } from "@fiscald/drivers/program.js";
import { changesReceipt, haveChanged } from "@fiscald/drivers/receipt-setting.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import type { Job } from "../../store/job.js";
import { type RegisterTools, requireAsConnected } from "../connected-register.js";
import { settleClosed } from "../recovery/closed-already.js";
import { sweepAt } from "../recovery/sweep.js";
import { settleBeforePrint } from "../recovery/waiting-jobs.js";
import type { RegisterKnowledge } from "../register-knowledge.js";
import type { PrintOutcome } from "../register-machine.js";
import { isShiftClose, queueShiftClose, reasonToClose } from "../shift/queue-shift-close.js";
import { shiftAtHand } from "../shift/shift-age.js";
import { compareBefore } from "./check-documents.js";
import { compileJob } from "./compile-job.js";
import { holdIfOld } from "./order-age.js";
import { isRefusal, readRestingState, troubleOf } from "./preflight.js";
import { holdIfSold } from "./sold-without-site.js";

export interface PrintJobOptions extends RegisterTools {
  /** Another register of the group may have a feature that this register lacks. */
  readonly mayPass: boolean;
  /** Facts that are learned while the job is prepared are added here. */
  readonly known: RegisterKnowledge;
  onState(state: DeviceState): void;
}

export interface Prepared {
  readonly job: Job;
  readonly programs: readonly Program[];
  readonly state: DeviceState;
}

export async function prepareJob(options: PrintJobOptions, job: Job): Promise<Prepared | PrintOutcome> {
  const { context } = options;
  const { stores } = context;
  const state = await readForJob(options, job);
  const trouble = troubleOf(state, options.known);
  if (trouble !== null) return { kind: "blocked", fault: trouble, visible: true };
  if (state.print === "printing") return { kind: "finishing" };
  const reason = isShiftClose(job) ? null : reasonToClose(context, state);
  if (reason !== null) {
    queueShiftClose(context, reason);
    return { kind: "again", afterMs: 0 };
  }
  const record = stores.registers.find(context.settings.id);
  if (record !== null && record.lastFd !== state.lastFd) {
    const documents = await answerTo(sweepAt(options, state, { due: [], readAgain: [] }));
    // The report on a changed registration is one of the documents of type "other".
    const mayBeRegistration = documents.some(({ type }) => type === "other" || type === "unknown");
    if (mayBeRegistration) await answerTo(requireAsConnected(context, options.connected, options.signal));
  }
  const before = stores.jobs.find(job.id);
  if (before?.state === "queued") settleBeforePrint(context, options.recorder, before);
  const waiting = stores.jobs.find(job.id);
  if (waiting?.state !== "queued") return { kind: "done" };
  if (holdIfSold(options, waiting) || holdIfOld(options, waiting)) return { kind: "done" };
  if (isShiftClose(waiting) && settleClosed(options, waiting, state)) return { kind: "done" };
  // Tax tables change while the shift is closed, at the keypad, and may have been altered on the wire.
  const areChecked = state.shift.state !== "closed" && shiftAtHand(state.shift) === options.known.shiftOfTables;
  if (waiting.kind === "receipt" && !areChecked) await checkTables(options, state.shift);
  if (waiting.kind === "receipt") await answerTo(requireRightSettings(options, null));
  const programs = await compileWithRows(options, waiting, state);
  await answerTo(requireRightSettings(options, programs));
  await compareBefore(options, programs);
  return { job: waiting, programs, state };
}

const causedByRows: readonly string[] = ["device.tax-unknown", "order.wrong-value", "register.setting-wrong"];

/** Before the job fails for a tax row, the rows are read again, because an earlier reading may be wrong. */
async function compileWithRows(options: PrintJobOptions, job: Job, state: DeviceState): Promise<readonly Program[]> {
  const { known, context } = options;
  try {
    return await compileJob(options, job, state);
  } catch (error) {
    if (isFault(error) && causedByRows.includes(error.code) && !known.areRowsConfirmed(context.clock.monotonic())) {
      await checkTables(options, state.shift);
      known.rowsConfirmedAt = context.clock.monotonic();
    }
    throw error;
  }
}

/** Throws `link.lost` when the tables have changed since the connect, so that all of them are read again. */
async function checkTables({ context, connected, signal, known }: PrintJobOptions, shift: ShiftState): Promise<void> {
  const now = await answerTo(context.driver.readTables(signal));
  if (JSON.stringify(now) !== JSON.stringify(connected.tables)) {
    throw new Fault("link.lost", { message: "the register's tables have changed: it is connected again" });
  }
  known.shiftOfTables = shiftAtHand(shift);
}

/**
 * Throws `register.setting-wrong` for a receipt that the register would change by a setting. Throws `link.lost` when
 * the settings have changed since the connect, so that all are read again. When `programs` is null, they are not known
 * yet, and only a setting that changes every receipt counts.
 */
async function requireRightSettings(
  { context: { driver }, connected, signal }: PrintJobOptions,
  programs: readonly Program[] | null,
): Promise<void> {
  const [sent] = programs === null ? [nothingSent] : programs.flatMap((program) => program.sent ?? []);
  const wrong = connected.settings.find((setting) => {
    return (
      sent !== undefined && changesReceipt(setting, sent) && (programs !== null || setting.changes?.kind === "all")
    );
  });
  if (wrong === undefined) return;
  const now = (await driver.readSettings?.(signal)) ?? [];
  if (haveChanged(connected.settings, now)) {
    throw new Fault("link.lost", { message: "the register's settings have changed: it is connected again" });
  }
  const { place, value, right } = wrong;
  const message = orderReasons.settingWrong({ place, value: value ?? "", right: right.at(-1) ?? "" });
  throw new Fault("register.setting-wrong", { message, details: { place: place.en, value, right } });
}

const nothingSent: DocumentTags = { head: {}, items: [] };

export async function readForJob(
  { context, connected, signal, onState }: PrintJobOptions,
  { receipt }: Job,
): Promise<DeviceState> {
  // Only cash jobs are proven by the drawer counters, so a receipt needs no fresh counters.
  const forReceipt = receipt.kind === "receipt";
  const state = await answerTo(readRestingState(context, connected, signal, { forReceipt }));
  onState(state);
  return state;
}

/** A refused question says nothing about the job, so the connection is made again; the next sweep may then block. */
async function answerTo<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new Fault("link.corrupt", { message: `it refuses a question: ${error.message}`, cause: error });
  }
}
