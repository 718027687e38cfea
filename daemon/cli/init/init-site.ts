import { createWebhook } from "@fiscald/shared/http/webhook-headers.js";
import { idText, webAddress } from "../../config/field-types.js";
import { type AuthKind, authKinds, authNow, nameOfHost, newSecret } from "../../setup/entries.js";
import type { NewShop } from "../../setup/setup-answers.js";
import type { SiteToTry } from "../../setup/try-site.js";
import type { Questions } from "../terminal/questions.js";

export interface SiteAnswers {
  readonly site: NewShop["site"];
  /** The secret was just generated: the site does not know it yet. */
  readonly isSecretNew: boolean;
}

/** `tryIt` tests the address, and shows how it answers. */
export async function askSite(questions: Questions, tryIt: (site: SiteToTry) => Promise<void>): Promise<SiteAnswers> {
  const { site: words, problems } = questions.words;
  const orders = await questions.text(words.orders, {
    problem: (answer) => (webAddress.safeParse(answer).success ? null : problems.address),
  });
  const kind = await questions.choose(words.auth, authKinds, "signature");
  const user = kind === "basic" ? await questions.text(words.user) : "";
  const header = kind === "header" ? await questions.text(words.header, { otherwise: "X-Fiscal-Key" }) : "";
  const answer = kind === "none" ? "" : await askSecret(questions, kind);
  const isSecretNew = kind !== "none" && answer === "";
  const secret = isSecretNew ? newSecret(kind) : answer;
  await tryIt({ orders, auth: authNow(kind, { user, name: header }, secret), isSecretNew: answer === "" });
  const id = await questions.text(words.id, {
    otherwise: nameOfHost(orders),
    problem: (text) => (idText.safeParse(text).success ? null : problems.id),
  });
  return { site: { orders, auth: kind, user, header, secret, id }, isSecretNew };
}

function askSecret(questions: Questions, kind: AuthKind): Promise<string> {
  const { site: words, problems } = questions.words;
  return questions.secret(words.secret, {
    otherwise: "",
    problem: (text) =>
      kind !== "signature" || text === "" || createWebhook(text) !== null ? null : problems.signature,
  });
}
