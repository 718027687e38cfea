import { createWebhook } from "@fiscald/shared/http/webhook-headers.js";
import { idText, webAddress } from "../../config/field-types.js";
import { type AuthKind, authEntry, authKinds, authNow, nameOfHost, newSecret, urlsOf } from "../../setup/entries.js";
import type { SiteToTry } from "../../setup/try-site.js";
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

export interface SiteHelp {
  /** Returns an unused file name. */
  freeName(wanted: string): string;
  /** Tests the address, and shows how it answers. */
  tryIt(site: SiteToTry): Promise<void>;
}

export async function askSite(questions: Questions, { freeName, tryIt }: SiteHelp): Promise<SiteAnswers> {
  const { site: words, problems } = questions.words;
  const orders = await questions.text(words.orders, {
    problem: (answer) => (webAddress.safeParse(answer).success ? null : problems.address),
  });
  const kind = await questions.choose(words.auth, authKinds, "signature");
  const user = kind === "basic" ? await questions.text(words.user) : "";
  const name = kind === "header" ? await questions.text(words.header, { otherwise: "X-Fiscal-Key" }) : "";
  const answer = kind === "none" ? "" : await askSecret(questions, kind);
  const value = answer || newSecret(kind);
  await tryIt({ orders, auth: authNow(kind, { user, name }, value), isSecretNew: answer === "" });
  const id = await questions.text(words.id, {
    otherwise: nameOfHost(orders),
    problem: (text) => (idText.safeParse(text).success ? null : problems.id),
  });
  const file = freeName(`${id}-secret`);
  const auth = authEntry(kind, { user, name }, file);
  return {
    id,
    entry: { id, urls: urlsOf(orders), ...(auth === null ? {} : { auth }) },
    secret: auth === null ? null : { value, isNew: answer === "", file },
  };
}

function askSecret(questions: Questions, kind: AuthKind): Promise<string> {
  const { site: words, problems } = questions.words;
  return questions.secret(words.secret, {
    otherwise: "",
    problem: (text) =>
      kind !== "signature" || text === "" || createWebhook(text) !== null ? null : problems.signature,
  });
}
