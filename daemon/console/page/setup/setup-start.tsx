import { useEffect, useState } from "preact/hooks";
import type { ChangeView } from "../../setup/change-api.js";
import type { SetupView } from "../../setup/setup-api.js";
import { isRefused, request } from "../api.js";
import { language } from "../words.js";
import { Proof } from "./setup-proof.js";
import { setupWords as words } from "./setup-words.js";

const BACK_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 1000;

interface StartProps {
  /** The start time of the daemon that is ending; null: this is the first start. */
  readonly before: number | null;
}

export function Start({ before }: StartProps) {
  const [step, setStep] = useState<"starting" | "not-back" | ChangeView>("starting");
  useEffect(() => void waitUntilBack(before).then((view) => setStep(view ?? "not-back")), []);
  const { change } = words;
  if (step === "starting" || step === "not-back") {
    return (
      <div role="status">
        <h2>{step === "starting" ? change.applying : change.notBack}</h2>
      </div>
    );
  }
  const { notStarted } = step;
  return (
    <>
      <div role="status">
        <h2>{notStarted === null ? change.applied : change.givenBack}</h2>
        {notStarted === null ? null : (
          <p>
            {notStarted.text[language]} {notStarted.detail[language]}
          </p>
        )}
      </div>
      <Proof />
    </>
  );
}

/** The settings of a daemon that started later and lets this browser in; null: no such daemon answered for a minute. */
async function waitUntilBack(before: number | null): Promise<ChangeView | null> {
  for (const until = Date.now() + BACK_WITHIN_MS; Date.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const answer = await request<ChangeView | SetupView>("/api/setup");
    if (!isRefused(answer) && "startedAt" in answer && answer.startedAt !== before) return answer;
  }
  return null;
}
