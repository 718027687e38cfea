import { Fault } from "@fiscald/shared/fault.js";
import type { Config } from "../../config/config-schema.js";

/** A name that the config does not have is a slip of the fingers. Throws `usage.wrong` with those that there are. */
export function requireKnown(
  config: Pick<Config, "sites" | "registers">,
  kind: "site" | "register",
  name: string,
): void {
  const known: readonly string[] = (kind === "site" ? config.sites : config.registers).map(({ id }) => id);
  if (known.includes(name)) return;
  throw new Fault("usage.wrong", { message: `there is no ${kind} ${name}; there are: ${known.join(", ")}` });
}
