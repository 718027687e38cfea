/** Finds an order by what a person types, for the page's search and for `fiscald explain`. */
import { parseRoubles } from "@fiscald/shared/amounts.js";
import { type FnSerial, toOrderId } from "@fiscald/shared/ids.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { Job } from "../store/job.js";
import type { JobStore } from "../store/job-store.js";
import { type DayBounds, parseDay, zoneOf } from "./day/day-receipts.js";

type Jobs = Pick<JobStore, "list" | "find" | "findByDocument">;

/** The newest job comes first. `#12` means job 12. */
export function jobsNamed(text: string, jobs: Pick<Jobs, "list" | "find">, limit: number): readonly Job[] {
  const [, number] = /^#([1-9]\d{0,14})$/.exec(text) ?? [];
  const job = number === undefined ? null : jobs.find(Number(number));
  if (job !== null) return [job];
  for (const id of idsAsTyped(text)) {
    const found = jobs.list({ orderId: toOrderId(id), limit });
    if (found.length > 0) return found;
  }
  return [];
}

/** The newest job comes first. Letters that look alike in both alphabets are equal. */
export function jobsLike(text: string, jobs: Pick<Jobs, "list">, limit: number): readonly Job[] {
  const part = text.replace(/^№\s*/, "");
  if (part.length < SHORTEST_PART) return [];
  return jobs.list({ orderLike: `*${[...part].map(anyOf).join("")}*`, limit });
}

const SHORTEST_PART = 3;
const [cyrillic, latin] = ["АВЕКМНОРСТХ", "ABEKMHOPCTX"];

/** A GLOB pattern for the character in both cases, and for the letter of the other alphabet that looks alike. */
function anyOf(char: string): string {
  const upper = char.toUpperCase();
  const twin = latin[cyrillic.indexOf(upper)] ?? cyrillic[latin.indexOf(upper)] ?? "";
  const letters = `${upper}${twin}`;
  return /\p{L}|[*?[]/u.test(char) ? `[${letters}${letters.toLowerCase()}]` : char;
}

export function idsAsTyped(text: string): readonly string[] {
  const bare = text.replace(/^№\s*/, "");
  return [...new Set([text, text.toUpperCase(), bare, bare.toUpperCase()])];
}

/** The text may be an order's id, a document's number or sign, a sum or a day. The newest job comes first. */
export function findJobs(
  text: string,
  { jobs, snapshots }: { readonly jobs: Jobs; readonly snapshots: readonly RegisterSnapshot[] },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): readonly Job[] {
  const day = dayIn(text, zoneOf(snapshots));
  if (day !== null) return jobs.list({ limit, offset, from: day.from, before: day.before });
  const most = offset + limit;
  const total = sumIn(text);
  const drives = new Set(snapshots.flatMap(({ identity }) => identity?.fn ?? []));
  const found = [
    ...jobsNamed(text, jobs, most),
    ...jobsOfDocument(text, jobs, { drives, limit: most }),
    ...(total === null ? [] : jobs.list({ total, limit: most })),
  ];
  const shown = found.length > 0 ? found : jobsLike(text, jobs, most);
  return [...new Map(shown.map((job) => [job.id, job])).values()].slice(offset, most);
}

/** By number all documents on these drives are searched, by fiscal sign only the newest jobs. */
export function jobsOfDocument(
  text: string,
  jobs: Pick<Jobs, "list" | "findByDocument">,
  { drives = [], limit }: { readonly drives?: Iterable<FnSerial>; readonly limit: number },
): readonly Job[] {
  const [, number] = /^(?:№|фд|фпд?|fd|fpd?)?:?\s*№?\s*(\d{1,10})$/i.exec(text) ?? [];
  if (number === undefined) return [];
  const document = Number(number);
  return [...[...drives].flatMap((fn) => jobs.findByDocument(fn, document) ?? []), ...jobs.list({ document, limit })];
}

/** Reads a sum as receipts write it: `1 250,00 ₽`, `1250 руб.` */
function sumIn(text: string) {
  const bare = text.replace(/(?:₽|р|руб|рублей|рубля|рубль)\.?$/i, "");
  return parseRoubles(bare.replace(/\s/g, "").replace(",", "."));
}

/** Reads `25.11.2026`, `25.11.26` or `2026-11-25`; null: the text is no day. */
export function dayIn(text: string, timeZone: string): DayBounds | null {
  const [, day = "", month = "", year = ""] = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/.exec(text) ?? [];
  if (year === "") return parseDay(text, timeZone);
  return parseDay(`${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`, timeZone);
}
