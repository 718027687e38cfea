import { resolve } from "node:path";
import { serialPath } from "@fiscald/drivers/connection.js";
import type { Discovery, FoundRegister } from "@fiscald/drivers/discover/discover.js";
import type { HostToAsk } from "@fiscald/drivers/discover/endpoints.js";
import type { UsbDevice } from "@fiscald/drivers/transport/serial-ports.js";
import type { Config } from "../../config/config-schema.js";
import { type Language, messagesIn } from "../../messages/messages.js";
import { findRegisters, heldPlaces, parseHost } from "../../setup/find-registers.js";
import { type CliContext, type ExitCode, exitCodes, loadCliConfig, printJson, type Session } from "../cli-context.js";
import { isDaemonUp } from "../daemon-client.js";
import { formatTable } from "../terminal/output.js";

export async function showDiscovery(session: Session): Promise<ExitCode> {
  const { context, options, language, words } = session;
  const hosts = options.host.map(parseHost);
  if (!options.json) context.err(`${words.discover.looking}\n`);
  const discovery = await searchFor(session, hosts);
  if (options.json) printJson(context, jsonView(discovery));
  else printDiscovery(context, discovery, language);
  return discovery.found.length === 0 ? exitCodes.failed : exitCodes.done;
}

export async function searchFor(
  session: Session,
  hosts: readonly HostToAsk[] = session.options.host.map(parseHost),
): Promise<Discovery> {
  const { context, options } = session;
  return findRegisters({
    hosts,
    namedPorts: options.port.map((path) => portPath(context, path)),
    held: await portsOfDaemon(session),
    listPorts: context.listPorts,
    signal: context.stopSignal,
  });
}

/** An absolute path, or on Windows the port's name, such as COM3. */
function portPath({ folder }: CliContext, path: string): string {
  return process.platform === "win32" ? serialPath(path) : resolve(folder, path);
}

export function connectionText({ connection, behind, usb }: FoundRegister): string {
  switch (connection.kind) {
    case "serial":
      return `serial ${connection.path} ${connection.baudRate}${usb === null ? "" : ` (USB ${usbText(usb)})`}`;
    case "tcp":
      return `tcp ${connection.host}:${connection.port}`;
    case "http":
      return `http ${connection.url}${behind === undefined ? "" : ` ${behind}`}`;
  }
}

export function printDiscovery(
  { out, err }: CliContext,
  { found, others, advice = [] }: Discovery,
  language: Language,
): void {
  const { discover: words, setup } = messagesIn(language);
  if (found.length > 0) {
    const rows = found.map((register) => registerRow(register, language));
    out(formatTable(words.found, rows));
    for (const { fault, place } of found) if (fault !== null) out(`\n${place}: ${fault.hint[language]}\n`);
  }
  const shown = others.filter(({ state, named }) => named || state !== "closed");
  if (shown.length > 0) {
    if (found.length > 0) out("\n");
    for (const { place, state, usb } of shown) {
      out(`${setup.notThere[state]({ place: usb === null ? place : `${place} (USB ${usbText(usb)})` })}\n`);
    }
  }
  if (found.length > 0) return;
  const lines = advice.map((line) => `  - ${line[language]};\n`).join("");
  err(words.nothing({ advice: lines }));
}

function registerRow(register: FoundRegister, language: Language): readonly string[] {
  const { driver, identity, fault } = register;
  return [
    driver,
    identity?.model ?? "?",
    identity?.kkm ?? "?",
    identity?.inn ?? "?",
    identity?.fn ?? "?",
    connectionText(register),
    (language === "en" ? fault?.message : fault?.text[language]) ?? "",
  ];
}

function usbText({ vendorId, productId, manufacturer }: UsbDevice): string {
  return `${vendorId}:${productId} ${manufacturer ?? ""}`.trimEnd();
}

function jsonView({ found, others }: Discovery): object {
  return {
    found: found.map(({ place, driver, identity, connection, options, usb, fault }) => ({
      place,
      driver,
      model: identity?.model ?? null,
      kkm: identity?.kkm ?? null,
      inn: identity?.inn ?? null,
      fn: identity?.fn ?? null,
      serial: identity?.serial ?? null,
      firmware: identity?.firmware ?? null,
      ffd: identity?.ffd ?? null,
      connection,
      options,
      usb,
      fault: fault === null ? null : { code: fault.code, message: fault.message, hint: fault.hint },
    })),
    others: others.map(({ place, state, reason, usb }) => ({ place, state, reason, usb })),
  };
}

/** Ports that the running daemon uses are not asked, because a register accepts one host at a time. */
async function portsOfDaemon(session: Session): Promise<ReadonlyMap<string, string>> {
  const config = readConfig(session);
  if (config === null || !(await isDaemonUp(config))) return new Map();
  return heldPlaces(config.registers, (id) => messagesIn("en").discover.ofDaemon({ id }));
}

/** Null: there is no valid config. `discover` works without a config. */
function readConfig(session: Session): Config | null {
  try {
    return loadCliConfig(session);
  } catch {
    return null;
  }
}
