/** Finds every place of a request's body, optional ones too, to put a hostile value there. */

type Json = ReturnType<typeof JSON.parse>;
export type Place = readonly (string | number)[];

export interface Schemas {
  /** Follows a reference such as `#/components/schemas/NAME`. */
  resolve(schema: Json): Json;
}

export function schemasOf(document: Json): Schemas {
  return {
    resolve: (schema) =>
      schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1)],
  };
}

/** Such as `[0]`, `[0].goods`, `[0].goods[0]`, `[0].goods[0].price`. */
export function placesOf(schemas: Schemas, schema: Json): readonly Place[] {
  const known = schemas.resolve(schema);
  if (known.anyOf !== undefined) return known.anyOf.flatMap((part: Json) => placesOf(schemas, part));
  if (known.type === "array") return below(0, placesOf(schemas, known.items));
  return Object.entries<Json>(known.properties ?? {}).flatMap(([name, part]) => below(name, placesOf(schemas, part)));
}

function below(step: string | number, places: readonly Place[]): readonly Place[] {
  return [[step], ...places.map((place) => [step, ...place])];
}

/** Makes missing objects on the way, with their required fields. */
export function withPut(schemas: Schemas, at: { schema: Json; value: Json; place: Place; put: Json }): Json {
  const { schema, value, place, put } = at;
  const [step, ...rest] = place;
  if (step === undefined) return put;
  const known = partWith(schemas, schema, step);
  const copy = structuredClone(value ?? complete(schemas, known));
  const part = typeof step === "number" ? known.items : known.properties[step];
  copy[step] = withPut(schemas, { schema: part, value: copy[step], place: rest, put });
  return copy;
}

export function schemaAt(schemas: Schemas, schema: Json, [step, ...rest]: Place): Json {
  if (step === undefined) return schemas.resolve(schema);
  const known = partWith(schemas, schema, step);
  return schemaAt(schemas, typeof step === "number" ? known.items : known.properties[step], rest);
}

/** The variant of the schema that has this step of the path. */
function partWith(schemas: Schemas, schema: Json, step: string | number): Json {
  const known = schemas.resolve(schema);
  const forms: Json[] = known.anyOf?.map((part: Json) => schemas.resolve(part)) ?? [known];
  return forms.find((form) =>
    typeof step === "number" ? form.type === "array" : form.properties?.[step] !== undefined,
  );
}

/** The smallest value that fits: required fields only, ids 1, existing times. */
export function complete(schemas: Schemas, schema: Json): Json {
  const known = schemas.resolve(schema);
  if (known.anyOf !== undefined) return complete(schemas, known.anyOf[0]);
  if (known.enum !== undefined) return known.enum[0];
  switch (known.type) {
    case "object":
      return Object.fromEntries(
        (known.required ?? []).map((name: string) => [name, complete(schemas, known.properties[name])]),
      );
    case "array":
      return [complete(schemas, known.items)];
    case "boolean":
      return false;
    case "string":
      if (known.pattern?.includes("{16}") === true) return "9999078900000002";
      return known.pattern?.includes("-\\d{2} ") === true ? "2026-11-20 14:05:00" : "1";
    default:
      return 1;
  }
}
