/** The HTTP interface of ATOL's print service, in two generations: v2 is tried first; status 404 means v1. */
import { createHash } from "node:crypto";
import { Fault } from "@fiscald/shared/fault.js";
import { parseJson } from "@fiscald/shared/http/decode-body.js";
import { z } from "zod";
import type { AtolOptions } from "../options.js";
import { parseAnswer } from "./answers.js";
import { driverFault, serviceFault } from "./device-errors.js";
import { exchangeHttp, type HttpParts, type HttpQuestion, type ServiceAnswer } from "./http-exchange.js";
import type { Task } from "./tasks.js";

const statusSchema = z.enum(["wait", "inProgress", "ready", "error", "interrupted", "blocked", "canceled"]);
export type JobStatus = z.infer<typeof statusSchema>;

export interface TaskView {
  readonly status: JobStatus;
  readonly code: number;
  readonly description: string;
  readonly result: unknown;
}

export interface QueueView {
  readonly isBlocked: boolean;
  readonly reason: string;
}

const BASE = "/api/v2";
/** An error in an answer. Both generations may use either spelling of the keys. */
const elementSchema = z
  .object({
    status: statusSchema,
    error: z.object({ code: z.int(), description: z.string().nullish() }).nullish(),
    errorCode: z.int().nullish(),
    errorDescription: z.string().nullish(),
    /** Some services leave the result out until the task is ready. */
    result: z.unknown().optional(),
  })
  .transform(
    ({ status, error, errorCode, errorDescription, result }): TaskView => ({
      status,
      code: error?.code ?? errorCode ?? 0,
      description: error?.description ?? errorDescription ?? "",
      result: result ?? null,
    }),
  );
const jobSchema = z.object({ results: z.array(elementSchema).min(1) });
const serverInfoSchema = z.object({ serverVersion: z.string(), driverVersion: z.string().nullish().catch(null) });
const queueV2Schema = z
  .object({ isBlocked: z.boolean(), blockReason: z.string().nullish() })
  .transform(({ isBlocked, blockReason }): QueueView => ({ isBlocked, reason: blockReason ?? "" }));
const queueV1Schema = z
  .object({ is_blocked: z.boolean() })
  .transform(({ is_blocked }): QueueView => ({ isBlocked: is_blocked, reason: "" }));
const devicesSchema = z.array(
  z.object({ id: z.string().min(1), isActive: z.boolean().default(true), isDefault: z.boolean().default(false) }),
);
const errorSchema = z.object({ error: z.object({ code: z.int().catch(0), description: z.string().catch("") }) });

export interface ClientParts extends HttpParts {
  readonly options: Pick<AtolOptions, "deviceId" | "user" | "password">;
}

export class PrintServiceClient {
  /** Version of the maker's driver behind the service, such as "10.10.8.0". Null: not reported. */
  driverVersion: string | null = null;
  private generation: "v1" | "v2" | null = null;
  /** Id of the register, named in every request. Null: the service has only one register, or does not report the id. */
  private deviceId: string | null;

  constructor(private readonly parts: ClientParts) {
    this.deviceId = parts.options.deviceId;
  }

  /** Finds out the service's generation and version. Faults: `link.*`; `link.foreign` for another program. */
  async detect(signal: AbortSignal): Promise<void> {
    const info = await this.send({ method: "GET", path: `${BASE}/serverInfo` }, signal);
    if (info.status === 200) {
      this.driverVersion = read(info, serverInfoSchema).driverVersion ?? null;
      this.generation = "v2";
      return;
    }
    if (info.status !== 404) throw unexpected(info);
    const queue = await this.send({ method: "GET", path: "/stat/requests" }, signal);
    if (queue.status !== 200) throw unexpected(queue);
    read(queue, queueV1Schema);
    this.driverVersion = null;
    this.generation = "v1";
  }

  /** Posts a job. `known`: the service has accepted this uuid before. */
  async post(uuid: string, tasks: readonly Task[], signal: AbortSignal): Promise<"accepted" | "known"> {
    const body = JSON.stringify({ uuid, request: tasks });
    const answer = await this.send({ method: "POST", path: this.path("/requests"), body }, signal);
    if (answer.status === 201) return "accepted";
    if (answer.status === 409) return "known";
    throw unexpected(answer);
  }

  /** The tasks of a job of ATOL's print service. Null: the service knows no job with this uuid. */
  async read(uuid: string, signal: AbortSignal): Promise<readonly TaskView[] | null> {
    const answer = await this.send({ method: "GET", path: this.path(`/requests/${uuid}`) }, signal);
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw unexpected(answer);
    return read(answer, jobSchema).results;
  }

  /** Cancels a waiting job. `started`: too late, the job is being carried out or has ended. */
  async cancel(uuid: string, signal: AbortSignal): Promise<"canceled" | "unknown" | "started"> {
    const { status, ...answer } = await this.send({ method: "DELETE", path: this.path(`/requests/${uuid}`) }, signal);
    if (status === 200) return "canceled";
    if (status === 404) return "unknown";
    if (status === 405 || status === 409) return "started";
    throw unexpected({ status, ...answer });
  }

  async queue(signal: AbortSignal): Promise<QueueView> {
    const v2 = this.generation === "v2";
    const path = this.path(v2 ? "/getRequestsQueueStatus" : "/stat/requests");
    const answer = await this.send({ method: "GET", path }, signal);
    if (answer.status !== 200) throw unexpected(answer);
    return v2 ? read(answer, queueV2Schema) : read(answer, queueV1Schema);
  }

  /** Registers of the service. Empty: the service does not report its registers (v1 has only one). */
  async devices(signal: AbortSignal): Promise<z.output<typeof devicesSchema>> {
    if (this.generation !== "v2") return [];
    const answer = await this.send({ method: "GET", path: `${BASE}/devices` }, signal);
    if (answer.status !== 200) throw unexpected(answer);
    return read(answer, devicesSchema);
  }

  /** Names the default register in all later requests: the default could change between two requests. */
  async nameDevice(signal: AbortSignal): Promise<void> {
    if (this.parts.options.deviceId !== null) return;
    const devices = await this.devices(signal);
    const meant = devices.find(({ isDefault }) => isDefault) ?? (devices.length === 1 ? devices[0] : undefined);
    this.deviceId = meant?.id ?? null;
  }

  private path(tail: string): string {
    if (this.generation === null) throw new Fault("link.lost", { message: "not connected" });
    if (this.generation === "v1") return tail;
    const { deviceId } = this;
    return deviceId === null ? BASE + tail : `${BASE}${tail}?deviceID=${encodeURIComponent(deviceId)}`;
  }

  private send(question: { method: HttpQuestion["method"]; path: string; body?: string }, signal: AbortSignal) {
    const { user, password } = this.parts.options;
    const secret = Buffer.from(`${user ?? ""}:${password ?? ""}`, "utf8").toString("base64");
    const { method, path, body = null } = question;
    return exchangeHttp(
      {
        method,
        path,
        body,
        headers: {
          ...(user === null ? {} : { authorization: `Basic ${secret}` }),
          ...(body === null ? {} : { "content-type": "application/json; charset=utf-8" }),
        },
      },
      this.parts,
      signal,
    );
  }
}

/** Faults: `link.foreign` for an answer that is no JSON or has another shape, `link.corrupt` for broken JSON. */
function read<Value>({ body }: ServiceAnswer, schema: z.ZodType<Value>): Value {
  const parsed = parseJson(body);
  if (parsed === undefined) {
    const isJsonLike = /^\s*[[{]/.test(body);
    throw new Fault(isJsonLike ? "link.corrupt" : "link.foreign", {
      message: "the print service's answer is no JSON",
      details: { body: body.slice(0, 200) },
    });
  }
  return parseAnswer("the request", schema, parsed);
}

function unexpected({ status, body }: ServiceAnswer): Fault {
  const error = errorSchema.safeParse(parseJson(body));
  return serviceFault(status, error.success ? error.data.error : { code: 0, description: body.slice(0, 200) });
}

/** The result of one task. Throws the error of the maker's driver, or a fault when the task was not carried out. */
export function taskResultOf(task: Task, view: TaskView | undefined): unknown {
  if (view?.status === "ready") return view.result;
  throw driverFault(task.type, view?.code ?? 0, view?.description || `the task ended as ${view?.status ?? "nothing"}`);
}

const NAMESPACE = Buffer.from("6f1c2f0e5d0b4a5e9a7d0c41c2b3f7aa", "hex");

/** UUID version 5 (RFC 9562): the same name always gives the same uuid. */
export function uuidOf(name: string): string {
  const hash = createHash("sha1").update(NAMESPACE).update(name, "utf8").digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
