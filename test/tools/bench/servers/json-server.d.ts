declare module "json-server" {
  import type { RequestHandler } from "express";
  import type { Express } from "express-serve-static-core";

  const jsonServer: {
    create(): Express;
    router(data: object): RequestHandler;
    readonly bodyParser: RequestHandler;
  };
  export = jsonServer;
}
