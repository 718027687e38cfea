import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import { faultCodes } from "@fiscald/shared/fault-codes.js";
import { z } from "zod";
import { lacksDefaultTax } from "../../config/cross-checks.js";
import type { RegisterConfig } from "../../config/register-schema.js";
import { type SetRow, setChecks, setLevels } from "../../console/how-set/state-rows.js";
import { inEveryLanguage } from "../../messages/messages.js";
import { faultFinding, type SetupFinding, troubleFinding, wellFinding } from "../../setup/finding.js";
import { bothLanguages } from "../terminal/causes.js";

const setRow: z.ZodType<SetRow> = z.object({
  check: z.enum(setChecks),
  place: bothLanguages,
  value: bothLanguages,
  right: bothLanguages.nullable(),
  level: z.enum(setLevels),
  effect: bothLanguages.nullable(),
});

/** The part of the API's `registerView` (console/views.ts) that `status` and `doctor` read. */
export const registerHead = {
  id: z.string(),
  settings: z.array(setRow).default([]),
};
export const setRegister = z.object({
  ...registerHead,
  identity: z.object({ model: z.string(), kkm: z.string(), fn: z.string().default("") }).nullable(),
});
export type SetRegister = z.output<typeof setRegister>;

/** `identity` and `state` are null when the register was not asked. */
export interface AnsweredRegister extends SetRegister {
  readonly fault: Pick<Fault, "code" | "message" | "text" | "hint"> | null;
  readonly state: Pick<DeviceState, "paper" | "coverOpen"> | null;
}

export function answerFindings(
  { fault, identity, state }: AnsweredRegister,
  { connection }: RegisterConfig,
  name: string,
): readonly SetupFinding[] {
  const register = { check: "register", about: name } as const;
  const port = { check: "port", about: `${name} ${placeOf(connection)}` } as const;
  if (fault !== null) {
    const isLink = fault.code.startsWith("link.");
    return [
      ...(isLink ? [] : [wellFinding(port, (words) => words.port.opens)]),
      faultFinding(isLink ? port : register, fault),
    ];
  }
  if (identity === null) return [];
  const { model, kkm } = identity;
  return [
    wellFinding(port, (words) => words.port.opens),
    wellFinding(register, (words) => words.register.answers({ model, kkm })),
    ...paperFindings(register, state),
  ];
}

/** Leaves out what `answerFindings` or the troubles of a running daemon say. */
export function setFindings(
  { identity, settings }: SetRegister,
  register: RegisterConfig,
  name: string,
): readonly SetupFinding[] {
  return [
    ...driveFindings(identity?.fn ?? "", register, name),
    ...settings.map((row) => setFinding(name, row)),
    ...defaultTaxFindings(register, name),
  ];
}

/** The numbers of drives that makers sell for trials begin with this. Their documents reach no tax office. */
const TRIAL_DRIVE = "9999";

function driveFindings(fn: string, { connection }: RegisterConfig, about: string): readonly SetupFinding[] {
  if (connection.kind === "emulator") {
    const place = { check: "register", about } as const;
    return [troubleFinding(place, "warning", ({ register }) => [register.emulator, register.emulatorNext])];
  }
  if (!fn.startsWith(TRIAL_DRIVE)) return [];
  const place = { check: "drive", about } as const;
  return [troubleFinding(place, "warning", ({ drive }) => [drive.trial({ fn }), drive.trialNext])];
}

function placeOf(connection: RegisterConfig["connection"]): string {
  switch (connection.kind) {
    case "serial":
      return connection.path;
    case "tcp":
      return `${connection.host}:${connection.port}`;
    case "http":
      return connection.url;
    case "emulator":
      return "emulator";
  }
}

function paperFindings(
  place: Pick<SetupFinding, "check" | "about">,
  state: AnsweredRegister["state"],
): readonly SetupFinding[] {
  const low = (part: "text" | "next") => inEveryLanguage(({ troubles }) => troubles.paperLow[part]);
  return [
    ...(state?.coverOpen === true ? [faultFinding(place, new Fault("device.cover-open"))] : []),
    ...(state?.paper === "out" ? [faultFinding(place, new Fault("device.paper-out"))] : []),
    ...(state?.paper === "low"
      ? [{ ...place, level: "warning" as const, text: low("text"), next: low("next"), detail: null }]
      : []),
  ];
}

export function setFinding(about: string, { check, place, value, level, effect }: SetRow): SetupFinding {
  const isSetting = check === "settings";
  const own = (language: "en" | "ru") => (isSetting ? `${place[language]}: ${value[language]}.` : value[language]);
  // A wrong setting holds back some receipts. A drive whose term has ended holds back all of them.
  const levels = {
    ok: "ok",
    note: "ok",
    unproven: "warning",
    look: "warning",
    wrong: isSetting ? "warning" : "bad",
  } as const;
  const isNote = level === "note" && effect !== null;
  const text = (language: "en" | "ru") => (isNote ? `${own(language)} ${effect[language]}` : own(language));
  const next = isNote ? null : effect;
  return { check, about, level: levels[level], text: { en: text("en"), ru: text("ru") }, next, detail: null };
}

function defaultTaxFindings(register: RegisterConfig, about: string): readonly SetupFinding[] {
  if (!lacksDefaultTax(register)) return [];
  const { text, hint } = faultCodes["config.default-tax"];
  return [{ check: "settings", about, level: "warning", text, next: hint, detail: null }];
}
