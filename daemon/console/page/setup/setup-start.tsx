/** Waits until fiscald answers after its start, and leads to the operator's page. */
import { useEffect, useState } from "preact/hooks";
import type { ChangeView } from "../../setup/change-api.js";
import type { SetupView } from "../../setup/setup-api.js";
import { ask, isRefused } from "./setup-calls.js";
import type { SpokenSetup } from "./setup-words.js";

const BACK_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 1000;

interface StartProps extends Pick<SpokenSetup, "words"> {
  /** Start time of the daemon that is ending; null = this is the first start. */
  readonly before: number | null;
}

export function Start({ before, words: { change } }: StartProps) {
  const [step, setStep] = useState<"starting" | "running" | "not-back">("starting");
  useEffect(() => void isBack(before).then((is) => setStep(is ? "running" : "not-back")), []);
  const texts = { starting: change.applying, running: change.applied, "not-back": change.notBack };
  return (
    <>
      <div role="status">
        <h2>{texts[step]}</h2>
      </div>
      {step === "running" ? (
        <p>
          <a href="/">{change.toPage}</a>
        </p>
      ) : null}
    </>
  );
}

/** True when a daemon answers that was started since, and this browser has its session. */
async function isBack(before: number | null): Promise<boolean> {
  for (const until = Date.now() + BACK_WITHIN_MS; Date.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const answer = await ask<ChangeView | SetupView>("/api/setup");
    if (!isRefused(answer) && "startedAt" in answer && answer.startedAt !== before) return true;
  }
  return false;
}
