/** Packages that only some of our users need: they are loaded when asked for, and their absence is a sentence. */
import { Fault } from "./fault.js";

/** Fault `usage.package-missing`, which names the package that was not found; other errors as they are. */
export function explainMissing(name: string, error: unknown): unknown {
  if (!isNotFound(error)) return error;
  return new Fault("usage.package-missing", {
    message: `the package ${name} is not installed`,
    place: name,
    cause: error,
  });
}

function isNotFound(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  return error.code === "MODULE_NOT_FOUND" || error.code === "ERR_MODULE_NOT_FOUND";
}
