import { configJsonSchema } from "@fiscald/daemon/config/config-schema.js";
import { type DriverName, driverNames, driverRows } from "@fiscald/drivers/registry.js";
import { isObject } from "@fiscald/shared/exchange/lenient-fields.js";
import { type SchemaNode, schemaNode } from "@fiscald/shared/known-keys.js";
import { z } from "zod";

const cell = z.looseObject({
  description: z.string().optional(),
  default: z.unknown().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** Makes the table of the operator's guide, one row per key. */
export function configTable(): string {
  const rows = rowsOf(schemaNode.parse(configJsonSchema()), "");
  const options = driverNames.flatMap(optionRows);
  return ["| Key | Values | Default | Meaning |", "|---|---|---|---|", ...rows, ...options].join("\n");
}

function optionRows(driver: DriverName): readonly string[] {
  const schema = z.toJSONSchema(driverRows[driver].options, { io: "input" });
  return rowsOf(schemaNode.parse(schema), `registers[].options(${driver})`);
}

function rowsOf(node: SchemaNode, prefix: string): readonly string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    const list = child.items?.properties === undefined ? [] : rowsOf(child.items, `${path}[]`);
    return [
      row(path, child),
      ...rowsOf(child, path),
      ...list,
      ...choicesOf(child).flatMap((choice) => kindRows(choice, path)),
    ];
  });
}

/** Rows for keys that exist only with one value of `kind`. */
function kindRows(choice: SchemaNode, path: string): readonly string[] {
  const kind = cell.parse(choice.properties?.kind ?? {}).const;
  if (kind === undefined) return rowsOf({ properties: choice.properties ?? {} }, path);
  const { kind: _kind, ...others } = choice.properties ?? {};
  return rowsOf({ properties: others }, `${path}(${String(kind)})`);
}

/** The object types that a key accepts; the text above the table explains the other forms of a secret. */
function choicesOf(node: SchemaNode): readonly SchemaNode[] {
  const choices = [...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  return choices
    .flatMap((choice) => [choice, ...choicesOf(choice)])
    .filter(({ properties }) => properties !== undefined && !("fromFile" in properties) && !("fromEnv" in properties));
}

function row(path: string, node: SchemaNode): string {
  const { description = "", ...facts } = cell.parse(node);
  const byDefault = "default" in facts && !isObject(facts.default) ? `\`${JSON.stringify(facts.default)}\`` : "";
  return `| \`${path}\` | ${valuesOf(node)} | ${byDefault} | ${description} |`;
}

function valuesOf(node: SchemaNode): string {
  const facts = cell.parse(node);
  if (facts.const !== undefined) return `\`${String(facts.const)}\``;
  if (facts.enum !== undefined) return facts.enum.map((value) => `\`${String(value)}\``).join(", ");
  const choices = [...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  if (choices.some((choice) => choice.properties !== undefined && "fromEnv" in choice.properties)) return "secret";
  const kinds = choices.flatMap((choice) => cell.parse(choice.properties?.kind ?? {}).const ?? []);
  if (kinds.length > 0) return `kind ${kinds.map((kind) => `\`${String(kind)}\``).join(", ")}`;
  if (choices.length > 0) return [...new Set(choices.map(valuesOf))].join(" or ");
  const { minimum = -Infinity, maximum = Infinity } = facts;
  const limits = Math.abs(minimum) < Number.MAX_SAFE_INTEGER ? `, ${minimum} to ${maximum}` : "";
  return `${[facts.type ?? "anything"].flat().join(" or ")}${limits}`;
}
