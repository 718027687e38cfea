import { createWebhook } from "@fiscald/shared/http/webhook-headers.js";
import { idText, webAddress } from "../../config/field-types.js";
import { type AuthKind, authEntry, authKinds, nameOfHost, newSecret, urlsOf } from "../../setup/entries.js";
import type { SecretFile } from "../../setup/write-config.js";
import type { Questions } from "../terminal/questions.js";

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

/** `freeName` returns an unused file name. */
export async function askSite(questions: Questions, freeName: (wanted: string) => string): Promise<SiteAnswers> {
  const { site: words, problems } = questions.words;
  const orders = await questions.text(words.orders, { problem: addressProblem(problems) });
  const urls = (await questions.yesNo(words.isOneAddress, true))
    ? urlsOf(orders)
    : { orders, ...(await askOtherAddresses(questions)) };
  const id = await questions.text(words.id, {
    otherwise: nameOfHost(orders),
    problem: (answer) => (idText.safeParse(answer).success ? null : problems.id),
  });
  const receiptFormat = await questions.choose(words.format, ["auto", "task-table", "online"], "auto");
  const bodyEncoding = await questions.choose(words.encoding, ["json", "form"], "json");
  const kind = await questions.choose(words.auth, authKinds, "signature");
  const { auth, secret } = await askAuth(questions, kind, freeName(`${id}-secret`));
  return { id, entry: { id, urls, receiptFormat, bodyEncoding, ...(auth === null ? {} : { auth }) }, secret };
}

async function askOtherAddresses(questions: Questions): Promise<Readonly<Record<string, string | null>>> {
  const { site: words, problems } = questions.words;
  const isAddress = addressProblem(problems);
  const result = await questions.text(words.result, { problem: isAddress });
  const optional: Record<string, string | null> = {};
  for (const key of ["sync", "activity", "zreport", "error"] as const) {
    const answer = await questions.text(words[key], {
      otherwise: "",
      problem: (text) => (text === "" ? null : isAddress(text)),
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
  const { site: words, problems } = questions.words;
  const user = kind === "basic" ? await questions.text(words.user) : "";
  const name = kind === "header" ? await questions.text(words.header, { otherwise: "X-Fiscal-Key" }) : "";
  const answer = await questions.secret(words.secret, {
    otherwise: "",
    problem: (text) =>
      kind !== "signature" || text === "" || createWebhook(text) !== null ? null : problems.signature,
  });
  const value = answer || newSecret(kind);
  return { auth: authEntry(kind, { user, name }, file), secret: { value, isNew: answer === "", file } };
}

function addressProblem({ address }: Questions["words"]["problems"]) {
  return (answer: string) => (webAddress.safeParse(answer).success ? null : address);
}
