/** Commands on which faults can be placed: requests to the service, tasks for the register, the service's own query. */
import { z } from "zod";
import { requestSchema, type WireRequest } from "./http.js";
import { isReceiptTask } from "./task-schemas.js";

const commandSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("http"), request: requestSchema }),
  z.object({ kind: z.literal("run"), task: z.looseObject({ type: z.string() }) }),
  z.object({ kind: z.literal("recover"), fdBefore: z.int() }),
]);
export type EmulatorCommand = z.infer<typeof commandSchema>;
export type DeviceCommand = Exclude<EmulatorCommand, { kind: "http" }>;

/** `result` of the command `recover` belongs to the new document. Null: the document number did not grow. */
const outcomeSchema = z.object({ code: z.int(), result: z.unknown().transform((value) => value ?? null) });
export type DeviceOutcome = z.infer<typeof outcomeSchema>;

export function doneWith(result: object | null): DeviceOutcome {
  return { code: 0, result };
}

export function failed(code: number): DeviceOutcome {
  return { code, result: null };
}

export function encode(message: EmulatorCommand | DeviceOutcome): Uint8Array {
  return Uint8Array.from(Buffer.from(JSON.stringify(message), "utf8"));
}

export function readCommand(bytes: Uint8Array): EmulatorCommand {
  return commandSchema.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
}

export function readOutcome(bytes: Uint8Array): DeviceOutcome {
  return outcomeSchema.parse(JSON.parse(Buffer.from(bytes).toString("utf8")));
}

/** Names that all makers share (drivers/emulators/README.md), by the task's own name. */
const taskNames: Readonly<Record<string, string>> = {
  openShift: "open-shift",
  closeShift: "close-shift",
  reportX: "report",
  reportDepartments: "report",
  cashIn: "cash-in",
  cashOut: "cash-out",
  nonFiscal: "print",
  printFnDocument: "copy",
  continuePrint: "finish-print",
  setDateTime: "set-time",
  getFnDocument: "read-document",
  getRegistrationInfo: "identify",
  beginMarkingCodeValidation: "check-mark",
  acceptMarkingCode: "accept-mark",
};

const requestNames: Readonly<Record<string, string>> = {
  "POST requests": "post-job",
  "GET requests": "read-job",
  "DELETE requests": "delete-job",
};

/** The maker's own name of a command, then the name that all makers share. A job also has the name of its first task, as `post sell`. */
export function namesOfCommand(command: EmulatorCommand): readonly string[] {
  switch (command.kind) {
    case "recover":
      return ["recover"];
    case "run":
      return isReceiptTask(command.task) ? [command.task.type, "close-receipt"] : namesOf(command.task.type, taskNames);
    case "http": {
      const names = namesOf(nameOfRequest(command.request), requestNames);
      const task = /"type" *: *"(\w+)"/.exec(command.request.body)?.[1];
      return task === undefined ? names : [...names, `post ${task}`];
    }
  }
}

function namesOf(own: string, ours: Readonly<Record<string, string>>): readonly string[] {
  const name = ours[own];
  return name === undefined ? [own] : [own, name];
}

function nameOfRequest({ method, path }: Pick<WireRequest, "method" | "path">): string {
  const [resource = "", ...rest] = path
    .replace(/^\/api\/v2/, "")
    .split("/")
    .filter((part) => part !== "");
  return resource === "requests" ? `${method} requests` : `${method} ${[resource, ...rest].join("/")}`;
}
