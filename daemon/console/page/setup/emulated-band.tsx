/** The band that says which registers are emulated. */
import type { PageNow } from "../../now-view.js";
import type { Spoken } from "../words.js";

interface EmulatedBandProps extends Pick<Spoken, "words"> {
  readonly now: Pick<PageNow, "emulated"> | null;
}

export function EmulatedBand({ now, words }: EmulatedBandProps) {
  if (now === null || now.emulated.length === 0) return null;
  return (
    <p class="band" role="note">
      {words.emulated({ names: now.emulated.join(", ") })}
    </p>
  );
}
