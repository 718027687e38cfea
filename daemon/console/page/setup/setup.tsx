/** The set-up page: the questions of `fiscald init` in the browser; where a config exists, its settings. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Language, type Messages, messagesIn } from "../../../messages/messages.js";
import type { ChangeView } from "../../setup/change-api.js";
import type { SetupView, SiteTestView, WrittenView } from "../../setup/setup-api.js";
import { keepLanguage, keptLanguage } from "../words.js";
import { ask, isRefused, type Refused } from "./setup-calls.js";
import { Change } from "./setup-change.js";
import { Field, Select } from "./setup-fields.js";
import { type RegisterRow, Registers, toAnswer } from "./setup-registers.js";
import { Start } from "./setup-start.js";
import { inWords, type SpokenSetup } from "./setup-words.js";

type Words = Messages["setup"];

const authKinds = ["signature", "bearer", "basic", "header", "none"] as const;

function Setup() {
  const [language, setLanguage] = useState<Language>(keptLanguage);
  const [view, setView] = useState<SetupView | ChangeView | Refused | null>(null);
  useEffect(() => void ask<SetupView | ChangeView>("/api/setup").then(setView), []);
  const words = messagesIn(language).setup;
  useEffect(() => {
    keepLanguage(language);
    document.title = words.title;
  }, [language, words]);
  const other: Language = language === "ru" ? "en" : "ru";
  return (
    <>
      <header class="top">
        <h1>{words.title}</h1>
        <button type="button" lang={other} onClick={() => setLanguage(other)}>
          {messagesIn(language).page.otherLanguage}
        </button>
      </header>
      <main class="setup">
        {view === null ? null : isRefused(view) ? (
          <>
            <h2>{words.closed}</h2>
            <p>{view.refusal?.code === "daemon.not-allowed" ? inWords(view, language, words) : words.howToOpen}</p>
          </>
        ) : "sections" in view ? (
          <Change {...{ view, words, language }} />
        ) : (
          <Questions {...{ view, words, language }} />
        )}
      </main>
    </>
  );
}

const emptySite = { orders: "", id: "", auth: "signature", user: "", header: "X-Fiscal-Key", secret: "" };

function Questions({ view, words, language }: SpokenSetup & { readonly view: SetupView }) {
  const [site, setSite] = useState(emptySite);
  const [registers, setRegisters] = useState<readonly RegisterRow[]>([]);
  const [shop, setShop] = useState({ timeZone: zoneOfShop(view.timeZone), closeShiftAt: "" });
  const [outcome, setOutcome] = useState<WrittenView | Refused | "writing" | null>(null);
  async function write(): Promise<void> {
    setOutcome("writing");
    const answers = {
      site,
      registers: registers.map(toAnswer),
      timeZone: shop.timeZone,
      closeShiftAt: shop.closeShiftAt === "" ? null : shop.closeShiftAt,
    };
    setOutcome(await ask<WrittenView>("/api/setup/config", answers));
  }
  if (outcome !== null && outcome !== "writing" && !isRefused(outcome)) {
    return <Written {...{ written: outcome, words }} />;
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (registers.length > 0) void write();
      }}
    >
      <p>{words.intro({ path: view.configPath })}</p>
      <SiteQuestions {...{ site, words, language }} onChange={setSite} />
      <Registers {...{ registers, words, language, drivers: view.drivers }} onChange={setRegisters} />
      <section aria-labelledby="shop">
        <h2 id="shop">{words.shop}</h2>
        <Field
          label={words.timeZone}
          value={shop.timeZone}
          isRequired
          proposals={russianZones}
          onChange={(timeZone) => setShop({ ...shop, timeZone })}
        />
        <Field
          label={words.closeShiftAt}
          value={shop.closeShiftAt}
          type="time"
          onChange={(closeShiftAt) => setShop({ ...shop, closeShiftAt })}
        />
      </section>
      <p>
        <button type="submit" disabled={outcome === "writing"}>
          {outcome === "writing" ? words.writing : words.write}
        </button>
      </p>
      <p role="status">
        {registers.length === 0
          ? words.noRegister
          : outcome === null || outcome === "writing"
            ? ""
            : inWords(outcome, language, words)}
      </p>
    </form>
  );
}

/**
 * The machine's zone as the first proposal. A machine that nobody has told its zone says UTC, which is no shop's: then
 * the person must choose.
 */
function zoneOfShop(timeZone: string): string {
  return /^(Etc\/)?(UTC|GMT)$/.test(timeZone) ? "" : timeZone;
}

/** Time zones from west to east, an hour apart. */
const russianZones = [
  ...["Europe/Kaliningrad", "Europe/Moscow", "Europe/Samara", "Asia/Yekaterinburg", "Asia/Omsk", "Asia/Krasnoyarsk"],
  ...["Asia/Irkutsk", "Asia/Yakutsk", "Asia/Vladivostok", "Asia/Magadan", "Asia/Kamchatka"],
];

interface SiteProps extends SpokenSetup {
  readonly site: typeof emptySite;
  /**
   * Takes a function of the present site, because a test of the address takes time and the person types on meanwhile.
   */
  onChange(change: (site: typeof emptySite) => typeof emptySite): void;
}

type TestOutcome = SiteTestView | Refused | "testing";

function SiteQuestions({ site, words, language, onChange }: SiteProps) {
  const set = (change: Partial<typeof emptySite>) => onChange((before) => ({ ...before, ...change }));
  const { doctor } = messagesIn(language);
  const [test, setTest] = useState<{ readonly orders: string; readonly outcome: TestOutcome } | null>(null);
  // A test says nothing about another address than it was made with.
  const tested = test?.orders === site.orders ? test.outcome : null;
  async function run(): Promise<void> {
    const { orders } = site;
    setTest({ orders, outcome: "testing" });
    const answer = await ask<SiteTestView>("/api/setup/site", { orders });
    // Meanwhile the person may have typed and tested another address.
    setTest((latest) => (latest?.orders === orders ? { orders, outcome: answer } : latest));
    if (!isRefused(answer))
      onChange((before) => (before.orders === orders ? { ...before, id: before.id || answer.id } : before));
  }
  return (
    <section aria-labelledby="site">
      <h2 id="site">{words.site}</h2>
      <Field label={words.orders} value={site.orders} type="url" isRequired onChange={(orders) => set({ orders })} />
      <p>
        <button type="button" disabled={site.orders === "" || tested === "testing"} onClick={() => void run()}>
          {tested === "testing" ? words.testing : words.test}
        </button>
      </p>
      <div role="status">
        {tested === null || tested === "testing" ? null : isRefused(tested) ? (
          <p>{inWords(tested, language, words)}</p>
        ) : (
          tested.findings.map(({ check, level, text, next, detail }) => (
            <p key={text.en} class={`finding ${level}`}>
              <strong>
                [{doctor.levels[level]}] {doctor.checks[check]}
              </strong>
              : {text[language]} {detail} {next?.[language]}
            </p>
          ))
        )}
      </div>
      <Field label={words.siteId} value={site.id} isRequired onChange={(id) => set({ id })} />
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
    </section>
  );
}

function Written({ written, words }: { readonly written: WrittenView; readonly words: Words }) {
  const [isCopied, setCopied] = useState(false);
  const { configPath, secret, opensPage } = written;
  return (
    <>
      <h2>{words.written}</h2>
      <p>
        {words.writtenTo}: <code>{configPath}</code>
      </p>
      {secret === null ? null : (
        <>
          <p>{words.giveSecret}</p>
          <output>{secret}</output>
          <p>
            <button
              type="button"
              onClick={() => void navigator.clipboard.writeText(secret).then(() => setCopied(true))}
            >
              {words.copy}
            </button>{" "}
            <span role="status">{isCopied ? words.copied : ""}</span>
          </p>
        </>
      )}
      {opensPage ? <Start before={null} words={words} /> : <p>{words.next}</p>}
    </>
  );
}

const root = document.getElementById("page");
if (root !== null) render(<Setup />, root);
