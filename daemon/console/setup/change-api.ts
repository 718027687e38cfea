/** The API by which the set-up page of a running daemon changes the config and restarts the daemon. */
import { randomUUID } from "node:crypto";
import { basename, dirname, resolve } from "node:path";
import type { FoundRegister } from "@fiscald/drivers/discover/discover.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import express, { type Router } from "express";
import { z } from "zod";
import { maskText } from "../../logging/mask.js";
import {
  type ConfigChange,
  type ConfigFile,
  type PlannedChange,
  planChange,
  readConfig,
} from "../../setup/change-config.js";
import type { SetupSection } from "../../setup/config-fields.js";
import { heldPlaces, isBehindService } from "../../setup/find-registers.js";
import { type SetupFinding, troubleFinding } from "../../setup/finding.js";
import { registerAnswer } from "../../setup/setup-answers.js";
import { trySite } from "../../setup/try-site.js";
import { canRewrite, freeName, rewriteConfig } from "../../setup/write-config.js";
import type { JobStore } from "../../store/job-store.js";
import type { Journal } from "../../store/journal.js";
import { parseInput, viewsOn } from "../api-errors.js";
import { faultView } from "../views.js";
import { type ProofParts, proofView } from "./proof.js";
import { driverViews, searchByPage } from "./setup-api.js";

export interface RunningConfig extends ConfigFile {
  /**
   * Ends this run as a stop does, and begins the next run with the present file. `former` is the path of the earlier
   * file, which comes back if the next run cannot start.
   */
  restart(former: string): void;
  /** Why the config applied last could not start, so that this run has the earlier config; null: it started. */
  readonly notStarted: Fault | null;
}

export interface ChangeApiOptions {
  readonly config: RunningConfig;
  readonly proof: ProofParts;
  readonly jobs: Pick<JobStore, "transaction" | "unfinished">;
  readonly journal: Pick<Journal, "add">;
  readonly sync: (site: SiteId) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

export type ChangeView = ReturnType<typeof changeView>;

export interface ConfigProblemView {
  readonly path: string;
  readonly text: FaultText;
}

export interface CheckedView {
  /** True: the file has changed since the page showed it, so nothing was checked or written. */
  readonly isStale: boolean;
  readonly problems: readonly ConfigProblemView[];
  /** Empty when there are problems. */
  readonly changes: readonly ConfigChange[];
  /** How the sites with a new address or secret answer, and how many orders wait for a register that is removed. */
  readonly findings: readonly SetupFinding[];
}

const SEARCH_MS = 120_000;
const changeBody = z.strictObject({
  version: z.string(),
  values: z.record(z.string(), z.string().trim().max(500)),
  add: z.array(registerAnswer).max(50).default([]),
  remove: z.array(z.string().max(64)).max(50).default([]),
});
const problemsSchema = z.object({
  problems: z.array(z.object({ path: z.string(), message: z.string(), ru: z.string() })),
});

export function createChangeApi({ config, proof, jobs, journal, sync, clock, log }: ChangeApiOptions): Router {
  const router = express.Router();
  const startedAt = clock.now();

  function check(body: unknown, apply: (planned: PlannedChange) => void): CheckedView {
    const { version, ...wanted } = parseInput(changeBody, body ?? {});
    const read = readConfig(config);
    const nothing = { isStale: false, problems: [], changes: [], findings: [] };
    if (read.version !== version) return { ...nothing, isStale: true };
    const planned = planOrProblems(config, read, wanted);
    if ("problems" in planned) return { ...nothing, problems: planned.problems };
    apply(planned);
    return { ...nothing, changes: planned.changes };
  }

  function waitingOrders(register: RegisterId): readonly SetupFinding[] {
    const count = jobs.unfinished([register]).length;
    if (count === 0) return [];
    const place = { check: "register", about: register } as const;
    return [
      troubleFinding(place, "warning", ({ register: words }) => [words.ordersWait({ count }), words.ordersWaitNext]),
    ];
  }

  router.use(express.json({ limit: "64kb" }));
  router.use((_request, response, next) => {
    if (response.locals["role"] === "administrator") next();
    else response.status(403).json({ error: faultView(new Fault("daemon.not-allowed")) });
  });
  const get = viewsOn(router);
  get("/", () => changeView(config, startedAt));
  get("/proof", () => proofView(proof, clock.now(), startedAt));
  router.post("/search", async (request, response) => {
    const { registers } = readConfig(config);
    const held = heldPlaces(registers, (id) => `it is the register ${id} of this daemon`);
    const isNew = (found: FoundRegister) => !isBehindService(found, registers);
    response.json(await searchByPage(request.body, { held, signal: AbortSignal.timeout(SEARCH_MS) }, isNew));
  });
  router.post("/check", async (request, response) => {
    let sites: PlannedChange["toTry"] = [];
    let left: readonly SetupFinding[] = [];
    const view = check(request.body, ({ toTry, removed }) => {
      sites = toTry;
      left = removed.flatMap(waitingOrders);
    });
    const signal = AbortSignal.timeout(SEARCH_MS);
    const options = { signal, clock, newId: randomUUID, ownPort: request.socket.localPort ?? 0 };
    const tried = sites.map(({ urls: { orders }, auth, bodyEncoding }) =>
      trySite({ orders, auth, bodyEncoding, isSecretNew: false }, options),
    );
    const findings = (await Promise.all(tried)).flat();
    // The site may have kept the empty list of the test, while print servers go on with the former config.
    for (const { id } of sites) sync(id);
    response.json({ ...view, findings: [...left, ...findings] } satisfies CheckedView);
  });
  router.post("/apply", (request, response) => {
    const view = check(request.body, ({ text, secrets, changes }) => {
      if (changes.length === 0) return;
      const former = resolve(dirname(config.path), freeName(dirname(config.path), `${basename(config.path)}.old`));
      rewriteConfig(config.path, text, secrets, former);
      jobs.transaction(() => {
        journal.add({ at: clock.now(), actor: "operator", what: "config changed", details: { changes } });
      });
      log.info("the config was changed: starting again", { changes: changes.length });
      // The restart comes even when the browser has gone, because only this run can restore the former file.
      response.on("close", () => config.restart(former));
    });
    response.json(view);
  });
  return router;
}

/** `startedAt` differs after each start of the daemon. */
function changeView(config: RunningConfig, startedAt: number) {
  const { version, sections } = readConfig(config);
  const shown: readonly SetupSection[] = sections;
  return {
    ...{ configPath: config.path, version, startedAt, sections: shown, drivers: driverViews() },
    /** False: the daemon's user may only read the config. */
    isWritable: canRewrite(config.path),
    /** Why this run has the config from before the last change; null: this run has the newest config. */
    notStarted: config.notStarted === null ? null : notStartedView(config.notStarted),
  };
}

function notStartedView(fault: Fault) {
  const { text, message, ru } = fault;
  return { text, detail: { en: maskText(message), ru: maskText(ru ?? message) } };
}

function planOrProblems(...given: Parameters<typeof planChange>) {
  try {
    return planChange(...given);
  } catch (error) {
    if (!isFault(error) || error.code !== "config.invalid") throw error;
    const { problems } = problemsSchema.parse(error.details);
    return { problems: problems.map(({ path, message, ru }) => ({ path, text: { en: message, ru } })) };
  }
}
