import { guideOf } from "../../troubles/guide-of.js";
import type { Trouble } from "../../troubles/trouble.js";
import { words } from "../words.js";

export function ToGuide({ trouble }: { readonly trouble: Trouble }) {
  const guide = guideOf(trouble);
  return guide === null ? null : (
    <>
      {" "}
      · <a href={`#help/${guide}`}>{words.help.whatToDo}</a>
    </>
  );
}
