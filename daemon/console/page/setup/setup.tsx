import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChangeView } from "../../setup/change-api.js";
import type { SetupView, WrittenView } from "../../setup/setup-api.js";
import { isRefused, type Refused, request } from "../api.js";
import { Sentence } from "../text.js";
import { words as pageWords, useOtherLanguage } from "../words.js";
import { Change } from "./setup-change.js";
import { Proof } from "./setup-proof.js";
import { type RegisterRow, Registers, toAnswer } from "./setup-registers.js";
import { ShopQuestions, shopOf } from "./setup-shop.js";
import { emptySite, SiteQuestions } from "./setup-site.js";
import { Start } from "./setup-start.js";
import { inWords, speakSetup, setupWords as words } from "./setup-words.js";

function Setup() {
  const { other, speakOther } = useOtherLanguage();
  const [view, setView] = useState<SetupView | ChangeView | Refused | null>(null);
  useEffect(() => void request<SetupView | ChangeView>("/api/setup").then(setView), []);
  const [place, setPlace] = useState(location.hash);
  useEffect(() => addEventListener("hashchange", () => setPlace(location.hash)), []);
  useEffect(() => {
    document.title = words.title;
  }, [other]);
  return (
    <>
      <header class="top">
        <h1>{words.title}</h1>
        <button
          type="button"
          lang={other}
          onClick={() => {
            speakOther();
            speakSetup();
          }}
        >
          {pageWords.otherLanguage}
        </button>
      </header>
      <main class="setup">
        {view === null ? null : isRefused(view) ? (
          <>
            <h2>{words.closed}</h2>
            <p>
              <Sentence text={isForOthers(view) ? inWords(view) : pageWords.howToOpen} />
            </p>
          </>
        ) : !("sections" in view) ? (
          <Questions view={view} />
        ) : place === "#proof" ? (
          <Proof />
        ) : (
          <Change view={view} />
        )}
      </main>
    </>
  );
}

function isForOthers({ refusal }: Refused): boolean {
  return typeof refusal === "object" && refusal.code === "daemon.not-allowed";
}

const steps = ["site", "registers", "shop"] as const;

function Questions({ view }: { readonly view: SetupView }) {
  const [step, setStep] = useState(0);
  const [site, setSite] = useState(emptySite);
  const [registers, setRegisters] = useState<readonly RegisterRow[]>([]);
  const [shop, setShop] = useState(shopOf(view));
  const [outcome, setOutcome] = useState<WrittenView | Refused | "writing" | "no-register" | null>(null);
  async function write(): Promise<void> {
    setOutcome("writing");
    const answers = { site, registers: registers.map(toAnswer), ...shop, closeShiftAt: shop.closeShiftAt || null };
    setOutcome(await request<WrittenView>("/api/setup/config", answers));
  }
  if (outcome !== null && typeof outcome !== "string" && !isRefused(outcome)) {
    return <Written written={outcome} />;
  }
  const isLast = step === steps.length - 1;
  const lacksRegister = steps[step] === "registers" && registers.length === 0;
  const go = (to: number) => {
    setOutcome(null);
    setStep(to);
  };
  const form = useRef<HTMLFormElement>(null);
  const shownStep = useRef(step);
  // The button that led here may be gone, and a screen reader must announce the step that begins.
  useEffect(() => {
    if (shownStep.current !== step) form.current?.querySelector("h2")?.focus();
    shownStep.current = step;
  }, [step]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isLast) void write();
        else if (lacksRegister) setOutcome("no-register");
        else go(step + 1);
      }}
    >
      <p>{words.intro({ path: view.configPath })}</p>
      <ol class="steps" aria-label={words.steps}>
        {steps.map((name, index) => (
          <li key={name} aria-current={index === step ? "step" : undefined}>
            {words[name]}
          </li>
        ))}
      </ol>
      {steps[step] === "site" ? <SiteQuestions site={site} onChange={setSite} /> : null}
      {steps[step] === "registers" ? (
        <Registers {...{ registers, drivers: view.drivers }} onChange={setRegisters} />
      ) : null}
      {isLast ? (
        <ShopQuestions
          {...{ shop, view, needsCashier: registers.some((register) => register.needsCashier) }}
          onChange={setShop}
        />
      ) : null}
      <p class="pages">
        {step === 0 ? null : (
          <button type="button" onClick={() => go(step - 1)}>
            {words.back}
          </button>
        )}
        <button type="submit" class={lacksRegister ? "later" : undefined} disabled={outcome === "writing"}>
          {!isLast ? words.further : outcome === "writing" ? words.writing : words.write}
        </button>
      </p>
      <p role="status">
        {outcome === "no-register"
          ? lacksRegister && words.noRegister
          : outcome !== null && outcome !== "writing" && inWords(outcome)}
      </p>
    </form>
  );
}

function Written({ written }: { readonly written: WrittenView }) {
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
      <p>{words.rates}</p>
      {opensPage ? (
        <Start before={null} />
      ) : (
        <p>
          <Sentence text={words.next} />
        </p>
      )}
    </>
  );
}

const root = document.getElementById("page");
if (root !== null) render(<Setup />, root);
