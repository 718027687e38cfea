import type { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { asItIs } from "@fiscald/shared/texts.js";
import { inEveryLanguage, type Messages } from "../messages/messages.js";

/** `warning`: the thing works, but a person should look at it. `bad`: something does not work. */
export type SetupLevel = "ok" | "warning" | "bad";

export interface SetupFinding {
  readonly check: keyof Messages["doctor"]["checks"];
  /** The checked site, register, file or address. */
  readonly about: string;
  readonly level: SetupLevel;
  readonly text: FaultText;
  /** Null: the person need do nothing. */
  readonly next: FaultText | null;
  /** The exact words of the system, the site or the register. */
  readonly detail: FaultText | null;
}

type Words = Messages["doctor"];
type Text = (words: Words) => string;
type Place = Pick<SetupFinding, "check" | "about">;

export function wellFinding({ check, about }: Place, text: Text): SetupFinding {
  return { check, about, level: "ok", text: inBoth(text), next: null, detail: null };
}

export function troubleFinding(
  { check, about }: Place,
  level: "warning" | "bad",
  say: (words: Words) => readonly [text: string, next: string],
  detail = "",
): SetupFinding {
  const [text, next] = [inBoth((words) => say(words)[0]), inBoth((words) => say(words)[1])];
  return { check, about, level, text, next, detail: detail === "" ? null : asItIs(detail) };
}

export function faultFinding(
  { check, about }: Place,
  fault: Pick<Fault, "text" | "hint" | "message"> & { readonly ru?: string | null; readonly code?: string },
): SetupFinding {
  // A message without Russian is a technical detail, so a Russian reader gets the code instead.
  const { message, code = "", ru = null } = fault;
  const detail = message === fault.text.en ? null : { en: message, ru: ru ?? code };
  return { check, about, level: "bad", text: fault.text, next: fault.hint, detail };
}

function inBoth(text: Text): FaultText {
  return inEveryLanguage(({ doctor }) => text(doctor));
}
