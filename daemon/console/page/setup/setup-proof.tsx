/**
 * The end of the set-up: whether registers are connected, sites answer and take the secret, and a test slip came out.
 * When all of this is true, the page says that fiscald works.
 */
import { useEffect, useState } from "preact/hooks";
import type { ProofState, ProofView, RegisterProof } from "../../setup/proof.js";
import type { JobView } from "../../views.js";
import { act, type NotDone } from "../api.js";
import { Sentence } from "../text.js";
import { ask, isRefused } from "./setup-calls.js";
import type { SpokenSetup } from "./setup-words.js";

const LOOK_EVERY_MS = 2000;

/** The outcome of a test slip: its job, or why no job was made. */
type Slip = { readonly job: number; readonly state: string } | { readonly refused: NotDone };
type Slips = Readonly<Record<string, Slip>>;

export function Proof({ words, language }: SpokenSetup) {
  const [view, setView] = useState<ProofView | null>(null);
  const [slips, setSlips] = useState<Slips>({});
  useEffect(() => {
    const look = async () => {
      const answer = await ask<ProofView>("/api/setup/proof");
      if (!isRefused(answer)) setView(answer);
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    const running = Object.entries(slips).filter(([, slip]) => "job" in slip && !isOver(slip.state));
    if (running.length === 0) return;
    const timer = setTimeout(() => {
      for (const [id, slip] of running) {
        if ("job" in slip)
          void readJob(slip.job).then((state) => setSlips((all) => ({ ...all, [id]: { ...slip, state } })));
      }
    }, LOOK_EVERY_MS / 4);
    return () => clearTimeout(timer);
  }, [slips]);
  async function print({ id }: RegisterProof): Promise<void> {
    const { refusal, answer } = await act(`/api/registers/${encodeURIComponent(id)}/test-slip`, {});
    const slip: Slip =
      refusal !== null || answer.job === undefined
        ? { refused: refusal ?? "no-answer" }
        : { job: answer.job.id, state: "queued" };
    setSlips((all) => ({ ...all, [id]: slip }));
  }
  const { proof } = words;
  if (view === null) return null;
  const rows = rowsOf(view, slips, { words, language });
  const works = rows.every(({ state }) => state === "yes");
  return (
    <section aria-labelledby="proof">
      <div role="status">
        <h2 id="proof">{works ? proof.works : proof.notYet}</h2>
      </div>
      <ul class="proof">
        {rows.map(({ name, state, text, register }) => (
          <li key={name}>
            <span class={`badge ${tones[state]}`}>{proof.states[state]}</span> {name}: <Sentence text={text} />{" "}
            {register === undefined || register.state !== "yes" ? null : (
              <button type="button" onClick={() => void print(register)}>
                {proof.print}
              </button>
            )}
          </li>
        ))}
      </ul>
      <p class="pages">
        <a href="/">{words.change.toPage}</a>
        <a href="/setup.html">{words.change.again}</a>
      </p>
    </section>
  );
}

const tones: Readonly<Record<ProofState, string>> = { yes: "green", waits: "grey", no: "red" };

interface Row {
  readonly name: string;
  readonly state: ProofState;
  readonly text: string;
  readonly register?: RegisterProof;
}

function rowsOf(
  { registers, sites }: ProofView,
  slips: Slips,
  { words: { proof }, language }: SpokenSetup,
): readonly Row[] {
  return [
    ...registers.map(({ name, state, text }) => ({ name, state, text: text[language] })),
    ...sites.map(({ name, state, text }) => ({ name: proof.site({ name }), state, text: text[language] })),
    ...registers.map((register): Row => {
      const name = proof.slip({ name: register.name });
      if (register.state === "yes" && !register.hasPrinter) return { name, state: "yes", text: proof.noPrinter };
      const slip = slips[register.id];
      if (slip === undefined && register.hasPrinted) return { name, state: "yes", text: proof.printed };
      if (slip === undefined) return { name, state: "waits", text: proof.notPrinted, register };
      if ("refused" in slip) return { name, state: "no", text: reasonOf(slip.refused), register };
      if (slip.state === "printed") return { name, state: "yes", text: proof.printed };
      if (!isOver(slip.state)) return { name, state: "waits", text: proof.printing };
      return { name, state: "no", text: proof.failed, register };
    }),
  ];

  function reasonOf(refused: NotDone): string {
    return typeof refused === "string" ? proof.failed : `${refused.text[language]} ${refused.hint[language]}`;
  }
}

function isOver(state: string): boolean {
  return state !== "queued" && state !== "printing";
}

async function readJob(id: number): Promise<string> {
  const answer = await ask<{ readonly job: JobView }>(`/api/jobs/${id}`);
  return isRefused(answer) ? "queued" : answer.job.state;
}
