import type { TaskView } from "./client.js";
import { driverFault } from "./device-errors.js";
import type { Task } from "./tasks.js";

/** Fault: the driver's error, or that the task was not carried out. */
export function resultOf(task: Task, view: TaskView | undefined): unknown {
  if (view?.status === "ready") return view.result;
  throw driverFault(task.type, view?.code ?? 0, view?.description || `the task ended as ${view?.status ?? "nothing"}`);
}
