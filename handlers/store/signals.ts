import { EventEmitter } from "node:events";

/** "There is something to do" between the parts and nodes of one database: may come late, twice or not at all. */
export interface Signals {
  /** Returns the function that ends the subscription. */
  subscribe(channel: string, listener: (payload: string) => void): () => void;
  close(): Promise<void>;
}

/** The listeners of this process, by channel: each held poll is one. */
export function createListeners(): EventEmitter<Record<string, [payload: string]>> {
  return new EventEmitter<Record<string, [payload: string]>>().setMaxListeners(0);
}
