/** Routes by which a person has a wrong or missed receipt put right. */

import type { Router } from "express";
import { z } from "zod";
import { repairRequest } from "../../corrections/repair-request.js";
import { retryWhileBusy } from "../../store/database/retry-while-busy.js";
import { parseInput } from "../api-errors.js";
import type { ConsoleParts } from "../console-parts.js";
import type { OnceAMinute } from "../once-a-minute.js";
import { jobView } from "../views.js";
import { repairForm, repairPreview } from "./repair-view.js";

const formQuery = z.object({ job: z.coerce.number().int().min(1).exactOptional() });
/** A preview needs no reason; the page sends one with each action. */
const previewBody = repairRequest.extend({ reason: z.string().exactOptional() });
const repairBody = repairRequest.extend({ reason: z.string().trim().min(1).max(500) });

export function addRepairs(router: Router, parts: ConsoleParts, once: OnceAMinute): void {
  const { repairs, jobs, dayFacts, clock } = parts;
  router.get("/repairs/form", (request, response) => {
    const { job } = parseInput(formQuery, request.query);
    response.json(repairForm(parts, job === undefined ? null : jobs.get(job)));
  });
  router.post("/repairs/preview", async (request, response) => {
    const { reason: _, ...wanted } = parseInput(previewBody, request.body);
    const plan = await repairs.plan(wanted);
    response.json({ preview: await repairPreview(plan, dayFacts.lastMonth(clock.now())) });
  });
  router.post("/repairs", async (request, response) => {
    const { reason, ...wanted } = parseInput(repairBody, request.body);
    const thing = `repair ${wanted.job ?? wanted.missed?.order ?? ""}`;
    const job = await retryWhileBusy(clock, undefined, () => once(thing, () => repairs.carryOut(wanted, reason)));
    response.json({ job: jobView(job) });
  });
}
