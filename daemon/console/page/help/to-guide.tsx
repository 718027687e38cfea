import { guideOf } from "../../troubles/guide-of.js";
import type { Trouble } from "../../troubles/trouble.js";
import type { Spoken } from "../words.js";

interface ToGuideProps {
  readonly trouble: Pick<Trouble, "code" | "kind">;
  readonly words: Spoken["words"];
}

export function ToGuide({ trouble, words }: ToGuideProps) {
  const guide = guideOf(trouble);
  return guide === null ? null : (
    <>
      {" "}
      · <a href={`#help/${guide}`}>{words.help.whatToDo}</a>
    </>
  );
}
