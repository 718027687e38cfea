/** Counts the database statements of a piece of work: their number, unlike their time, is the same on every machine. */
import type { CompiledQuery, QueryResult } from "kysely";

interface Executor {
  executeQuery(query: CompiledQuery, ...more: readonly unknown[]): Promise<QueryResult<unknown>>;
}

/** Counts for all connections of this process; `executor`: that of any connection. */
export async function countStatements(executor: object, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const add = () => {
    count += 1;
  };
  await onStatements(executor, add, work);
  return count;
}

/** Calls back with each statement of `work` before the statement is executed. */
export async function onStatements(
  executor: object,
  listener: (query: CompiledQuery) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  const shared = sharedExecutor(executor);
  const original = shared.executeQuery;
  shared.executeQuery = function (this: Executor, ...args) {
    listener(args[0]);
    return original.apply(this, args);
  };
  try {
    await work();
  } finally {
    shared.executeQuery = original;
  }
}

/** The prototype that the executors of transactions and of plain connections share. */
function sharedExecutor(executor: object): Executor {
  for (
    let found: unknown = executor;
    typeof found === "object" && found !== null;
    found = Object.getPrototypeOf(found)
  ) {
    if (isExecutor(found)) return found;
  }
  throw new TypeError("this executes no queries");
}

function isExecutor(candidate: object): candidate is Executor {
  return Object.hasOwn(candidate, "executeQuery");
}
