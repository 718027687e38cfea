/** The ports of all registers, claimed before the daemon does anything else. */
import type { ListSerialPorts } from "@fiscald/drivers/transport/serial-ports.js";
import type { Clock } from "@fiscald/shared/clock.js";
import type { RegisterConfig } from "../config/register-schema.js";
import type { MetaStore } from "../store/database/meta-store.js";
import type { PortClaims } from "./port-claims.js";
import { createPortMemory } from "./port-memory.js";
import { type PortName, serialPortName, tcpPortNames } from "./port-name.js";

export interface ClaimPortsOptions {
  readonly registers: readonly RegisterConfig[];
  readonly claims: PortClaims;
  readonly meta: MetaStore;
  readonly clock: Clock;
  /** Default: this machine's. */
  readonly listPorts?: ListSerialPorts | undefined;
}

type Serial = Extract<RegisterConfig["connection"], { kind: "serial" }>;

const seekMs = 2000;

/** Rejects with `link.held` when another daemon has one of them. */
export async function claimPorts({ registers, claims, ...where }: ClaimPortsOptions): Promise<void> {
  await Promise.all(
    registers.map(async (register) => {
      const names = await namesOf(register, where);
      if (names.length > 0) await claims.claim(register.id, names);
    }),
  );
}

type Where = Omit<ClaimPortsOptions, "registers" | "claims">;

async function namesOf({ id, connection }: RegisterConfig, where: Where): Promise<readonly PortName[]> {
  switch (connection.kind) {
    case "serial": {
      const memory = createPortMemory({ meta: where.meta, register: id, path: connection.path });
      return [await serialPortName(await seekInTime(connection, memory, where))];
    }
    case "tcp":
      return tcpPortNames(connection.host, connection.port, where.clock);
    case "http":
      // A service is made for many.
      return [];
    case "emulator":
      // Part of this process.
      return [];
  }
}

/** A system that is slow to tell its ports delays no start: the register's port is claimed again when it is opened. */
async function seekInTime(
  { path, usbSerialNumber }: Serial,
  memory: ReturnType<typeof createPortMemory>,
  { clock, listPorts }: Where,
): Promise<string> {
  const [{ seekPort }, { listSerialPorts }] = await Promise.all([
    import("@fiscald/drivers/transport/replug-transport.js"),
    import("@fiscald/drivers/transport/serial-ports.js"),
  ]);
  const over = new AbortController();
  return Promise.race([
    seekPort({ path, usbSerialNumber: usbSerialNumber ?? null, memory, listPorts: listPorts ?? listSerialPorts }),
    clock.sleep(seekMs, over.signal).then(() => path),
  ]).finally(() => over.abort());
}
