/** The end of the set-up. When every check is true, the page says that fiscald works. */
import { useEffect, useState } from "preact/hooks";
import type { ProofState, ProofView, RegisterProof } from "../../setup/proof.js";
import { type ActionAnswer, act, isRefused, type Refused, request } from "../api.js";
import { Sentence } from "../text.js";
import { language } from "../words.js";
import { inWords, setupWords as words } from "./setup-words.js";

const LOOK_EVERY_MS = 2000;

type Slips = Readonly<Record<string, ActionAnswer | Refused>>;

export function Proof() {
  const [view, setView] = useState<ProofView | null>(null);
  const [slips, setSlips] = useState<Slips>({});
  useEffect(() => {
    const look = async () => {
      const answer = await request<ProofView>("/api/setup/proof");
      if (!isRefused(answer)) setView(answer);
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  async function print({ id }: RegisterProof): Promise<void> {
    const answer = await act(`/api/registers/${encodeURIComponent(id)}/test-slip`, {});
    setSlips((all) => ({ ...all, [id]: answer }));
  }
  const { proof } = words;
  if (view === null) return null;
  const rows = rowsOf(view, slips);
  const works = rows.every(({ state }) => state === "yes");
  return (
    <section aria-labelledby="proof">
      <div role="status">
        <h2 id="proof">{works ? proof.works : proof.notYet}</h2>
      </div>
      <ul class="proof">
        {rows.map(({ name, state, text, register, job }) => (
          <li key={name}>
            <span class={`badge ${tones[state]}`}>{proof.states[state]}</span> {name}:{" "}
            {job === undefined ? <Sentence text={text} /> : <a href={`/#order/${job}`}>{text}</a>}{" "}
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
  /** A register has a button for a test slip. */
  readonly register?: RegisterProof;
  readonly job?: number | undefined;
}

function rowsOf({ registers, sites }: ProofView, slips: Slips): readonly Row[] {
  const { proof } = words;
  return [
    ...registers.map(({ name, state, text }) => ({ name, state, text: text[language] })),
    ...sites.map(({ name, state, text }) => ({ name: proof.site({ name }), state, text: text[language] })),
    ...registers.map((register): Row => {
      const name = proof.slip({ name: register.name });
      if (register.state === "yes" && !register.hasPrinter) return { name, state: "yes", text: proof.noPrinter };
      const slip = slips[register.id];
      if (register.hasPrinted) return { name, state: "yes", text: proof.printed };
      if (slip === undefined) return { name, state: "waits", text: proof.notPrinted, register };
      if (isRefused(slip)) return { name, state: "no", text: inWords(slip), register };
      // Only the page of the job says whether the slip is printing or has failed.
      return { name, state: "waits", text: proof.ordered, job: slip.job?.id, register };
    }),
  ];
}
