/** What one part of the page reads, and how old it is. */
import { useEffect, useState } from "preact/hooks";
import { read } from "./api.js";
import type { Words } from "./words.js";

/** Read again whenever `changed` grows; a view that cannot be read stays as it was, and `AsOf` says of when. */
export function useView<T>(path: string, changed: number): T | null {
  const [view, setView] = useState<T | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void read<T>(path).then((answer) => {
      if (isCurrent && answer !== null) setView(answer);
    });
    return () => {
      isCurrent = false;
    };
  }, [path, changed]);
  return view;
}

interface AsOfProps {
  /** By the daemon's clock: when it put the view together. */
  readonly at: string;
  readonly words: Words;
}

export function AsOf({ at, words }: AsOfProps) {
  return <p class="names">{words.asOf({ at: new Date(at).toLocaleTimeString("ru") })}</p>;
}
