/** How many statements of a database a piece of work takes: that, unlike its time, is the same on every machine. */
import type { CompiledQuery, QueryResult } from "kysely";

interface Executor {
  executeQuery(query: CompiledQuery, ...more: readonly unknown[]): Promise<QueryResult<unknown>>;
}

/** Counts for all connections of this process; `executor`: that of any of them. */
export async function countStatements(executor: object, work: () => Promise<unknown>): Promise<number> {
  const shared = sharedExecutor(executor);
  const original = shared.executeQuery;
  let count = 0;
  shared.executeQuery = function (this: Executor, ...args) {
    count += 1;
    return original.apply(this, args);
  };
  try {
    await work();
  } finally {
    shared.executeQuery = original;
  }
  return count;
}

/** The prototype that the executors of transactions and of plain connections have in common. */
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
