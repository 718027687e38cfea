import { parseJson } from "@fiscald/shared/http/decode-body.js";
import { z } from "zod";
import type { FiscalCore } from "../memory/fiscal-core.js";
import type { WireAnswer, WireRequest } from "./http.js";
import { type JobQueue, jobOnWire, statusOf } from "./queue.js";
import type { AtolSettings } from "./settings.js";
import { isFiscalTask } from "./task-schemas.js";

export type Generation = "v1" | "v2";

export interface ServiceParts {
  readonly core: FiscalCore;
  readonly queue: JobQueue;
  readonly settings: AtolSettings;
  readonly generation: Generation;
}

const CREDENTIALS = `Basic ${Buffer.from("cashier:secret").toString("base64")}`;
const BASE = "/api/v2";
/** The first version with the VAT rates of 2026 that a source names. */
const DRIVER_VERSION = "10.10.8.0";

const taskSchema = z.looseObject({ type: z.string().min(1) });
const jobSchema = z.object({
  uuid: z.string().min(1).max(64),
  request: z.union([taskSchema.transform((task) => [task]), z.array(taskSchema).min(1)]),
});

export class PrintService {
  private active = true;
  private readonly deviceId: string;

  constructor(private readonly parts: ServiceParts) {
    this.deviceId = parts.settings.device;
  }

  answer(request: WireRequest): WireAnswer {
    const { generation, settings } = this.parts;
    const isV2 = request.path.startsWith(`${BASE}/`);
    if (isV2 !== (generation === "v2")) return { status: 404, body: "Not Found" };
    const path = isV2 ? request.path.slice(BASE.length) : request.path;
    if (path === "/serverInfo" && request.method === "GET") return this.serverInfo();
    if (settings.basic === "on" && request.authorization !== CREDENTIALS) return this.fail(401, 505, "Unauthorized");
    const id = request.query.deviceID;
    if (id !== undefined && id !== "" && id !== this.deviceId) return this.fail(404, 505, `no device ${id}`);
    return this.route(request, path);
  }

  private route(request: WireRequest, path: string): WireAnswer {
    const { method, body } = request;
    const [resource = "", name = ""] = path.slice(1).split("/");
    switch (`${method} ${resource}`) {
      case "POST requests":
        return this.add(body);
      case "GET requests":
        return this.read(name);
      case "DELETE requests":
        return this.cancel(name);
      case "GET getRequestsQueueStatus":
      case "GET stat":
        return this.queueStatus();
      case "GET devices":
        return { status: 200, body: [this.device()] };
      case "POST activateDevice":
      case "POST deactivateDevice":
        this.active = resource === "activateDevice";
        return { status: 200, body: null };
      default:
        return this.fail(404, 505, `${method} ${path} is not known`);
    }
  }

  private serverInfo(): WireAnswer {
    const { core } = this.parts;
    const currentDateTime = `${core.now()}+03:00`;
    const driverVersion = core.makerSetting("driver-version") ?? DRIVER_VERSION;
    return { status: 200, body: { serverVersion: "1.0.4.0", driverVersion, os: "linux", currentDateTime } };
  }

  private add(body: string): WireAnswer {
    const { queue } = this.parts;
    const job = jobSchema.safeParse(parseJson(body));
    if (!job.success) return this.fail(400, 501, z.prettifyError(job.error));
    const { uuid, request } = job.data;
    if (request.filter(isFiscalTask).length > 1) return this.fail(400, 501, "more than one fiscal task in a job");
    if (!this.active) return this.off();
    const added = queue.add(uuid, request);
    if (added === null) return this.fail(409, 505, `the uuid ${uuid} is taken`);
    if (this.parts.generation === "v1") return { status: 201, body: null };
    return { status: 201, body: { number: added.number, uuid, ...this.block() } };
  }

  private read(uuid: string): WireAnswer {
    const { queue, generation, settings } = this.parts;
    const job = queue.find(uuid);
    if (job === null) return this.fail(404, 505, `no job ${uuid} of device ${this.deviceId}`);
    return { status: 200, body: jobOnWire(job, generation, settings.result === "omitted") };
  }

  private cancel(uuid: string): WireAnswer {
    const { queue, generation, settings } = this.parts;
    const job = queue.find(uuid);
    if (job === null) return this.fail(404, 505, `no job ${uuid} of device ${this.deviceId}`);
    if (statusOf(job).some((status) => status !== "wait")) {
      return this.fail(generation === "v1" || settings.deleteRunning === "405" ? 405 : 409, 505, "it has begun");
    }
    queue.cancel(job);
    return { status: 200, body: null };
  }

  private queueStatus(): WireAnswer {
    const { ready, notReady, canceled } = this.parts.queue.status;
    if (this.parts.generation === "v2") {
      return { status: 200, body: { number: notReady, ready, canceled, ...this.block() } };
    }
    const { job } = this.parts.queue.block;
    return {
      status: 200,
      body: {
        ready_count: ready,
        not_ready_count: notReady,
        canceled_count: canceled,
        is_blocked: job !== null,
        block_request_uuid: job?.uuid ?? null,
      },
    };
  }

  private block(): object {
    const { job, reason } = this.parts.queue.block;
    return { isBlocked: job !== null, blockedUUID: job?.uuid ?? "", blockReason: reason };
  }

  private device(): object {
    return {
      id: this.deviceId,
      name: "АТОЛ 30Ф",
      isActive: this.active,
      isDefault: true,
      isLock: this.parts.queue.block.job !== null,
      hasLicense: true,
      connectionSettings: { model: 500, port: "usb", usbDevice: "auto" },
      otherSettings: {},
    };
  }

  private off(): WireAnswer {
    return this.fail(Number(this.parts.settings.inactive), 505, "the device is not active");
  }

  private fail(status: number, code: number, description: string): WireAnswer {
    return { status, body: this.parts.generation === "v1" ? description : { error: { code, description } } };
  }
}
