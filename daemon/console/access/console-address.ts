/** The address at which the console is reached, and the host names that belong to the console. */
import { X509Certificate } from "node:crypto";
import type { ConsoleConfig } from "../../config/console-schema.js";

type Listening = Pick<ConsoleConfig, "host" | "tls">;

/** The certificate and its key; null = plain HTTP. The config has both or neither. */
export function consoleTls({ tls: { certFile, keyFile } }: Listening): { cert: string; key: string } | null {
  return certFile === null || keyFile === null ? null : { cert: certFile, key: keyFile };
}

/** The address for people and browsers. A console on all addresses is named as its certificate says. */
export function consoleUrl(options: Listening, port: number): string {
  const { host } = options;
  const name = host === "0.0.0.0" || host === "::" ? (certificateNames(options)[0] ?? "localhost") : host;
  return `${consoleTls(options) === null ? "http" : "https"}://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Host names under which the console may be called. For these only the console has a certificate. */
export function ownNames(options: Listening): readonly string[] {
  return [options.host, ...certificateNames(options)];
}

function certificateNames(options: Listening): readonly string[] {
  const cert = consoleTls(options)?.cert;
  const names = cert === undefined ? "" : (new X509Certificate(cert).subjectAltName ?? "");
  return names.split(", ").flatMap((name) => /^DNS:([^*]+)$/.exec(name)?.[1] ?? []);
}
