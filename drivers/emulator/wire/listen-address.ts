import { Fault } from "@fiscald/shared/fault.js";

export type ListenAddress =
  /** `http` is a TCP port too; the name says which protocol it serves. */
  | { readonly kind: "tcp" | "http"; readonly host: string; readonly port: number }
  | { readonly kind: "serial"; readonly path: string };

/** `tcp:127.0.0.1:7778`, `http:127.0.0.1:16732`, `serial:/dev/pts/3`. Fault `usage.wrong`. */
export function parseListenAddress(text: string): ListenAddress {
  const [kind = "", ...rest] = text.split(":");
  const tail = rest.join(":");
  if (kind === "tcp" || kind === "http") return { kind, ...parseHostAndPort(tail) };
  if (kind === "serial" && tail !== "") return { kind, path: tail };
  throw new Fault("usage.wrong", {
    message: `"${text}" is no address to listen on: tcp:HOST:PORT, http:HOST:PORT or serial:PATH`,
  });
}

/** `127.0.0.1:7780`, `[::1]:7780`; port 0 takes a free one. Fault `usage.wrong`. */
export function parseHostAndPort(text: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const [, bracketed, plain, digits] = match ?? [];
  const port = Number(digits);
  const host = bracketed ?? plain;
  if (host === undefined || port > 65_535) throw new Fault("usage.wrong", { message: `"${text}" is no HOST:PORT` });
  return { host, port };
}
