/** The operator's page decides nothing, and shows what the daemon's views say. */

import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { act } from "./api.js";
import { Rights } from "./confirm.js";
import { Day } from "./day.js";
import { Decisions } from "./decisions/decisions.js";
import { Help } from "./help/help.js";
import { Light } from "./light.js";
import { Now } from "./now.js";
import { beforeAll, followNow } from "./now-feed.js";
import { Order } from "./orders/order.js";
import { Orders } from "./orders/orders.js";
import { EmulatedBand } from "./setup/emulated-band.js";
import { useOtherLanguage, words } from "./words.js";

const pages = ["now", "decisions", "orders", "day", "help"] as const;

function Page() {
  const { other, speakOther } = useOtherLanguage();
  const [{ connection, now, changed }, setFeed] = useState(beforeAll);
  const place = usePlace();
  const main = useStartOfView(place);
  useKeptFocus(main);
  useEffect(() => void followNow(setFeed), []);
  const order = /^#order\/(\d+)$/.exec(place)?.[1];
  const topic = /^#help\/([\w-]+)$/.exec(place)?.[1] ?? null;
  const chosen = topic === null ? pages.find((page) => place === `#${page}`) : "help";
  const shown = order !== undefined ? "orders" : (chosen ?? "now");
  const decisions = now?.decisions ?? 0;
  return (
    <>
      <header class="top">
        <nav>
          {pages.map((page) => (
            <a key={page} href={`#${page}`} aria-current={page === shown ? "page" : undefined}>
              {page === "help" ? words.helpTitle : words[page]}
              {page === "decisions" && decisions > 0 ? <span class="count">{decisions}</span> : null}
            </a>
          ))}
          {now?.role === "operator" ? null : <a href="setup.html">{words.setup}</a>}
        </nav>
        <div class="switches">
          <button type="button" lang={other} onClick={speakOther}>
            {words.otherLanguage}
          </button>
          {now?.role === "administrator" ? (
            <button type="button" onClick={() => void act("/api/leave", {}).then(() => location.reload())}>
              {words.leave}
            </button>
          ) : null}
        </div>
      </header>
      <Rights.Provider value={{ isLive: connection === "live", role: now?.role ?? "administrator" }}>
        <main ref={main} tabIndex={-1} class={connection === "live" ? "" : "stale"}>
          <EmulatedBand now={now} />
          <Light {...{ connection, now, isShort: shown !== "now" }} />
          {/* Without a session nothing can be read, and old data would only mislead, so nothing is shown. */}
          {connection === "no-access" ? null : (
            <>
              {shown === "now" && now !== null ? <Now {...{ now, changed }} /> : null}
              {shown === "decisions" ? <Decisions changed={changed} /> : null}
              {shown === "day" ? <Day changed={changed} /> : null}
              {shown === "orders" && order === undefined ? <Orders changed={changed} /> : null}
              {order === undefined ? null : <Order key={order} {...{ job: Number(order), changed }} />}
            </>
          )}
          {/* The page of help holds no data, and a person who sees nothing else needs it most. */}
          {shown === "help" ? <Help topic={topic} /> : null}
        </main>
      </Rights.Provider>
    </>
  );
}

/** Another view begins at its start, for the eye and for the keyboard, even if the link to the view is gone. */
function useStartOfView(place: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    scrollTo(0, 0);
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [place]);
  return main;
}

/** When the focused element leaves the page, the focus goes to the element that followed, or to the view's heading. */
function useKeptFocus(main: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const view = main.current;
    if (view === null) return;
    const controls = "a[href], button, summary, input, select";
    let [held, ...followers]: Element[] = [];
    let place = "";
    const remember = ({ target }: FocusEvent) => {
      const all = [...view.querySelectorAll(controls)];
      if (target instanceof Element && all.includes(target)) [held, ...followers] = all.slice(all.indexOf(target));
      place = location.hash;
    };
    // A click on an empty place takes the focus away on purpose, so the focus must not come back by itself.
    const forget = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || target.closest(`${controls}, label`) !== null) return;
      [held, followers] = [undefined, []];
    };
    const changes = new MutationObserver(() => {
      const isLost = held?.isConnected === false && document.activeElement === document.body;
      if (!isLost || place !== location.hash) return;
      const next = followers.find(({ isConnected }) => isConnected) ?? view.querySelector("h2");
      if (!(next instanceof HTMLElement)) return;
      if (next.tagName === "H2") next.tabIndex = -1;
      next.focus();
    });
    view.addEventListener("focusin", remember);
    document.addEventListener("pointerdown", forget);
    changes.observe(view, { childList: true, subtree: true });
    return () => {
      view.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", forget);
      changes.disconnect();
    };
  }, []);
}

/** The part of the page's address after `#`. */
function usePlace(): string {
  const [place, setPlace] = useState(location.hash);
  useEffect(() => {
    const look = () => setPlace(location.hash);
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  return place;
}

const root = document.getElementById("page");
if (root !== null) render(<Page />, root);
