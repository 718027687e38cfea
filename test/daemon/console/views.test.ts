import { jobView } from "@fiscald/daemon/console/views.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { plainStyle, type Receipt, type ServiceLine } from "@fiscald/shared/receipt/receipt.js";
import { makeJob, makeReceipt, makeService } from "../../support/make-job.js";

const service = (...lines: readonly ServiceLine[]) => makeService(lines);
const report = (kind: "x" | "z") => ({ type: "report", report: kind }) as const;
const text: ServiceLine = { type: "text", content: { kind: "dash" }, style: plainStyle };

test.each<[string, Receipt]>([
  ["sale", makeReceipt()],
  ["return", makeReceipt({ operation: "return" })],
  ["x-report", service(report("x"))],
  ["z-report", service(report("z"))],
  ["cash-out", service({ type: "cash", direction: "out", sum: kopecks(100) })],
  ["sync-time", service({ type: "sync-time" })],
  ["text, x-report, z-report", service(text, text, report("x"), report("z"))],
  ["service", service()],
])("a job is labelled by its operation or its reports: %s", (what, receipt) => {
  expect(jobView(makeJob({ receipt })).what).toBe(what);
});

test.each(["link.aborted", "link.timeout", "device.paper-out", "store.busy"] as const)(
  "the hint of a job that failed with %s does not promise an automatic retry",
  (code) => {
    const hintIn = (state: "queued" | "failed") => {
      const { fault } = jobView(makeJob({ state, fault: { code, message: "why" } }));
      return fault?.hint ?? { en: "", ru: "" };
    };
    expect(hintIn("queued").en).not.toContain("fiscald retry");
    expect(hintIn("failed").en).toMatch(/^(?!.*by itself).*`fiscald retry JOB`/);
    expect(hintIn("failed").ru).toContain("`fiscald retry ЗАДАНИЕ`");
  },
);
