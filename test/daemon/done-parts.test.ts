import { doneInWords } from "@fiscald/daemon/messages/done-parts.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { plainStyle, type ServiceJob, type ServiceLine } from "@fiscald/shared/receipt/receipt.js";
import { makeService } from "../support/make-job.js";

const job = (...lines: readonly ServiceLine[]): ServiceJob => makeService(lines);
const text = { type: "text", content: { kind: "text", text: "a" }, style: plainStyle } as const;

test("the parts of a service job that are done are named in Russian for people", () => {
  const cash = { type: "cash", direction: "out", sum: kopecks(700) } as const;
  const all = job(text, cash, { type: "report", report: "z" }, { type: "sync-time" });
  expect(doneInWords(all, 3)).toBe("печать текста, выплата 7.00, Z-отчёт");
  expect(doneInWords(job(cash), 0)).toBe("");
});
