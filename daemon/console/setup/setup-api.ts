import { randomUUID } from "node:crypto";
import type { FoundRegister, OtherEndpoint } from "@fiscald/drivers/discover/discover.js";
import { driverNames, driverRows } from "@fiscald/drivers/registry.js";
import type { ListSerialPorts } from "@fiscald/drivers/transport/serial-ports.js";
import { systemClock } from "@fiscald/shared/clock.js";
import express, { type Response, type Router } from "express";
import { z } from "zod";
import { inEveryLanguage } from "../../messages/messages.js";
import { authNow, loginOptions, newSecret, taxSystemNames } from "../../setup/entries.js";
import { findRegisters, parseHost, type RegisterSearch } from "../../setup/find-registers.js";
import type { SetupFinding } from "../../setup/finding.js";
import {
  configOf,
  setupAnswers,
  setupConnections,
  siteToTry,
  usualClosing,
  zoneOfComputer,
} from "../../setup/setup-answers.js";
import { trySite } from "../../setup/try-site.js";
import { writeConfig } from "../../setup/write-config.js";
import { parseInput } from "../api-errors.js";

export interface SetupApiOptions {
  readonly configPath: string;
  readonly dataFolder: string | null;
  readonly listPorts?: ListSerialPorts | undefined;
  readonly signal: AbortSignal;
  /** Gives the browser a session of the console that follows this page. False: no session can be given. */
  readonly openConsole: (response: Response) => boolean;
  readonly onWritten: () => void;
}

export interface SetupView {
  readonly configPath: string;
  readonly computerZone: string;
  readonly timeZone: string | null;
  readonly closeShiftAt: string;
  readonly drivers: readonly DriverView[];
}

export type DriverView = ReturnType<typeof driverViews>[number];
export type FoundView = ReturnType<typeof foundView>;
export type SearchView = Awaited<ReturnType<typeof searchByPage>>;

export interface SiteTestView {
  readonly findings: readonly SetupFinding[];
}

export interface WrittenView {
  readonly configPath: string;
  readonly secret: string | null;
  /** True: the daemon starts after this page, and the browser has a session of the daemon's console. */
  readonly opensPage: boolean;
}

const searchBody = z.strictObject({ host: z.string().trim().max(255).default("") });

export function createSetupApi({
  configPath,
  dataFolder,
  listPorts,
  signal,
  openConsole,
  onWritten,
}: SetupApiOptions): Router {
  const router = express.Router();
  let written: Omit<WrittenView, "opensPage"> | null = null;
  router.use(express.json({ limit: "64kb" }));
  router.get("/setup", (_request, response) => {
    const { timeZone: computerZone } = new Intl.DateTimeFormat().resolvedOptions();
    const timeZone = zoneOfComputer(computerZone);
    const view: SetupView = { configPath, computerZone, timeZone, closeShiftAt: usualClosing, drivers: driverViews() };
    response.json(view);
  });
  router.post("/setup/search", async (request, response) => {
    response.json(await searchByPage(request.body, { held: new Map(), listPorts, signal }));
  });
  router.post("/setup/site", async (request, response) => {
    const { orders, auth, user, header, secret } = parseInput(siteToTry, request.body ?? {});
    const tried = { orders, auth: authNow(auth, { user, name: header }, secret || newSecret(auth)) };
    const ownPort = request.socket.localPort ?? 0;
    const options = { signal, ownPort, clock: systemClock, newId: randomUUID };
    const findings = await trySite({ ...tried, isSecretNew: secret === "" }, options);
    const view: SiteTestView = { findings };
    response.json(view);
  });
  router.post("/setup/config", (request, response) => {
    const { config, secret } = configOf(parseInput(setupAnswers, request.body ?? {}), configPath, dataFolder);
    // A second click or a second page makes no second config, and gets the secret of the first click.
    if (written === null) {
      writeConfig(config);
      written = { configPath, secret };
    }
    response.on("close", onWritten);
    const view: WrittenView = { ...written, opensPage: openConsole(response) };
    response.json(view);
  });
  return router;
}

export function driverViews() {
  return driverNames.map((name) => {
    const kinds: readonly string[] = driverRows[name].connections;
    const connections: readonly string[] = setupConnections.filter((kind) => kinds.includes(kind));
    return { name, connections, needsCashier: driverRows[name].needsCashier };
  });
}

export async function searchByPage(
  body: unknown,
  options: Pick<RegisterSearch, "held" | "listPorts" | "signal">,
  isNew: (found: FoundRegister) => boolean = () => true,
) {
  const { host } = parseInput(searchBody, body ?? {});
  const hosts = host === "" ? [] : [parseHost(host)];
  const { found, others, advice = [] } = await findRegisters({ hosts, namedPorts: [], ...options });
  const [asked] = hosts;
  const isAsked = ({ place }: OtherEndpoint) => asked?.port === null && place.includes(asked.host);
  const shown = others.filter((other) => other.state !== "closed" || other.named || isAsked(other));
  const noPort = shown.length === 0 ? [inEveryLanguage(({ setup }) => setup.noPort)] : [];
  const fresh = found.filter(isNew);
  return {
    found: fresh.map(foundView),
    // A place that the daemon holds has a register of its config, and is left out.
    notThere: shown
      .filter(({ place }) => !options.held.has(place))
      .map(({ state, place }) => inEveryLanguage(({ setup }) => setup.notThere[state]({ place }))),
    advice: fresh.length > 0 ? [] : [...noPort, ...advice],
  };
}

function foundView({ place, driver, connection, options, identity, fault }: FoundRegister) {
  return {
    place,
    driver,
    model: identity?.model ?? driver,
    kkm: identity?.kkm ?? "",
    inn: identity?.inn ?? "",
    connection: { ...connection },
    options,
    taxSystems: taxSystemNames(identity?.taxSystems ?? 0),
    needsCashier: driverRows[driver].needsCashier,
    /** The options for users and passwords to ask for, because the register refused the usual ones. */
    logins: fault?.code === "device.wrong-password" ? loginOptions(driver) : [],
    fault: fault === null ? null : { text: fault.text, hint: fault.hint },
  };
}
