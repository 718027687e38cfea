import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { isWorking } from "../registers/register-machine.js";
import type { ConsoleParts } from "./console-parts.js";
import { weightOf } from "./troubles/found.js";

/** The values are read when a client asks for them, so that printing a receipt updates no counters. */
export function createMetrics(
  parts: Pick<ConsoleParts, "snapshots" | "siteHealth" | "troubles" | "jobs" | "journal" | "outbox" | "clock">,
): Registry {
  const { snapshots, siteHealth, jobs, journal, outbox, clock } = parts;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  function gauge(name: string, help: string, labelNames: readonly string[], collect: (gauge: Gauge) => void): void {
    const made: Gauge = new Gauge({
      name: `fiscald_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      collect() {
        made.reset();
        collect(made);
      },
    });
  }

  gauge("jobs", "Jobs by state", ["state"], (made) => {
    for (const [state, count] of jobs.countByState()) made.set({ state }, count);
  });
  gauge("register_ready", "1 when the register can print or prints", ["register", "phase"], (made) => {
    for (const { settings, phase } of snapshots()) {
      made.set({ register: settings.id, phase }, isWorking(phase) ? 1 : 0);
    }
  });
  gauge("register_waiting_jobs", "Jobs that are queued or printing on the register", ["register"], (made) => {
    for (const { settings } of snapshots()) made.set({ register: settings.id }, jobs.waitingCount(settings.id));
  });
  gauge("register_unsent_documents", "Documents that the OFD has not confirmed", ["register"], (made) => {
    for (const { settings, state } of snapshots()) {
      if (state?.unsent != null) made.set({ register: settings.id }, state.unsent.count);
    }
  });
  gauge("register_drive_days_left", "Days until the fiscal drive expires", ["register"], (made) => {
    for (const { settings, state } of snapshots()) {
      if (state?.fnDaysLeft != null) made.set({ register: settings.id }, state.fnDaysLeft);
    }
  });
  gauge("register_drive_documents_left", "Documents that the fiscal drive can still hold", ["register"], (made) => {
    for (const { settings, state } of snapshots()) {
      if (state?.fnDocumentsLeft != null) made.set({ register: settings.id }, state.fnDocumentsLeft);
    }
  });
  gauge("register_paper", "1 for the paper state that the register reports", ["register", "paper"], (made) => {
    for (const { settings, state } of snapshots()) {
      if (state !== null) made.set({ register: settings.id, paper: state.paper }, 1);
    }
  });
  gauge(
    "oldest_waiting_job_seconds",
    "Age of the oldest job that is queued, printing or unsure",
    ["register"],
    (made) => {
      for (const { settings } of snapshots()) {
        const createdAt = jobs.oldestUnfinishedAt(settings.id) ?? clock.now();
        made.set({ register: settings.id }, Math.max(0, (clock.now() - createdAt) / 1000));
      }
    },
  );
  gauge("double_receipts", "Receipts found beside the one of their order, since the database was made", [], (made) =>
    made.set(journal.countDoubles()),
  );
  const troubles = () => parts.troubles().filter(({ needs }) => needs !== "nobody");
  gauge("troubles", "What is wrong now, by whether a person must act or a look helps", ["needs"], (made) => {
    for (const needs of ["person", "look"]) made.set({ needs }, troubles().filter((one) => one.needs === needs).length);
  });
  gauge(
    "trouble",
    "What is wrong now: the number of orders or messages, or 1",
    ["kind", "needs", "register", "site", "code"],
    (made) => {
      for (const trouble of troubles()) {
        const { kind, needs, registers, site, fault } = trouble;
        const labels = { kind, needs, register: registers.join(","), site: site ?? "", code: fault?.code ?? "" };
        made.inc(labels, weightOf(trouble));
      }
    },
  );
  gauge("site_reachable", "1 when the last order poll was answered", ["site"], (made) => {
    for (const { site, fault } of siteHealth()) made.set({ site }, fault === null ? 1 : 0);
  });
  gauge("site_lost_answers", "Order polls without a complete answer since the start", ["site"], (made) => {
    for (const { site, lostAnswers } of siteHealth()) made.set({ site }, lostAnswers);
  });
  gauge("events", "Events that a site has not accepted, by state", ["site", "state"], (made) => {
    for (const { site } of siteHealth()) {
      for (const [state, count] of Object.entries(outbox.countUndelivered(site))) made.set({ site, state }, count);
    }
  });
  gauge("oldest_event_seconds", "Age of the oldest event that is not delivered", ["site"], (made) => {
    for (const { site } of siteHealth()) {
      const oldest = outbox.oldestAt(site, "pending");
      made.set({ site }, oldest === null ? 0 : Math.max(0, (clock.now() - oldest) / 1000));
    }
  });
  return registry;
}
