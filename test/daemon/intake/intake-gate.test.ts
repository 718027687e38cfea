import { IntakeGate } from "@fiscald/daemon/intake/intake-gate.js";

test("answers that come together are stored one in each turn of the event loop, and a later answer is stored at once", async () => {
  const gate = new IntakeGate();
  const turns: (() => void)[] = [];
  const clock = { turn: () => new Promise<void>((resolve) => void turns.push(resolve)) };
  const stored: number[] = [];
  const answers = [1, 2, 3].map(async (answer) => {
    await gate.whenTurn(clock);
    stored.push(answer);
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await settled();
    expect(stored).toEqual(expected);
    turns.shift()?.();
  }
  await Promise.all(answers);
  await settled();
  await gate.whenTurn(clock);
});
