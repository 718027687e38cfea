import type { Router } from "express";
import { z } from "zod";
import { repairRequest } from "../../corrections/repair-request.js";
import { repairOf } from "../../store/journal.js";
import { actionsOn, parseInput, viewsOn } from "../api-errors.js";
import type { ConsoleParts } from "../console-parts.js";
import type { OnceAMinute } from "../once-a-minute.js";
import { jobView } from "../views.js";
import { repairForm, repairPreview } from "./repair-view.js";

const formQuery = z.object({ job: z.coerce.number().int().min(1).exactOptional() });
/** A preview needs no reason. The page sends a reason with each action. */
const previewBody = repairRequest.extend({ reason: z.string().exactOptional() });
const repairBody = repairRequest.extend({ reason: z.string().trim().min(1).max(500) });

export function addRepairs(router: Router, parts: ConsoleParts, once: OnceAMinute): void {
  const { repairs, jobs, journal, dayFacts, clock } = parts;
  viewsOn(router)("/repairs/form", ({ query }) => {
    const { job } = parseInput(formQuery, query);
    return repairForm(parts, job === undefined ? null : jobs.get(job));
  });
  const post = actionsOn(router, clock);
  post("/repairs/preview", previewBody, async ({ reason: _, ...wanted }) => {
    const plan = await repairs.plan(wanted);
    return { preview: await repairPreview(plan, dayFacts.lastMonth(clock.now(), true)) };
  });
  post("/repairs", repairBody, async ({ reason, ...wanted }) => {
    const thing = `repair ${wanted.job ?? wanted.missed?.order ?? ""}`;
    const job = await once(thing, () => repairs.carryOut(wanted, reason));
    return { job: jobView(job), second: repairOf(journal, job)?.jobs[1] ?? null };
  });
}
