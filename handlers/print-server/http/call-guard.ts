/** Checks the callers of the handlers by their secrets, signatures and addresses. */
import { createHash, timingSafeEqual } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { Fault } from "@fiscald/shared/fault.js";
import { createWebhook } from "@fiscald/shared/http/webhook-headers.js";
import { checkAuth } from "../check-options.js";

/** How a print server proves itself: as in the daemon's `sites[].auth`, or by `query` for older print servers. */
export type CallAuth =
  | { readonly kind: "none" }
  /** A secret in the address, `?key=SECRET`. `name` replaces the parameter's name `key`. */
  | { readonly kind: "query"; readonly name?: string; readonly secret: string }
  | { readonly kind: "basic"; readonly user: string; readonly password: string }
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "header"; readonly name: string; readonly value: string }
  /** A Standard Webhooks signature: `webhook-id`, `webhook-timestamp`, `webhook-signature` over the body as sent. */
  | { readonly kind: "signature"; readonly secret: string };

export interface GuardOptions {
  readonly auth: CallAuth | readonly CallAuth[];
  readonly allowedAddresses?: readonly string[];
  /** Milliseconds since the epoch, for the signature's five minutes. */
  now(): number;
}

/** Names of headers are in lower case. */
export type CallHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface CallHead {
  readonly headers: CallHeaders;
  readonly url: string;
}

export type CallGuard = ReturnType<typeof createCallGuard>;

/** What the signature covers besides the body. */
export interface SignedMessage {
  /** Header `webhook-id`. */
  readonly id: string;
  /** Header `webhook-timestamp`, as milliseconds since the epoch. */
  readonly sentAt: number;
}

const bodyWasParsed =
  "The body was parsed before its signature could be checked: mount the router before express.urlencoded().";

const noProof = "the call has neither a signature nor a secret that fits";
const otherSecret = "the signature was made by another secret, or of another body";

/** `why` goes to the site's log alone: a caller that guesses secrets must not learn it. */
const unauthorized = (why: string) => new Fault("call.unauthorized", { details: { why } });

const SIGNATURE_WINDOW_MS = 5 * 60_000;
/** The most signatures of one call. A sender has one for each of its secrets, and two secrets while it changes them. */
const MAX_SIGNATURES = 10;

type Check = (call: CallHead) => boolean;
type Sign = (message: SignedMessage, rawText: string) => string;

/** Fault `config.invalid` for a missing, empty or malformed secret, and for a malformed network. */
export function createCallGuard(options: GuardOptions) {
  checkAuth(options.auth);
  const kinds = [options.auth].flat();
  const checks = kinds.flatMap((auth) => (auth.kind === "signature" ? [] : [createCheck(auth)]));
  const signers = kinds.flatMap((auth) => (auth.kind === "signature" ? [createSigner(auth.secret)] : []));
  const allowed = options.allowedAddresses === undefined ? null : readNetworks(options.allowedAddresses);
  return {
    /** Value of the header `WWW-Authenticate` in an answer of status 401. */
    challenge: kinds.some((auth) => auth.kind === "basic") ? 'Basic realm="fiscal"' : 'Bearer realm="fiscal"',
    /** Call this before the body is read. Fault `call.forbidden` for an address that is not allowed. */
    checkAddress(remoteAddress: string | null): void {
      if (allowed !== null && !allowed(remoteAddress)) throw new Fault("call.forbidden");
    },
    /** Call before the body is read. Fault `call.unauthorized`. "signature" = `checkSignature` must prove the caller. */
    checkHead(call: CallHead): "proven" | "signature" {
      // Every secret is tried, so that the time of the answer does not reveal which kinds are set.
      if (checks.map((check) => check(call)).includes(true)) return "proven";
      if (signers.length === 0) throw unauthorized(noProof);
      signedMessage(call, options.now());
      return "signature";
    },
    /** Fault `call.unauthorized` when no signature fits. `rawText` null: the body's text is lost, so none can fit. */
    checkSignature(call: CallHead, rawText: string | null): SignedMessage {
      if (rawText === null) throw new Fault("call.unauthorized", { message: bodyWasParsed });
      const message = signedMessage(call, options.now());
      const given = (headerOf(call.headers, "webhook-signature") ?? "").split(" ", MAX_SIGNATURES).map(digest);
      const isSigned = (sign: Sign) => {
        const wanted = digest(sign(message, rawText));
        return given.map((signature) => timingSafeEqual(wanted, signature)).includes(true);
      };
      if (!signers.map(isSigned).includes(true)) throw unauthorized(otherSecret);
      return message;
    },
  };
}

function createCheck(auth: Exclude<CallAuth, { kind: "signature" }>): Check {
  switch (auth.kind) {
    case "none":
      return () => true;
    case "query": {
      const name = auth.name ?? "key";
      // The query is cut off by hand, because `new URL` throws at paths like `//`.
      return sameSecret(auth.secret, ({ url }) => new URLSearchParams(/\?.*/s.exec(url)?.[0]).get(name));
    }
    case "basic":
      return sameSecret(`${auth.user}:${auth.password}`, ({ headers }) => basicOf(headerOf(headers, "authorization")));
    case "bearer":
      return sameSecret(
        auth.token,
        ({ headers }) => /^Bearer +(.+)$/i.exec(headerOf(headers, "authorization") ?? "")?.[1] ?? null,
      );
    case "header": {
      const name = auth.name.toLowerCase();
      return sameSecret(auth.value, ({ headers }) => headerOf(headers, name));
    }
  }
}

function sameSecret(expected: string, read: (call: CallHead) => string | null): Check {
  const wanted = digest(expected);
  return (call) => timingSafeEqual(wanted, digest(read(call) ?? ""));
}

/** `timingSafeEqual` compares only values of equal length. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}

function basicOf(authorization: string | null): string | null {
  const encoded = /^Basic +(\S+)$/i.exec(authorization ?? "")?.[1];
  return encoded === undefined ? null : Buffer.from(encoded, "base64").toString("utf8");
}

/** Null when the header is missing or comes several times. */
export function headerOf(headers: CallHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}

/** The signature's time is checked here, because the webhook package uses the machine's clock. */
function signedMessage({ headers }: CallHead, now: number): SignedMessage {
  const id = headerOf(headers, "webhook-id");
  const sentAt = Number(headerOf(headers, "webhook-timestamp") ?? Number.NaN) * 1000;
  if (id === null || !Number.isSafeInteger(sentAt)) throw unauthorized(noProof);
  const apart = Math.abs(now - sentAt);
  const seconds = Math.round(apart / 1000);
  if (apart > SIGNATURE_WINDOW_MS)
    throw unauthorized(`the clocks of caller and site are ${seconds} s apart, above 300`);
  return { id, sentAt };
}

function createSigner(secret: string): Sign {
  const webhook = createWebhook(secret);
  if (webhook === null) {
    const message = "`auth.secret` of a signature must be base64, with or without `whsec_` before it.";
    throw new Fault("config.invalid", { message, place: "auth.secret" });
  }
  return ({ id, sentAt }, rawText) => webhook.sign(id, new Date(sentAt), rawText);
}

function readNetworks(networks: readonly string[]): (address: string | null) => boolean {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return (address) => {
    const plain = address?.replace(/^::ffff:(?=\d+\.)/i, "") ?? "";
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 6 ? "ipv6" : "ipv4");
  };
}

function addNetwork(list: BlockList, network: string): void {
  const [address = "", prefix] = network.split("/");
  const isV6 = isIP(address) === 6;
  const bits = prefix === undefined ? (isV6 ? 128 : 32) : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  try {
    list.addSubnet(address, bits, isV6 ? "ipv6" : "ipv4");
  } catch (cause) {
    const message = `${network} is no address and no network.`;
    throw new Fault("config.invalid", { message, place: "allowedAddresses", cause });
  }
}
