import type { PageNow } from "../../now-view.js";
import type { Spoken } from "../words.js";

/** A phone has no room for the names of twenty registers. */
const MOST_NAMED = 3;

interface EmulatedBandProps extends Pick<Spoken, "words"> {
  readonly now: Pick<PageNow, "emulated"> | null;
}

export function EmulatedBand({ now, words }: EmulatedBandProps) {
  if (now === null || now.emulated.length === 0) return null;
  const others = now.emulated.length - MOST_NAMED;
  return (
    <p class="band" role="note">
      {words.emulated({ names: `${now.emulated.slice(0, MOST_NAMED).join(", ")}${others > 0 ? ` (+${others})` : ""}` })}
    </p>
  );
}
