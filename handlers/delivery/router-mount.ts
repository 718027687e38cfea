/** Express tells an app its mount path, but not a router: this router is mounted as an app. */
import express, { type Application, type Router } from "express";

export interface Mount {
  readonly parent: Application;
  /** Of the first of its addresses, below the whole site. */
  path(): string;
  readonly at: string | string[];
}

/** The same router; requests are still those of the outer app. Inside another router there is no mount event. */
export function watchMount(router: Router, onMount: (mount: Mount) => void): Router {
  const app = Object.assign(express(), { handle: router });
  app.on("mount", (parent: Application) => {
    const [first = ""] = [app.mountpath].flat();
    onMount({ parent, at: app.mountpath, path: () => `${parent.path()}${first}`.replace(/\/+$/, "") });
  });
  return app;
}
