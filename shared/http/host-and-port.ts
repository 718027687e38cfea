import { Fault } from "../fault.js";

/** Reads `127.0.0.1:7780` or `[::1]:7780`; port 0 means any free port. Fault `usage.wrong`. */
export function parseHostAndPort(text: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const [, bracketed, plain, digits] = match ?? [];
  const port = Number(digits);
  const host = bracketed ?? plain;
  if (host === undefined || port > 65_535) throw new Fault("usage.wrong", { message: `"${text}" is no HOST:PORT` });
  return { host, port };
}
