import type { IncomingMessage, ServerResponse } from "node:http";
import { createCallEndpoint, type PrintServerRouterOptions } from "./call-endpoint.js";
import { answerNode } from "./create-router.js";

export interface FastifyScope {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: IncomingMessage, done: (error: Error | null) => void) => void,
  ): unknown;
  addHook(name: "preClose", hook: (done: () => void) => void): unknown;
  all(path: string, handler: (request: FastifyCall, reply: FastifyAnswer) => void): unknown;
}

export interface FastifyCall {
  readonly raw: IncomingMessage;
  readonly ip: string;
}

export interface FastifyAnswer {
  readonly raw: ServerResponse;
  /** Tells Fastify that this plugin answers the request itself. */
  hijack(): unknown;
}

export type PrintServerPlugin = (scope: FastifyScope) => Promise<void>;

/** Makes the plugin: `app.register(createPrintServerPlugin(options), { prefix })`. */
export function createPrintServerPlugin(options: PrintServerRouterOptions): PrintServerPlugin {
  const endpoint = createCallEndpoint(options);
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    // `app.close()` would wait up to a minute for polls that are held.
    scope.addHook("preClose", (done) => {
      endpoint.endPolls();
      done();
    });
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const paths = options.paths === undefined ? ["/"] : Object.values(options.paths);
    for (const path of new Set(paths)) {
      const kinds = endpoint.kindsAt(path);
      scope.all(path, (request, reply) => {
        reply.hijack();
        void answerNode(endpoint, kinds, request.raw, reply.raw, request.ip);
      });
    }
  };
}
