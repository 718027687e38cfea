/** Which keys a schema allows, and which known word a misspelt one likely means. */
import { z } from "zod";

export interface SchemaNode {
  readonly properties?: { readonly [key: string]: SchemaNode } | undefined;
  readonly items?: SchemaNode | undefined;
  readonly anyOf?: readonly SchemaNode[] | undefined;
  readonly oneOf?: readonly SchemaNode[] | undefined;
  readonly [other: string]: unknown;
}

export const schemaNode: z.ZodType<SchemaNode> = z.looseObject({
  get properties() {
    return z.record(z.string(), schemaNode).optional();
  },
  get items() {
    return schemaNode.optional();
  },
  get anyOf() {
    return z.array(schemaNode).optional();
  },
  get oneOf() {
    return z.array(schemaNode).optional();
  },
});

/** The keys that are allowed at one path of the schema, over all variants of the object at that path. */
export function knownKeysAt(root: SchemaNode, path: readonly PropertyKey[]): readonly string[] {
  const nodes = path.reduce<readonly SchemaNode[]>(
    (found, part) => found.flatMap((node) => stepInto(node, part)),
    [root],
  );
  return [
    ...new Set(nodes.flatMap((node) => alternatives(node)).flatMap((node) => Object.keys(node.properties ?? {}))),
  ];
}

/** The keys of all objects of a schema, by the key that an object stands under; a list's objects by the list's key. */
export function keysByParent(root: SchemaNode): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const visit = (node: SchemaNode, parent: string): void => {
    for (const choice of alternatives(node)) {
      if (choice.items !== undefined) visit(choice.items, parent);
      for (const [key, inner] of Object.entries(choice.properties ?? {})) {
        found.set(parent, (found.get(parent) ?? new Set()).add(key));
        visit(inner, key);
      }
    }
  };
  visit(root, "");
  return found;
}

function stepInto(node: SchemaNode, part: PropertyKey): readonly SchemaNode[] {
  return alternatives(node).flatMap((choice) => {
    const next = typeof part === "number" ? choice.items : choice.properties?.[String(part)];
    return next === undefined ? [] : [next];
  });
}

function alternatives(node: SchemaNode): readonly SchemaNode[] {
  return [node, ...(node.anyOf ?? []), ...(node.oneOf ?? [])];
}

/** Null: no known word is near. `limit`: the most letters that may differ. */
export function nearestWord(
  word: string,
  known: readonly string[],
  limit = Math.max(2, Math.ceil(word.length / 3)),
): string | null {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance);
  return ranked[0]?.candidate ?? null;
}

/** How many letters must be inserted, removed, changed or swapped with the next letter. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  let before: readonly number[] = [];
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1);
      const isSwapped = index > 0 && letter === to[column - 1] && from[index - 1] === other;
      const swapped = isSwapped ? (before[column - 1] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
