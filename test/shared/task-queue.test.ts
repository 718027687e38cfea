import { createTaskQueue } from "@fiscald/shared/task-queue.js";

/** Makes a task that runs until the test ends it. */
function held(name: string, log: string[]) {
  let end: (value: string) => void = () => {};
  const gate = new Promise<string>((resolve) => {
    end = resolve;
  });
  const task = async () => {
    log.push(`${name} began`);
    const value = await gate;
    log.push(`${name} ended`);
    return value;
  };
  return { task, end: () => end(name) };
}

test("a queue runs one task at a time, in the sequence of arrival", async () => {
  const log: string[] = [];
  const queue = createTaskQueue();
  const [first, second] = [held("first", log), held("second", log)];
  const results = Promise.all([queue.add(first.task), queue.add(second.task)]);
  second.end();
  expect(log).toEqual(["first began"]);
  first.end();
  expect(await results).toEqual(["first", "second"]);
  expect(log).toEqual(["first began", "first ended", "second began", "second ended"]);
});

test("an urgent task of a queue runs before the waiting tasks, but behind earlier urgent tasks", async () => {
  const queue = createTaskQueue();
  const order: string[] = [];
  const running = held("running", []);
  const note = (name: string) => async () => void order.push(name);
  const all = [
    queue.add(running.task),
    queue.add(note("plain")),
    queue.add(note("urgent 1"), { urgent: true }),
    queue.add(note("urgent 2"), { urgent: true }),
  ];
  running.end();
  await Promise.all(all);
  expect(order).toEqual(["urgent 1", "urgent 2", "plain"]);
});

test("a failing task of a queue does not make another task fail", async () => {
  const queue = createTaskQueue();
  const broken = queue.add(() => Promise.reject(new Error("broken")));
  const throwing = queue.add(() => {
    throw new Error("thrown");
  });
  const sound = queue.add(async () => "sound");
  await expect(broken).rejects.toThrow("broken");
  await expect(throwing).rejects.toThrow("thrown");
  expect(await sound).toBe("sound");
});

test("a stop of a queue lets the running task end and refuses all other tasks", async () => {
  const queue = createTaskQueue();
  const log: string[] = [];
  const running = held("running", log);
  const first = queue.add(running.task);
  const waiting = queue.add(async () => "waiting");
  const stopped = queue.stop(new Error("stopped")).then(() => log.push("stopped"));
  const late = queue.add(async () => "late");
  await expect(waiting).rejects.toThrow("stopped");
  await expect(late).rejects.toThrow("stopped");
  running.end();
  expect(await first).toBe("running");
  await stopped;
  expect(log).toEqual(["running began", "running ended", "stopped"]);
});
