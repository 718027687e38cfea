import { Fault } from "@fiscald/shared/fault.js";
import type { DeviceEmulator } from "../device/device-emulator.js";
import type { MakerProtocol } from "../device/maker-protocol.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import type { Printer } from "../paper/printer.js";
import type { FaultInput, FaultSpec } from "./fault-spec.js";
import { faultSpecSchema } from "./fault-spec.js";
import { ActiveFault, type FaultStatus } from "./faults.js";

/** The active faults, in the order in which they were added; an earlier fault acts first. */
export class FaultList {
  private readonly faults: ActiveFault[] = [];
  private lastId = 0;

  constructor(
    private readonly parts: {
      readonly device: DeviceEmulator;
      readonly makerProtocol: MakerProtocol;
      readonly printer: Printer;
      readonly core: Pick<FiscalCore, "alter">;
    },
  ) {
    parts.core.alter = (document) => this.faults.reduce((made, fault) => fault.alter(made), document);
  }

  /** The fault counts from now on. Fault `usage.wrong`: this maker's emulator cannot produce the fault. */
  add(input: FaultInput | FaultSpec): string {
    const spec = faultSpecSchema.parse(input);
    if (spec.effect === "other-client" && this.parts.makerProtocol.actAsOtherClient === undefined) {
      throw new Fault("usage.wrong", { message: "this maker's register has no print service with other clients" });
    }
    this.lastId += 1;
    const fault = new ActiveFault(String(this.lastId), spec, this.parts);
    this.faults.push(fault);
    this.parts.device.addBehaviour(fault);
    fault.start();
    return fault.id;
  }

  list(): readonly FaultStatus[] {
    return this.faults.map((fault) => fault.status());
  }

  clear(): void {
    for (const fault of this.faults.splice(0)) {
      this.parts.device.removeBehaviour(fault);
      fault.clear();
    }
  }
}
