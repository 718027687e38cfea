/** The fiscal memory of an emulated register in memory, and its maker's protocol without a link. */
import type { EmulatedModel } from "@fiscald/emulators/device/emulated-model.js";
import { FiscalCore } from "@fiscald/emulators/memory/fiscal-core.js";
import type { MemoryOptions } from "@fiscald/emulators/memory/register-memory.js";
import { makeRegistration, type Registration } from "@fiscald/emulators/memory/registration.js";
import { memoryStore } from "@fiscald/emulators/memory/state-file.js";
import { Tape } from "@fiscald/emulators/paper/tape.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { meetingOf } from "./dialogue.js";

export type CoreOptions = Partial<Omit<MemoryOptions, "registration" | "clock">> & {
  readonly ffd?: Registration["ffd"];
  readonly taxSystems?: number;
};

export function makeMemory(model: EmulatedModel, { ffd, taxSystems, ...options }: CoreOptions) {
  const clock = createFakeClock();
  const { registration, fn } = makeRegistration({ ...model, ffd, taxSystems });
  const tape = new Tape(model.columns);
  const core = new FiscalCore({ registration, fn, store: memoryStore(), clock, tape, ...options });
  return { clock, core, makerProtocol: model.createProtocol(core), meet: meetingOf(core, clock) };
}
