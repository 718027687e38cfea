import type { ContractWorld } from "../contract/world.js";

/** Names of the commands that reach the device from now on. */
export function heard({ register }: ContractWorld): string[] {
  const names: string[] = [];
  register.device.addBehaviour({
    onCommand: ({ names: [code = "", name = code] }) => {
      names.push(name);
      return "pass";
    },
  });
  return names;
}

export function count(names: readonly string[], wanted: string): number {
  return names.filter((name) => name === wanted).length;
}
