import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { Fault } from "@fiscald/shared/fault.js";

/** Asks a person, or a file that answers for one: one line an answer. An answer that will not do is asked for again. */
export interface Questions {
  /** `otherwise` is what Enter means; without it an answer is needed. `problem` says what is wrong with one, or null. */
  text(question: string, options?: TextOptions): Promise<string>;
  yesNo(question: string, otherwise: boolean): Promise<boolean>;
  choose<T extends string>(question: string, choices: readonly T[], otherwise: T): Promise<T>;
  close(): void;
}

export interface TextOptions {
  readonly otherwise?: string;
  readonly problem?: (answer: string) => string | null;
}

export interface QuestionsOptions {
  readonly input: Readable;
  readonly out: (text: string) => void;
  readonly stopSignal: AbortSignal;
}

/** Every question rejects with `usage.wrong` when the input ends or the process is to stop. */
export function createQuestions({ input, out, stopSignal }: QuestionsOptions): Questions {
  // Answers may come faster than the questions: a pipe gives all of them at once.
  const lines: string[] = [];
  let ended = false;
  let wake: (() => void) | null = null;
  const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const end = () => {
    ended = true;
    wake?.();
  };
  reader.on("line", (line) => {
    lines.push(line);
    wake?.();
  });
  reader.on("close", end);
  stopSignal.addEventListener("abort", end, { once: true });

  async function nextLine(): Promise<string> {
    while (lines.length === 0 && !ended) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const line = stopSignal.aborted ? undefined : lines.shift();
    if (line !== undefined) return line.trim();
    out("\n");
    throw new Fault("usage.wrong", { message: "there was no answer to the question; nothing was written" });
  }

  async function text(question: string, { otherwise, problem = () => null }: TextOptions = {}): Promise<string> {
    for (;;) {
      out(`${question}${otherwise === undefined || otherwise === "" ? "" : ` [${otherwise}]`}: `);
      const answer = (await nextLine()) || otherwise;
      const wrong = answer === undefined ? "an answer is needed here" : problem(answer);
      if (wrong === null && answer !== undefined) return answer;
      out(`  ${wrong}\n`);
    }
  }

  return {
    text,
    async yesNo(question, otherwise) {
      const problem = (answer: string) => (yesOrNo(answer) === null ? "answer y or n" : null);
      return yesOrNo(await text(`${question} (y/n)`, { otherwise: otherwise ? "y" : "n", problem })) ?? otherwise;
    },
    async choose(question, choices, otherwise) {
      const find = (answer: string) => choices.find((choice) => choice === answer.toLowerCase());
      const problem = (answer: string) => (find(answer) === undefined ? `answer one of: ${choices.join(", ")}` : null);
      return find(await text(`${question} (${choices.join(", ")})`, { otherwise, problem })) ?? otherwise;
    },
    close() {
      stopSignal.removeEventListener("abort", end);
      reader.close();
    },
  };
}

function yesOrNo(answer: string): boolean | null {
  if (/^(y|yes|д|да)$/i.test(answer)) return true;
  return /^(n|no|н|нет)$/i.test(answer) ? false : null;
}
