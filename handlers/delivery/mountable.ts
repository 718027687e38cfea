/** Express tells an app where it is mounted, and a router nothing: a router that is mounted as an app is. */
import express, { type Application, type Router } from "express";

export interface Mount {
  readonly parent: Application;
  /** Of the first of its addresses, below the whole site. */
  path(): string;
  readonly at: string | string[];
}

/** The same router; requests are still those of the app that it is mounted on. In another router nobody hears of it. */
export function mountable(router: Router, onMount: (mount: Mount) => void): Router {
  const app = Object.assign(express(), { handle: router });
  app.on("mount", (parent: Application) => {
    const [first = ""] = [app.mountpath].flat();
    onMount({ parent, at: app.mountpath, path: () => `${parent.path()}${first}`.replace(/\/+$/, "") });
  });
  return app;
}
