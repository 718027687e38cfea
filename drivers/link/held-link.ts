/** The present connection of a driver over bytes. Its last frames and the listeners for its loss are kept. */
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { WireFrame } from "../fiscal-driver.js";
import { createLink, type Link, type LinkOptions } from "./link.js";

export class HeldLink<Connection extends { readonly link: Link }> {
  private held: Connection | null = null;
  private frames: () => readonly WireFrame[] = () => [];
  private readonly lostListeners: ((fault: Fault) => void)[] = [];

  /**
   * Opens a connection and closes an earlier one. `identify` asks the first questions; `place` is the index of the
   * protocol that answered.
   */
  async open(
    options: LinkOptions,
    identify: (link: Link, place: number) => Promise<Connection>,
    signal: AbortSignal,
  ): Promise<void> {
    await this.close();
    const link = createLink(options);
    this.frames = () => link.lastFrames();
    link.onLost((fault) => {
      for (const listener of this.lostListeners) listener(fault);
    });
    const place = await link.open(signal);
    try {
      this.held = await identify(link, place);
    } catch (error) {
      await link.close();
      throw toFault(error, "internal");
    }
  }

  get connection(): Connection {
    if (this.held === null) throw new Fault("link.lost", { message: "not connected" });
    return this.held;
  }

  async close(): Promise<void> {
    const { held } = this;
    this.held = null;
    await held?.link.close();
  }

  readonly lastFrames = (): readonly WireFrame[] => this.frames();

  readonly onLost = (listener: (fault: Fault) => void): void => {
    this.lostListeners.push(listener);
  };
}
