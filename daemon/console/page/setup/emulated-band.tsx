import type { PageNow } from "../../now-view.js";
import { words } from "../words.js";

/** A phone has no room for the names of twenty registers. */
const MOST_NAMED = 3;

export function EmulatedBand({ now }: { readonly now: PageNow | null }) {
  if (now === null || now.emulated.length === 0) return null;
  const others = now.emulated.length - MOST_NAMED;
  return (
    <p class="band" role="note">
      {words.emulated({ names: `${now.emulated.slice(0, MOST_NAMED).join(", ")}${others > 0 ? ` (+${others})` : ""}` })}
    </p>
  );
}
