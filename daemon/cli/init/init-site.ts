import { randomBytes } from "node:crypto";
import { createWebhook } from "@fiscald/shared/http/webhook-headers.js";
import { idText, webAddress } from "../../config/field-types.js";
import type { Questions } from "../terminal/questions.js";
import type { SecretFile } from "./write-config.js";

/** The site's entry of the config and the secret, which is written to a separate file. */
export interface SiteAnswers {
  readonly id: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly secret: SiteSecret | null;
}

export interface SiteSecret extends SecretFile {
  /** The secret was just generated: the site does not know it yet. */
  readonly isNew: boolean;
}

const authKinds = ["none", "basic", "bearer", "header", "signature"] as const;
type AuthKind = (typeof authKinds)[number];

/** `freeName` returns an unused file name. */
export async function askSite(questions: Questions, freeName: (wanted: string) => string): Promise<SiteAnswers> {
  const orders = await questions.text("Address of the site's handler, such as https://shop.example/fiscal", {
    problem: addressProblem,
  });
  const urls = (await questions.yesNo("Do all calls go to this one address", true))
    ? { orders, result: orders, sync: orders, activity: orders, zreport: orders }
    : { orders, ...(await askOtherAddresses(questions)) };
  const id = await questions.text("Short name of the site, for logs and commands", {
    otherwise: nameOfHost(orders),
    problem: (answer) => (idText.safeParse(answer).success ? null : "letters, digits, dot, dash and underscore only"),
  });
  const receiptFormat = await questions.choose("Format of its orders", ["auto", "task-table", "online"], "auto");
  const bodyEncoding = await questions.choose("How calls are encoded", ["json", "form"], "json");
  const kind = await questions.choose("How the daemon authenticates to the site", authKinds, "signature");
  const { auth, secret } = await askAuth(questions, kind, freeName(`${id}-secret`));
  return { id, entry: { id, urls, receiptFormat, bodyEncoding, ...(auth === null ? {} : { auth }) }, secret };
}

async function askOtherAddresses(questions: Questions): Promise<Readonly<Record<string, string | null>>> {
  const result = await questions.text("Address for the print results", { problem: addressProblem });
  const optional: Record<string, string | null> = {};
  for (const [key, what] of [
    ["sync", "the list of registers"],
    ["activity", "connects and disconnects"],
    ["zreport", "Z-reports"],
    ["error", "orders that could not be read"],
  ] as const) {
    const answer = await questions.text(`Address for ${what} (Enter = not sent)`, {
      otherwise: "",
      problem: (text) => (text === "" ? null : addressProblem(text)),
    });
    optional[key] = answer || null;
  }
  return { result, ...optional };
}

interface AuthAnswers {
  readonly auth: Readonly<Record<string, unknown>> | null;
  readonly secret: SiteSecret | null;
}

async function askAuth(questions: Questions, kind: AuthKind, file: string): Promise<AuthAnswers> {
  if (kind === "none") return { auth: null, secret: null };
  const user = kind === "basic" ? await questions.text("User") : "";
  const name = kind === "header" ? await questions.text("Name of the header", { otherwise: "X-Fiscal-Key" }) : "";
  const answer = await questions.secret("The secret that the site knows (Enter = generate a new one)", {
    otherwise: "",
    problem: (text) =>
      kind !== "signature" || text === "" || createWebhook(text) !== null
        ? null
        : "must be base64, with or without `whsec_` before it",
  });
  const value = answer || `${kind === "signature" ? "whsec_" : ""}${randomBytes(24).toString("base64")}`;
  const source = { fromFile: file };
  const auth = {
    basic: { kind, user, password: source },
    bearer: { kind, token: source },
    header: { kind, name, value: source },
    signature: { kind, secret: source },
  }[kind];
  return { auth, secret: { value, isNew: answer === "", file } };
}

function addressProblem(answer: string): string | null {
  return webAddress.safeParse(answer).success ? null : "must be an address that begins with http:// or https://";
}

/** `https://www.shop.example/fiscal` -> `shop`; `site` for an IP address. */
function nameOfHost(address: string): string {
  const { hostname } = new URL(address);
  const first = /^[\d.]+$|^\[/.test(hostname) ? "site" : (hostname.replace(/^www\./, "").split(".")[0] ?? "");
  return idText.safeParse(first).success ? first : "site";
}
