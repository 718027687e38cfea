import { driverRows } from "@fiscald/drivers/registry.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { createWebhook } from "@fiscald/shared/http/webhook-headers.js";
import { configReasons } from "../messages/reasons/config-reasons.js";
import { type ConfigProblem, configProblem, issuesToProblems } from "./config-problem.js";
import type { Config } from "./config-schema.js";
import { issuerOf, parametersLeftOut } from "./issuer.js";
import type { RegisterConfig } from "./register-schema.js";
import type { SiteConfig } from "./site-schema.js";

/** The parts of the daemon that write to the log, by the names used for the log levels. */
const namespaces = "daemon intake dispatch registers drivers sites store console warnings alerts".split(" ");

/** A key that is wrong in itself is left out. */
export interface ConfigEntries {
  readonly sites: readonly SiteEntry[];
  readonly registers: readonly RegisterEntry[];
}

type SiteEntry = { readonly [Key in keyof SiteConfig]?: SiteConfig[Key] | undefined };
type RegisterEntry = { readonly [Key in keyof RegisterConfig]?: RegisterConfig[Key] | undefined };

export function crossCheck(config: ConfigEntries): readonly ConfigProblem[] {
  return [
    ...repeated(config.sites, "sites", "id", ({ id }) => id),
    ...repeated(config.registers, "registers", "id", ({ id }) => id),
    ...repeated(config.registers, "registers", "expectKkm", ({ expectKkm }) => expectKkm),
    ...repeated(config.sites, "sites", "urls.orders", ({ urls }) => (urls ? new URL(urls.orders).href : null)),
    ...repeated(config.registers, "registers", "connection", endOf),
    ...repeated(config.registers, "registers", "renamedFrom", ({ renamedFrom }) => renamedFrom),
    ...checkRenamed(config.sites, "sites"),
    ...checkRenamed(config.registers, "registers"),
    ...checkIssuers(config.sites),
    ...checkSites(config),
    ...config.registers.flatMap((register, index) => checkRegister(config, register, `registers[${index}]`)),
    ...checkGroups(config.registers),
  ];
}

function repeated<T>(
  entries: readonly T[],
  list: string,
  key: string,
  pick: (entry: T) => string | null | undefined,
): readonly ConfigProblem[] {
  return entries.flatMap((entry, index) => {
    const value = pick(entry) ?? null;
    const first = entries.findIndex((other) => pick(other) === value);
    if (value === null || first === index) return [];
    return [configProblem(`${list}[${index}].${key}`, configReasons.sameAs({ place: `${list}[${first}]` }))];
  });
}

/** A former id that another entry still has would take over that entry's history. */
function checkRenamed(
  entries: readonly { readonly id?: string | undefined; readonly renamedFrom?: string | null | undefined }[],
  list: string,
): readonly ConfigProblem[] {
  return entries.flatMap(({ renamedFrom = null }, index) =>
    renamedFrom !== null && entries.some(({ id }) => id === renamedFrom)
      ? [configProblem(`${list}[${index}].renamedFrom`, configReasons.renamedFrom({ list }))]
      : [],
  );
}

/** Equal order numbers of two sites are distinguished only by the issuer (a hash of the site's address). */
function checkIssuers(sites: readonly SiteEntry[]): readonly ConfigProblem[] {
  const issuers = sites.map(({ issuer = null, urls }) => (urls ? issuerOf({ issuer, urls }) : null));
  return sites.flatMap(({ urls }, index) => {
    const first = issuers.indexOf(issuers[index] ?? null);
    const sameAddress = urls !== undefined && sameHref(sites[first]?.urls?.orders, urls.orders);
    if (issuers[index] === null || first === index || sameAddress) return [];
    const message = configReasons.sameIssuer({ one: `sites[${index}]`, other: `sites[${first}]` });
    return [configProblem(`sites[${index}].issuer`, message)];
  });
}

/** Two sites with one address are reported as a problem of their own, and not as a problem of the issuer. */
function sameHref(one: string | undefined, other: string): boolean {
  return one !== undefined && new URL(one).href === new URL(other).href;
}

function checkSites({ sites }: ConfigEntries): readonly ConfigProblem[] {
  return sites.flatMap(({ auth, tls }, index) => {
    const problems: ConfigProblem[] = [];
    const note = (key: string, text: FaultText) => problems.push(configProblem(`sites[${index}].${key}`, text));
    if (auth?.kind === "signature" && createWebhook(auth.secret) === null) note("auth.secret", configReasons.base64);
    if (tls && (tls.certFile === null) !== (tls.keyFile === null)) note("tls", configReasons.certAndKey);
    return problems;
  });
}

function checkRegister({ sites }: ConfigEntries, register: RegisterEntry, place: string): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [index, id] of (register.sites ?? []).entries()) {
    if (sites.some((site) => site.id === id)) continue;
    const known = sites.flatMap((site) => site.id ?? []).join(", ");
    problems.push(configProblem(`${place}.sites[${index}]`, configReasons.noSite({ id, known })));
  }
  return [...problems, ...checkConnection(register, place), ...checkOptions(register, place)];
}

function checkConnection({ driver, connection }: RegisterEntry, place: string): readonly ConfigProblem[] {
  if (driver === undefined || connection === undefined) return [];
  const kinds = driverRows[driver].connections;
  if (kinds.includes(connection.kind)) return [];
  const message = configReasons.connection({ driver, kind: connection.kind, kinds: kinds.join(", ") });
  return [configProblem(`${place}.connection.kind`, message)];
}

/** Only the driver knows its own options, so its schema checks them. */
function checkOptions({ driver, options }: RegisterEntry, place: string): readonly ConfigProblem[] {
  if (driver === undefined || options === undefined) return [];
  const schema = driverRows[driver].options;
  const parsed = schema.safeParse(options);
  if (parsed.success) return [];
  return issuesToProblems(schema, parsed.error.issues).map(({ path, ...words }) => ({
    ...words,
    path: path === "" ? `${place}.options` : `${place}.options.${path}`,
  }));
}

function checkGroups(registers: ConfigEntries["registers"]): readonly ConfigProblem[] {
  return registers.flatMap(({ group = null, connection }, index) => {
    if (group === null || connection === undefined) return [];
    const first = registers.find((other) => other.group === group && other.connection !== undefined)?.connection;
    if ((first?.kind === "emulator") === (connection.kind === "emulator")) return [];
    const message = configReasons.group({ name: group });
    return [configProblem(`registers[${index}].group`, message)];
  });
}

/** The port, address or file that two registers cannot share; null = the register has none. */
function endOf({ connection, options }: RegisterEntry): string | null {
  switch (connection?.kind) {
    case undefined:
      return null;
    case "serial":
      return `serial ${connection.path}`;
    case "tcp":
      return `tcp ${connection.host.toLowerCase()}:${connection.port}`;
    case "http":
      // One print service serves several registers and distinguishes them by device id.
      return `http ${new URL(connection.url).host} ${JSON.stringify(options?.["deviceId"] ?? null)}`;
    case "emulator":
      return connection.statePath === null ? null : `file ${connection.statePath}`;
  }
}

export function configAdvice({ sites, registers, log }: Config): readonly ConfigProblem[] {
  return [
    ...adviceOnIssuers(sites),
    ...adviceOnUnusedSites(sites, registers),
    ...adviceOnRates(registers),
    ...adviceOnLevels(log.namespaces),
  ];
}

function adviceOnIssuers(sites: Config["sites"]): readonly ConfigProblem[] {
  return sites.flatMap((site, index) =>
    parametersLeftOut(site).map((name) =>
      configProblem(`sites[${index}].urls.orders`, configReasons.secretInIssuer({ name })),
    ),
  );
}

function adviceOnUnusedSites(sites: Config["sites"], registers: Config["registers"]): readonly ConfigProblem[] {
  const used = new Set(registers.flatMap((register) => register.sites));
  const message = configReasons.siteUnused;
  return sites.flatMap(({ id }, index) => (used.has(id) ? [] : [configProblem(`sites[${index}]`, message)]));
}

function adviceOnRates(registers: Config["registers"]): readonly ConfigProblem[] {
  return registers.flatMap((register, index) => {
    const message = configReasons.defaultTaxMissing;
    return lacksDefaultTax(register) ? [configProblem(`registers[${index}].defaultTax`, message)] : [];
  });
}

/** A register without a row for positions without a tax refuses such positions. */
export function lacksDefaultTax({ driver, defaultTax }: Pick<RegisterConfig, "driver" | "defaultTax">): boolean {
  return defaultTax === null && driverRows[driver].needsRate;
}

function adviceOnLevels(levels: Config["log"]["namespaces"]): readonly ConfigProblem[] {
  const message = configReasons.knownKeys({ keys: namespaces.join(", ") });
  const unknown = Object.keys(levels).filter((name) => !namespaces.includes(name));
  return unknown.map((name) => configProblem(`log.namespaces.${name}`, message));
}

/** The daemon starts although these registers can print nothing; `check-config` reports each as an error. */
export function findUnusableRegisters({ registers }: Pick<Config, "registers">): readonly ConfigProblem[] {
  return registers.flatMap(({ driver, cashier }, index) => {
    if (cashier !== null || !driverRows[driver].needsCashier) return [];
    const message = configReasons.cashierMissing({ driver });
    return [configProblem(`registers[${index}].cashier`, message)];
  });
}
