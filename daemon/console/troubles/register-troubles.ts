import { isSum } from "@fiscald/drivers/compare-tags.js";
import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import { type LocalTime, localTimeAt, secondsBetween } from "@fiscald/shared/local-time.js";
import type { WhatWaited } from "../../dispatch/dispatcher.js";
import { maskText } from "../../logging/mask.js";
import { type FaultWords, faultTextOf, faultWords, filled, hintOf } from "../../messages/fault-words.js";
import type { Language, Messages } from "../../messages/messages.js";
import { describeDifference } from "../../registers/describe-difference.js";
import { driveStop, unsentDays } from "../../registers/drive-stop.js";
import { isWorking } from "../../registers/register-machine.js";
import { AHEAD_MINUTES, driveEnds, ofdQueue, type SetRow } from "../how-set/state-rows.js";
import { type Found, found } from "./found.js";
import type { Needs, TroubleKind } from "./trouble.js";
import type { PresentFacts, PresentRegister, ProgramFacts, StoredFacts } from "./trouble-facts.js";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The state may have been read a while ago, so only a clock that is ahead can be detected (54-fz 6). */
const CLOCK_AHEAD_MS = AHEAD_MINUTES * MINUTE_MS;

type Troubled = Pick<PresentRegister, "phase" | "fault" | "pausedSince"> & {
  readonly settings: { readonly id: RegisterId };
};

/** Why a register takes no order, the first cause first; empty: it works, or connects for the first time. */
export function deviceTroubles({ settings: { id }, phase, fault, pausedSince }: Troubled): readonly Found[] {
  const paused = { code: "register.paused", message: `${id} is paused` } as const;
  return [
    ...(fault === null || phase === "stopped" ? [] : [notPrinting(id, fault, phase)]),
    ...(pausedSince === null
      ? []
      : [
          found({
            ...{ kind: "register-paused", needs: "person", register: id, fault: paused, since: pausedSince },
            say: (_, _messages, language) => ({
              text: faultTextOf(paused.code, language),
              next: hintOf(paused.code, language),
            }),
          }),
        ]),
  ];
}

function notPrinting(register: RegisterId, fault: Fault, phase: PresentRegister["phase"]): Found {
  // The fault of a block stays until a job ends well, although the register is `ready` between two tries.
  const isBlocked = isWorking(phase) || phase === "blocked";
  const kind = isBlocked ? "register-blocked" : "register-offline";
  // While the connection is tried, one fault of the link follows another, so the key does not name the fault.
  const key = [kind, register, ...(isBlocked ? [fault.code] : [])].join(" ");
  return found({
    ...{ key, kind, needs: "person", register, fault },
    isDecision: fault.code === "register.foreign-identity",
    say: (_, messages, language) => faultWords(fault, messages, language, register),
  });
}

/** Null: no daemon runs. */
export function registerTroubles(
  register: PresentRegister,
  facts: Pick<PresentFacts, "now" | "limits" | "whatWaited">,
  program: ProgramFacts | null,
): readonly Found[] {
  const { settings, state } = register;
  const { id, timeZone } = settings;
  const waited = facts.whatWaited(id);
  return [
    ...deviceTroubles(register),
    ...(waited === null ? [] : [backAfterOutage(id, waited)]),
    ...(state === null ? [] : driveTroubles(id, state, facts)),
    ...(state === null ? [] : clockTroubles(id, state, localTimeAt(facts.now, timeZone))),
    ...(state?.paper === "low" ? [look(id, "paper-low", ({ troubles }) => troubles.paperLow)] : []),
    // A drive whose term has ended closes no shift any more.
    ...(state?.shift.state === "expired" && driveStop(state) === null
      ? [look(id, "shift-expired", ({ troubles }) => troubles.shiftExpired)]
      : []),
    ...(program?.howSet(id).filter(isWrong) ?? []).map((row) => settingWrong(id, row)),
  ];
}

function backAfterOutage(register: RegisterId, { at, orders, days }: WhatWaited): Found {
  const byDay = Object.entries(days).map(([day, count]) => `${day.slice(8)}.${day.slice(5, 7)}: ${count}`);
  const waited = { orders, days: byDay.join(", ") };
  return look(register, "back-after-outage", ({ troubles }) => filled(troubles.backAfterOutage, waited), { since: at });
}

type Said = (messages: Messages, language: Language) => FaultWords;

function look(register: RegisterId, kind: TroubleKind, words: Said, more: Partial<Found> = {}): Found {
  return { ...found({ kind, needs: "look", register, say: (_, ...rest) => words(...rest) }), ...more };
}

/** Warns while the end of a drive, or of the time that its documents may wait for the OFD, can be prevented. */
function driveTroubles(
  register: RegisterId,
  state: DeviceState,
  { now, limits }: Pick<PresentFacts, "now" | "limits">,
): readonly Found[] {
  const untilDays = (days: number | null) => ({ until: days === null ? null : now + days * DAY_MS });
  const ends = driveEnds(state, limits).map(({ kind, bit, said }) =>
    look(register, kind, said, {
      ...(kind === "drive-days" ? untilDays(state.fnDaysLeft) : {}),
      ...(kind === "drive-flag" ? { key: `drive-flag ${register} ${bit}` } : {}),
    }),
  );
  // The flags of a drive whose term has ended still say that some days are left.
  const stop = driveStop(state);
  if (stop !== null) return stop.code === "device.fn-expired" ? [] : ends.filter(({ kind }) => kind === "drive-flag");
  const waitedHours = (unsentDays(state) ?? 0) * 24;
  const { left, said } = ofdQueue(waitedHours);
  return [
    ...(waitedHours > limits.unsentToOfdHours ? [look(register, "ofd-queue", said, untilDays(left))] : []),
    ...ends,
  ];
}

function clockTroubles(register: RegisterId, { clock }: DeviceState, here: LocalTime): readonly Found[] {
  const aheadMs = clock === null ? 0 : secondsBetween(here, clock) * 1000;
  if (aheadMs <= CLOCK_AHEAD_MS) return [];
  const minutes = Math.round(aheadMs / MINUTE_MS);
  return [
    look(register, "clock-ahead", ({ troubles }) => filled(troubles.clockAhead, { minutes }), { needs: "person" }),
  ];
}

/** Clock, drive and OFD have troubles of their own. */
function isWrong({ check, level }: SetRow): boolean {
  return check === "settings" && (level === "look" || level === "wrong");
}

function settingWrong(register: RegisterId, { place, value, effect }: SetRow): Found {
  const words: Said = (_, language) => ({
    text: `${place[language]}: ${value[language]}.`,
    next: effect?.[language] ?? "",
  });
  return look(register, "setting-wrong", words, { key: `setting-wrong ${register} ${place.en}` });
}

export function differenceTrouble(difference: StoredFacts["differences"][number]): Found {
  const { register, tag, sent, read, weight, fd, at, documents = [] } = difference;
  const said = describeDifference(difference, fd);
  const isHolding = weight === "hold";
  const kind = isHolding ? "receipt-altered" : "receipt-differs";
  const needs: Needs = isHolding ? "person" : "look";
  return found({
    ...{ kind, needs, register, since: at, isDecision: true, apart: JSON.stringify([tag, sent, read]) },
    orders: documents.map(({ job, name }) => ({ job, name })),
    say: (_, { troubles }, language) => {
      const { all, some, next } = troubles.receiptAltered;
      const receipts = documents.map(({ name, fd: number }) =>
        troubles.wrongReceipt({ name: maskText(name), fd: number }),
      );
      const named = receipts.length < 2 ? "" : ` ${troubles.wrongReceipts({ receipts: receipts.join(", ") })}`;
      if (!isHolding) return { text: `${said[language]}${named}`, next: troubles.receiptDiffers({ register }) };
      return { text: `${said[language]}${named} ${isSum(tag) ? all : some}`, next: next({ register, tag }) };
    },
  });
}

export function notComparedTrouble(register: RegisterId): Found {
  return look(register, "receipt-not-compared", ({ troubles }) => troubles.receiptNotCompared);
}
