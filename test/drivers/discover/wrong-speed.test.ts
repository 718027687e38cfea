/** Computes what a register hears when its line has another speed than the request; a pty has no speed. */
import { loadProbes } from "@fiscald/drivers/registry.js";

const BEGIN = [0x02, 0x05, 0x8f];
const LINE_END = 0x0a;

/** Levels of the line, one for each bit: start bit 0, eight data bits from the lowest on, stop bit 1, then rest. */
function levelsOf(bytes: Uint8Array): readonly number[] {
  const sent = [...bytes].flatMap((byte) => [0, ...Array.from({ length: 8 }, (_, bit) => (byte >> bit) & 1), 1]);
  return [1, ...sent, ...Array.from({ length: 300 }, () => 1)];
}

/** The bytes that a receiver hears whose bits are `ratio` times as long; a byte without its stop bit is dropped. */
function heardAs(bytes: Uint8Array, ratio: number): readonly number[] {
  const levels = levelsOf(bytes);
  const at = (time: number) => levels[Math.floor(time)] ?? 1;
  const heard: number[] = [];
  const step = 1 / 32;
  // After the last stop bit the line only rests.
  for (let time = 0; time <= bytes.length * 10 + 1; time += step) {
    if (at(time) !== 1 || at(time + step) !== 0) continue;
    const start = time + step;
    if (at(start + ratio / 2) !== 0) continue;
    const byte = [0, 1, 2, 3, 4, 5, 6, 7].reduce((sum, bit) => sum | (at(start + (1.5 + bit) * ratio) << bit), 0);
    if (at(start + 9.5 * ratio) === 1) heard.push(byte);
    time = start + 9.5 * ratio;
  }
  return heard;
}

test("the bytes of a probe, received at another maker's speed, begin no frame and have no line end", async () => {
  const probes = [...(await loadProbes()).values()];
  const speeds = [...new Set(probes.flatMap(({ baudRates }) => baudRates))];
  const unasked = probes.flatMap(({ requests }) => requests).filter(({ stage }) => stage !== "text");
  const spoken = unasked.flatMap(({ bytes, farewell }) => (farewell === undefined ? [bytes] : [bytes, farewell]));
  expect(heardAs(Uint8Array.of(0x8f, 0x00, 0x1d), 1)).toEqual([0x8f, 0x00, 0x1d]);
  const wrong: string[] = [];
  for (const bytes of spoken) {
    for (const speed of speeds) {
      for (const other of speeds.filter((candidate) => candidate !== speed)) {
        const heard = heardAs(bytes, speed / other);
        if (!heard.some((byte) => byte === LINE_END || BEGIN.includes(byte))) continue;
        wrong.push(`${Buffer.from(bytes).toString("hex")} sent at ${speed}, heard at ${other}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});
