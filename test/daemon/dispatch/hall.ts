/** A hall with two registers of one group, and what may hinder one of them. */
import type { RegisterSettings } from "@fiscald/daemon/registers/register-settings.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { tillsOf, useBenches } from "../../support/benches.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import type { Bench, BenchOptions } from "../../support/register-bench.js";
import { createTill, receiptsOn, type ScriptedDevice } from "../../support/scripted-driver.js";

type Over = Parameters<typeof createTill>[1];

/** Call this at the top of a test file. */
export function useHall() {
  const { open } = useBenches();

  function openHall(
    devices: readonly ScriptedDevice[],
    settings: Partial<RegisterSettings> = {},
    options: Pick<BenchOptions, "forgetful" | "hooks"> = {},
  ): Bench {
    return open({ ...options, registers: tillsOf(devices, { group: "hall", ...settings }) });
  }

  function openPair(settings: Partial<RegisterSettings> = {}, ofOne: Over = {}, ofTwo: Over = {}, options = {}) {
    const [one, two] = [createTill(1, ofOne), createTill(2, ofTwo)];
    return { one, two, opened: openHall([one, two], settings, options) };
  }

  async function startPair(settings: Partial<RegisterSettings> = {}) {
    const pair = openPair(settings);
    await pair.opened.start();
    return pair;
  }

  return { openHall, openPair, startPair };
}

export async function takeAway(opened: Bench, device: ScriptedDevice): Promise<void> {
  device.unplugged = true;
  await opened.clock.advance(20_000);
}

/** The device hangs in this call until the returned function is called. */
export function hold(device: ScriptedDevice, asked: string): () => void {
  let letGo = () => {};
  device.onCall = (name) => (name === asked ? new Promise<void>((resolve) => (letGo = resolve)) : undefined);
  return () => {
    device.onCall = () => {};
    letGo();
  };
}

export const order = (id: string, name = id) => makeReceipt({ orderId: toOrderId(id), lines: [makeItem({ name })] });
export const namesOn = (device: ScriptedDevice) => receiptsOn(device).map(({ items }) => items[0]?.name);
