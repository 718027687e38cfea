import type { Words } from "./words.js";

interface AgoProps {
  /** ISO 8601, both by the daemon's clock. */
  readonly since: string;
  readonly now: string;
  readonly words: Words;
}

/** How long something lasts: minutes, hours or days, whole ones. */
export function Ago({ since, now, words }: AgoProps) {
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / 60_000));
  return (
    <time class="ago" dateTime={since} title={new Date(since).toLocaleString()}>
      {ageInWords(minutes, words)}
    </time>
  );
}

function ageInWords(minutes: number, { ages }: Words): string {
  if (minutes < 1) return ages.now;
  if (minutes < 60) return ages.minutes({ count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? ages.hours({ count: hours }) : ages.days({ count: Math.floor(hours / 24) });
}
