/** A person may remove an entry from the list of troubles. The journal keeps the entry. */
import { PUT_AWAY } from "../store/journal.js";
import type { ConsoleParts } from "./console-parts.js";
import { readUnread } from "./troubles/gather-facts.js";

export type PutAwayParts = Pick<ConsoleParts, "jobs" | "journal" | "outbox" | "siteHealth" | "clock">;

export interface PutAway {
  /** These messages are delivered no more, because a site does not take them or was removed from the config. */
  readonly events: readonly number[];
  /** Answers of sites that could not be read, by their rows in the database. */
  readonly answers: readonly number[];
  readonly doubles: readonly number[];
  readonly reason: string;
}

/** Entries that are gone already are left out. Returns how many entries were removed. */
export function putAway(
  { jobs, journal, outbox, siteHealth, clock }: PutAwayParts,
  { events, answers, doubles, reason }: PutAway,
): number {
  const shared = { at: clock.now(), actor: "operator", what: PUT_AWAY } as const;
  return jobs.transaction(() => {
    const isConfigured = (site: string) => siteHealth().some((known) => known.site === site);
    const stored = events
      .flatMap((id) => outbox.find(id) ?? [])
      .filter(({ state, site }) => state === "refused" || (state === "pending" && !isConfigured(site)));
    for (const { id, kind, job, register, site, lastError } of stored) {
      outbox.withdraw(id);
      journal.add({ ...shared, event: id, job, register, site, details: { reason, kind, lastError } });
    }
    const unread = readUnread(journal, clock.now()).filter(({ raw }) => answers.includes(raw));
    for (const { raw, site, order } of unread) journal.add({ ...shared, raw, site, details: { reason, order } });
    for (const job of doubles) journal.add({ ...shared, job: jobs.get(job).id, details: { reason } });
    return stored.length + unread.length + doubles.length;
  });
}
