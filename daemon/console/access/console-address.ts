import { X509Certificate } from "node:crypto";
import type { ConsoleConfig } from "../../config/console-schema.js";

type Listening = Pick<ConsoleConfig, "host" | "tls">;

/** Null: the console uses plain HTTP. The config has both files or neither. */
export function consoleTls({ tls: { certFile, keyFile } }: Listening): { cert: string; key: string } | null {
  return certFile === null || keyFile === null ? null : { cert: certFile, key: keyFile };
}

/** An address for people and browsers. A console that listens on all addresses gets the name in its certificate. */
export function consoleUrl(options: Listening, port: number): string {
  const { host } = options;
  const name = host === "0.0.0.0" || host === "::" ? (certificateNames(options)[0] ?? "localhost") : host;
  return `${consoleTls(options) === null ? "http" : "https"}://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** The console may be called by these host names, because only the console has a certificate for them. */
export function ownNames(options: Listening): readonly string[] {
  return [options.host, ...certificateNames(options)];
}

function certificateNames(options: Listening): readonly string[] {
  const cert = consoleTls(options)?.cert;
  const names = cert === undefined ? "" : (new X509Certificate(cert).subjectAltName ?? "");
  return names.split(", ").flatMap((name) => /^DNS:([^*]+)$/.exec(name)?.[1] ?? []);
}
