import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { OpenApiDocument } from "#handlers/delivery/openapi/document.js";

export interface SeenAnswer {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

export type AnswerCheck = (answer: SeenAnswer) => void;

/** Throws when an answer's status, or a field of its body, is not in the document. */
export function createAnswerCheck(document: OpenApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: "api", components: document.components });
  const compiled = new Map<string, ValidateFunction>();

  function validatorOf(pointer: string, schema: unknown): ValidateFunction {
    const known = compiled.get(pointer);
    if (known !== undefined) return known;
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')));
    compiled.set(pointer, validate);
    return validate;
  }

  return ({ method, path, status, body }) => {
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) {
      if (status === 404) return;
      throw new Error(`${method} ${path} is not documented but answered ${status}`);
    }
    const answer = Object(operation.responses)[String(status)];
    const response = answer?.$ref === undefined ? answer : document.components.responses[answer.$ref.split("/").at(-1)];
    if (response === undefined) throw new Error(`${method} ${path} answered the undocumented status ${status}`);
    const schema = Object(response.content)["application/json"]?.schema;
    if (schema === undefined) {
      if (body === undefined) return;
      throw new Error(`${method} ${path} ${status} has a body but documents none`);
    }
    const validate = validatorOf(`${method} ${path} ${status}`, schema);
    if (validate(body)) return;
    const words = ajv.errorsText(validate.errors, { separator: "\n" });
    throw new Error(
      `${method} ${path} ${status} breaks its schema:\n${words}\n${JSON.stringify(body)?.slice(0, 2000)}`,
    );
  };
}
