/**
 * One owner per port: what a register is reached by is claimed on this machine, so that a second daemon is told who has it
 * before it sends a byte. Programs that know nothing of this are noticed when the port is opened.
 */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { type ClaimHolder, claimAddress } from "./claim-address.js";
import { addressOfClaim, type PortName } from "./port-name.js";

export interface PortClaims {
  /**
   * In place of what this register had claimed before. Rejects with `link.held`, which says who has it; the register then
   * has claimed nothing.
   */
  claim(register: RegisterId, names: readonly PortName[]): Promise<void>;
  releaseAll(): Promise<void>;
}

export interface PortClaimsOptions {
  readonly pid: number;
  readonly database: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Default: this system's. */
  readonly addressOf?: (name: PortName) => string;
}

type Release = () => Promise<void>;

/** Registers of one daemon do not stand in one another's way here: two that change places meet at one port for a moment. */
export function createPortClaims(options: PortClaimsOptions): PortClaims {
  const { pid, database, clock, log, addressOf = addressOfClaim } = options;
  const since = new Date(clock.now()).toISOString();
  const wanted = new Map<RegisterId, readonly PortName[]>();
  const held = new Map<PortName, Promise<Release>>();

  function hold(name: PortName): Promise<Release> {
    const known = held.get(name);
    if (known !== undefined) return known;
    const taken = take(name);
    held.set(name, taken);
    return taken;
  }

  async function take(name: PortName): Promise<Release> {
    const end = await claimAddress(addressOf(name), { pid, since, database }, clock);
    if (end.kind === "taken") return end.release;
    if (end.kind === "held") throw heldBy(name, end.by, addressOf(name));
    // The system's own lock on the port is still there.
    const fault = toFault(end.cause, "internal");
    log.warn("a port cannot be claimed: a second daemon on it would not be refused", { port: name, fault });
    return async () => {};
  }

  async function releaseUnwanted(): Promise<void> {
    const still = new Set([...wanted.values()].flat());
    const free = [...held].filter(([name]) => !still.has(name));
    for (const [name] of free) held.delete(name);
    // That one could not be taken has been told to the register that wanted it.
    const releases = await Promise.allSettled(free.map(([, taken]) => taken));
    await Promise.all(releases.flatMap((it) => (it.status === "fulfilled" ? it.value() : [])));
  }

  return {
    async claim(register, names) {
      wanted.set(register, names);
      await releaseUnwanted();
      try {
        for (const name of names) await hold(name);
      } catch (error) {
        if (wanted.get(register) === names) wanted.delete(register);
        throw error;
      } finally {
        // The register may have come to want another port meanwhile.
        await releaseUnwanted();
      }
    },
    async releaseAll() {
      wanted.clear();
      await releaseUnwanted();
    },
  };
}

function heldBy(name: PortName, holder: ClaimHolder | null, address: string): Fault {
  // Stopped, hung, or no fiscald at all: by its address the system's own tools find it.
  const place = address.replace("\0", "@");
  const who =
    holder === null
      ? `another process, which does not say who it is; it listens at ${place} (on Linux \`ss -xlp\` shows its pid)`
      : `process ${holder.pid}, running since ${holder.since} with the database ${holder.database}`;
  return new Fault("link.held", { message: `${name} is held by ${who}`, place: name, details: { ...holder } });
}
