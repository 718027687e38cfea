/**
 * Documents of a data loss make equal orders unsure until two shifts were closed on their register since each site has
 * answered: by then a site has offered again what it did not hear of.
 */
import type { SiteId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { MetaStore } from "../../store/database/meta-store.js";
import type { RegisterStore } from "../../store/register-store.js";
import type { DocumentStore, LostDocument } from "../../store/unowned-documents.js";
import { shiftAtHand } from "../shift/shift-age.js";

export interface LossExpiryOptions {
  readonly meta: MetaStore;
  readonly records: Pick<RegisterStore, "find">;
  readonly documents: Pick<DocumentStore, "newestLost" | "accept">;
  readonly sites: readonly SiteId[];
}

const SHIFTS = 2;
/** The newest document of the loss, and the shift that was at hand at the first answer of each site. */
const answeredSchema = z.object({ fd: z.int(), shifts: z.record(z.string(), z.int()) });

/** Called with each answer of a site that could be read. */
export function expireLosses(options: LossExpiryOptions, site: SiteId): void {
  for (const lost of options.documents.newestLost()) noteAnswer(options, site, lost);
}

function noteAnswer({ meta, records, documents, sites }: LossExpiryOptions, site: SiteId, lost: LostDocument): void {
  const { register, fn, fd } = lost;
  const record = records.find(register);
  // Shifts are counted on the drive that has the documents.
  if (record?.shift == null || record.fn !== fn) return;
  const key = `loss-answered:${register}`;
  const known = answeredSchema.safeParse(JSON.parse(meta.get(key) ?? "null")).data;
  const now = shiftAtHand(record.shift);
  const shifts = { [site]: now, ...(known?.fd === fd ? known.shifts : {}) };
  if (known?.fd !== fd || known.shifts[site] === undefined) meta.set(key, JSON.stringify({ fd, shifts }));
  if (!sites.every((id) => now - (shifts[id] ?? now) >= SHIFTS)) return;
  documents.accept(register);
  meta.remove(key);
}
