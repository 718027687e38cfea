import type { Compilable, CompiledQuery, Kysely } from "kysely";

type Value = string | number | null;

/**
 * A query that is built and compiled at its first use only, because that costs more than running a small query. `build`
 * uses its arguments as the parameters of the query, each once and in their order (an array is a list after `in`), and
 * writes everything that is always the same with `sql.lit`.
 */
export function prepareQuery<Tables, Row, Args extends readonly (Value | readonly Value[])[]>(
  build: (db: Kysely<Tables>, ...args: Args) => Compilable<Row>,
): (db: Kysely<Tables>, ...args: Args) => Promise<readonly Row[]> {
  // Compiled queries by the kind of database, which the adapter's class says, and by the lengths of the lists.
  const compiled = new WeakMap<object, Map<string, CompiledQuery<Row>>>();

  function compiledFor(db: Kysely<Tables>, args: Args, values: readonly Value[]): CompiledQuery<Row> {
    const { adapter, plugins } = db.getExecutor();
    // A caller's plugins may change the text of its queries.
    const kind = plugins.length === 0 ? adapter.constructor : adapter;
    const known = compiled.get(kind) ?? new Map<string, CompiledQuery<Row>>();
    compiled.set(kind, known);
    const lengths = args.map((arg) => (Array.isArray(arg) ? arg.length : 1)).join();
    const found = known.get(lengths) ?? build(db, ...args).compile();
    if (!known.has(lengths)) {
      requireSame(found, values);
      known.set(lengths, found);
    }
    return found;
  }

  return async (db, ...args) => {
    const values = args.flat();
    const query = compiledFor(db, args, values);
    return (await db.executeQuery<Row>({ ...query, parameters: values })).rows;
  };
}

function requireSame({ sql, parameters }: CompiledQuery, values: readonly Value[]): void {
  const isSame = parameters.length === values.length && parameters.every((value, index) => value === values[index]);
  if (!isSame) throw new TypeError(`the parameters of this query are not its arguments in their order: ${sql}`);
}

/** Fills a list up with its last value to 1, 2, 4, 8 ... values, so that fewer queries are compiled. */
export function paddedList<Item>(items: readonly Item[]): readonly Item[] {
  const unique = [...new Set(items)];
  const last = unique.at(-1);
  if (last === undefined) return unique;
  const length = 2 ** Math.ceil(Math.log2(unique.length));
  return [...unique, ...Array<Item>(length - unique.length).fill(last)];
}
