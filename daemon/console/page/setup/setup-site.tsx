import { useState } from "preact/hooks";
import { messagesIn } from "../../../messages/messages.js";
import type { SiteTestView } from "../../setup/setup-api.js";
import { isRefused, type Refused, request } from "../api.js";
import { Sentence } from "../text.js";
import { language } from "../words.js";
import { Field, Select } from "./setup-fields.js";
import { inWords, setupWords as words } from "./setup-words.js";

const authKinds = ["signature", "bearer", "basic", "header", "none"] as const;

export const emptySite = { orders: "", id: "shop", auth: "signature", user: "", header: "X-Fiscal-Key", secret: "" };
export type SiteRow = typeof emptySite;

interface SiteProps {
  readonly site: SiteRow;
  onChange(site: SiteRow): void;
}

type TestOutcome = SiteTestView | Refused | "testing";

export function SiteQuestions({ site, onChange }: SiteProps) {
  const set = (change: Partial<SiteRow>) => onChange({ ...site, ...change });
  const [test, setTest] = useState<{ readonly of: string; readonly outcome: TestOutcome } | null>(null);
  const { id: _, ...calls } = site;
  const asked = JSON.stringify(calls);
  // A test counts only for the address and the secret with which it was made.
  const tested = test?.of === asked ? test.outcome : null;
  async function run(): Promise<void> {
    setTest({ of: asked, outcome: "testing" });
    const answer = await request<SiteTestView>("/api/setup/site", calls);
    // The person may have typed and tested another address meanwhile.
    setTest((latest) => (latest?.of === asked ? { of: asked, outcome: answer } : latest));
  }
  return (
    <section aria-labelledby="site">
      <h2 id="site" tabIndex={-1}>
        {words.site}
      </h2>
      <Field
        {...{ label: words.orders, value: site.orders, type: "url", isRequired: true }}
        placeholder="https://shop.example/fiscal"
        onChange={(orders) => set({ orders })}
      />
      <Select
        label={words.auth}
        value={site.auth}
        choices={authKinds.map((kind) => [kind, words.authKinds[kind]])}
        onChange={(auth) => set({ auth })}
      />
      {site.auth === "basic" ? (
        <Field label={words.user} value={site.user} isRequired onChange={(user) => set({ user })} />
      ) : null}
      {site.auth === "header" ? (
        <Field label={words.header} value={site.header} isRequired onChange={(header) => set({ header })} />
      ) : null}
      {site.auth === "none" ? null : (
        <Field label={words.secret} value={site.secret} type="password" onChange={(secret) => set({ secret })} />
      )}
      <p>
        <button type="button" disabled={site.orders === "" || tested === "testing"} onClick={() => void run()}>
          {tested === "testing" ? words.testing : words.test}
        </button>
      </p>
      <div role="status">{tested === null || tested === "testing" ? null : <Tested tested={tested} />}</div>
      <Field label={words.siteId} value={site.id} isRequired onChange={(id) => set({ id })} />
    </section>
  );
}

const tones = { ok: "green", warning: "yellow", bad: "red" } as const;

function Tested({ tested }: { readonly tested: SiteTestView | Refused }) {
  if (isRefused(tested)) return <p>{inWords(tested)}</p>;
  return <Findings findings={tested.findings} />;
}

export function Findings({ findings }: SiteTestView) {
  const { doctor } = messagesIn(language);
  const areSeveral = new Set(findings.map(({ about }) => about)).size > 1;
  return (
    <>
      {findings.map(({ about, level, text, next, detail }) => (
        <p key={`${about} ${text.en}`}>
          <span class={`badge ${tones[level]}`}>{doctor.levels[level].toLowerCase()}</span>{" "}
          {areSeveral ? `${about}: ` : ""}
          {text[language]} <Sentence text={next?.[language] ?? ""} /> <span class="detail">{detail?.[language]}</span>
        </p>
      ))}
    </>
  );
}
