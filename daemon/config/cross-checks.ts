import { driverConnections, driverOptionsSchema } from "@fiscald/drivers/registry.js";
import { createWebhook } from "@fiscald/shared/http/webhook-headers.js";
import type { ConfigProblem } from "./config-problem.js";
import { issuesToProblems } from "./issue-text.js";
import type { RegisterConfig } from "./register-schema.js";
import type { SiteConfig } from "./site-schema.js";

/** Null stands for an entry that is wrong in itself. */
export interface ConfigEntries {
  readonly sites: readonly (SiteConfig | null)[];
  readonly registers: readonly (RegisterConfig | null)[];
  /** Also of the sites that are wrong in themselves. */
  readonly siteIds: readonly string[];
}

/** What no single key can tell: ids, addresses and groups as a whole. */
export function crossCheck(config: ConfigEntries): readonly ConfigProblem[] {
  return [
    ...repeated(config.sites, "sites", "id", (site) => site.id),
    ...repeated(config.registers, "registers", "id", (register) => register.id),
    ...repeated(config.registers, "registers", "expectKkm", (register) => register.expectKkm),
    ...repeated(config.sites, "sites", "urls.orders", (site) => new URL(site.urls.orders).href),
    ...repeated(config.registers, "registers", "connection", (register) => endOf(register)),
    ...checkSites(config),
    ...config.registers.flatMap((register, index) =>
      register === null ? [] : checkRegister(config, register, `registers[${index}]`),
    ),
    ...checkGroups(config.registers),
  ];
}

function repeated<T>(
  entries: readonly (T | null)[],
  list: string,
  key: string,
  pick: (entry: T) => string | null,
): readonly ConfigProblem[] {
  return entries.flatMap((entry, index) => {
    const value = entry === null ? null : pick(entry);
    const first = entries.findIndex((other) => other !== null && pick(other) === value);
    if (value === null || first === index) return [];
    return [{ path: `${list}[${index}].${key}`, message: `is the same as in ${list}[${first}]` }];
  });
}

function checkSites({ sites, siteIds }: ConfigEntries): readonly ConfigProblem[] {
  return sites.flatMap((site, index) => {
    if (site === null) return [];
    const problems: ConfigProblem[] = [];
    const note = (key: string, message: string) => problems.push({ path: `sites[${index}].${key}`, message });
    if (siteIds.some((id) => id === site.renamedFrom)) note("renamedFrom", "is the id of a site that is still here");
    if (site.auth.kind === "signature" && createWebhook(site.auth.secret) === null) {
      note("auth.secret", "must be base64, with or without `whsec_` before it");
    }
    if ((site.tls.certFile === null) !== (site.tls.keyFile === null)) note("tls", "certFile and keyFile go together");
    return problems;
  });
}

function checkRegister({ siteIds }: ConfigEntries, register: RegisterConfig, place: string): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [index, id] of register.sites.entries()) {
    if (siteIds.some((known) => known === id)) continue;
    const known = siteIds.join(", ");
    problems.push({ path: `${place}.sites[${index}]`, message: `there is no site ${id}; there are: ${known}` });
  }
  return [...problems, ...checkConnection(register, place), ...checkOptions(register, place)];
}

function checkConnection({ driver, connection }: RegisterConfig, place: string): readonly ConfigProblem[] {
  const kinds = driverConnections(driver);
  if (kinds.includes(connection.kind)) return [];
  const message = `${driver} registers are not reached by "${connection.kind}"; there are: ${kinds.join(", ")}`;
  return [{ path: `${place}.connection.kind`, message }];
}

/** Only the driver knows its own options. */
function checkOptions({ driver, options }: RegisterConfig, place: string): readonly ConfigProblem[] {
  const schema = driverOptionsSchema(driver);
  const parsed = schema.safeParse(options);
  if (parsed.success) return [];
  return issuesToProblems(schema, parsed.error.issues).map(({ path, message }) => ({
    path: path === "" ? `${place}.options` : `${place}.options.${path}`,
    message,
  }));
}

function checkGroups(registers: ConfigEntries["registers"]): readonly ConfigProblem[] {
  return registers.flatMap((register, index) => {
    if (register === null || register.group === null) return [];
    const isEmulated = (other: RegisterConfig) => other.connection.kind === "emulator";
    const first = registers.find((other) => other?.group === register.group);
    if (first == null || isEmulated(first) === isEmulated(register)) return [];
    const message = `emulated and real registers cannot share the group ${register.group}`;
    return [{ path: `registers[${index}].group`, message }];
  });
}

/** What two registers cannot share; null where there is nothing to share. */
function endOf({ connection, options }: RegisterConfig): string | null {
  switch (connection.kind) {
    case "serial":
      return `serial ${connection.path}`;
    case "tcp":
      return `tcp ${connection.host.toLowerCase()}:${connection.port}`;
    case "http":
      // One service serves several registers, each by its id.
      return `http ${new URL(connection.url).host} ${JSON.stringify(options.deviceId ?? null)}`;
    case "emulator":
      return connection.statePath === null ? null : `file ${connection.statePath}`;
  }
}
