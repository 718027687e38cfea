import type { Capabilities, Identity } from "@fiscald/drivers/fiscal-driver.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import type { ProvenModel } from "../store/register-store.js";

/** The device as it introduced itself on the present connection. */
export interface ConnectedRegister {
  readonly identity: Identity;
  readonly tables: RegisterTables;
  readonly capabilities: Capabilities;
}

export function provenModelOf({ identity, capabilities }: ConnectedRegister): ProvenModel {
  return { maker: capabilities.maker, model: identity.model, firmware: identity.firmware };
}

/** Documents carry marks: the model can, and the setting is on. */
export function writesMarks(connected: ConnectedRegister, settings: { readonly orderMark: boolean }): boolean {
  return settings.orderMark && connected.capabilities.fiscal.orderMark;
}
