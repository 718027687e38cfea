/**
 * The emulated print service with one register behind it, written from the sources (drivers/atol/README.md)
 * independently of the driver. HTTP requests to the service and tasks for the register both pass as commands, so that a
 * fault can be put on either.
 */
import { chooseOne, chooseSettings, type EmulatedModel, type ModelOptions } from "../device/emulated-model.js";
import type { DeviceLink, LinkPort, MakerProtocol } from "../device/maker-protocol.js";
import type { OtherClientDeed } from "../faults/fault-spec.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import { plainTables } from "../memory/registration.js";
import { encode, failed, namesOfCommand, readCommand } from "./commands.js";
import { EmulatedDevice } from "./device.js";
import { RequestReader, type WireRequest, writeAnswer } from "./http.js";
import { JobQueue } from "./queue.js";
import { QueueRunner } from "./runner.js";
import { type Generation, PrintService } from "./service.js";
import { type AtolSettings, atolSettings } from "./settings.js";

/** The driver's error number for an interrupted reading of the drive. */
const READING_FAILED = 178;

export function prepareAtol({ model, protocol, unconfirmed }: ModelOptions): EmulatedModel {
  if (model !== null) chooseOne("model", model, ["30f"]);
  const generation = chooseOne("protocol", protocol ?? "v2", ["v1", "v2"]);
  const chosen = chooseSettings(atolSettings, unconfirmed);
  return {
    title: "АТОЛ 30Ф",
    columns: 32,
    ...plainTables,
    createProtocol: (core) => new AtolProtocol(core, generation, chosen),
  };
}

class AtolProtocol implements MakerProtocol {
  private queue: JobQueue;
  private service: PrintService;
  private readonly device: EmulatedDevice;

  constructor(
    private readonly core: FiscalCore,
    private readonly generation: Generation,
    private readonly settings: AtolSettings,
  ) {
    this.device = new EmulatedDevice(core, settings);
    this.queue = new JobQueue(core);
    this.service = this.startService();
  }

  createLink(port: LinkPort): DeviceLink {
    return new ServiceLink(port, new QueueRunner({ port, queue: this.queue, settings: this.settings }));
  }

  namesOf(command: Uint8Array): readonly string[] {
    return namesOfCommand(readCommand(command));
  }

  perform(bytes: Uint8Array): Uint8Array {
    const command = readCommand(bytes);
    switch (command.kind) {
      case "http":
        return writeAnswer(this.service.answer(command.request));
      case "run":
        return encode(this.device.perform(command.task));
      case "recover":
        return encode(this.device.recover(command.fdBefore));
    }
  }

  refuse(bytes: Uint8Array, code: number): Uint8Array {
    if (readCommand(bytes).kind !== "http") return encode(failed(code));
    const description = `error ${code}`;
    return writeAnswer({
      status: 400,
      body: this.generation === "v1" ? description : { error: { code, description } },
    });
  }

  refuseReading(bytes: Uint8Array): Uint8Array | null {
    const command = readCommand(bytes);
    if (command.kind !== "run" || command.task.type !== "getFnDocument") return null;
    return encode(failed(READING_FAILED));
  }

  durationMs(bytes: Uint8Array): number {
    const command = readCommand(bytes);
    if (command.kind !== "run") return 5;
    return /^(sell|buy|openShift|closeShift)/.test(command.task.type) ? 366 : 20;
  }

  actAsOtherClient(deed: OtherClientDeed): void {
    const acts: Readonly<Record<OtherClientDeed, () => void>> = {
      "cancel-jobs": () => this.queue.cancelWaiting(),
      "purge-jobs": () => this.queue.forgetEnded(),
      "interrupt-job": () => this.queue.interruptNewest(),
      "add-job": () => this.queue.addSlip(),
    };
    acts[deed]();
  }

  /** The service and the register lose power; the service's database survives. */
  powerCut(): void {
    this.core.powerCut({ openReceipt: "dropped" });
    this.device.forget();
    this.queue = new JobQueue(this.core);
    this.service = this.startService();
  }

  private startService(): PrintService {
    const { core, queue, settings, generation } = this;
    return new PrintService({ core, queue, settings, generation });
  }
}

class ServiceLink implements DeviceLink {
  private reader = new RequestReader();
  /** Grows with each connection, so that an answer for a host that has gone does not reach the next host. */
  private connection = 0;

  constructor(
    private readonly port: LinkPort,
    private readonly runner: QueueRunner,
  ) {
    runner.wake();
  }

  reconnected(): void {
    this.connection += 1;
    this.reader = new RequestReader();
  }

  receive(byte: number): void {
    const request = this.reader.push(byte);
    if (request === null) return;
    if (request === "bad") this.port.send(writeAnswer({ status: 400, body: "Bad Request" }), "answer");
    else this.execute(request);
  }

  private execute(request: WireRequest): void {
    const { connection } = this;
    this.port.execute(encode({ kind: "http", request }), (answer) => {
      if (answer !== null && connection === this.connection) this.port.send(answer, "answer");
      this.runner.wake();
    });
    this.runner.wake();
  }
}
