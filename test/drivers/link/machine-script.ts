import type { FramingTrouble } from "@fiscald/drivers/framing/framing.js";
import type {
  ExchangeMachine,
  LinkRequest,
  MachineInput,
  MachineOutput,
} from "@fiscald/drivers/link/exchange-machine.js";
import { toHex } from "../vectors/hex.js";

export const timeouts = { reactMs: 100, byteGapMs: 50, openMs: 500 };

export function request(payload: Uint8Array, over: Partial<LinkRequest> = {}): LinkRequest {
  return {
    name: "test",
    payload,
    answerMs: 3000,
    repeatable: true,
    isAnswer: (answer) => answer[0] === payload[0],
    ...over,
  };
}

/** The machine's actions, a line for each input: `write 05 | wait 100`, `answer 10 00`, `failed link.timeout`. */
export function play<Event>(
  machine: ExchangeMachine<Event>,
  inputs: readonly (Event | FramingTrouble | "timeout")[],
): readonly string[] {
  const begin: MachineInput<Event>[] = [{ kind: "begin" }];
  const all = [
    ...begin,
    ...inputs.map(
      (input): MachineInput<Event> => (input === "timeout" ? { kind: "timeout" } : { kind: "event", event: input }),
    ),
  ];
  return all.map((input) => describeOutput(machine.on(input)));
}

function describeOutput({ write = [], waitMs, end }: MachineOutput): string {
  const parts = write.map((bytes) => `write ${toHex(bytes)}`);
  if (waitMs !== undefined) parts.push(`wait ${waitMs}`);
  if (end?.kind === "answer") parts.push(`answer ${toHex(end.payload)}`);
  if (end?.kind === "ready") parts.push("ready");
  if (end?.kind === "failed") parts.push(`failed ${end.fault.code}`);
  return parts.length === 0 ? "nothing" : parts.join(" | ");
}
