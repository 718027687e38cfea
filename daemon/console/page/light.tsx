import { useEffect } from "preact/hooks";
import type { NowView } from "../now-view.js";
import type { Trouble as Shown } from "../troubles/trouble.js";
import { ToGuide } from "./help/to-guide.js";
import type { Connection } from "./now-feed.js";
import { Ago, Sentence } from "./text.js";
import { language, words } from "./words.js";

interface LightProps {
  readonly connection: Connection;
  readonly now: NowView | null;
  /** Only the first view shows all about the worst trouble, because the other views have other content. */
  readonly isShort: boolean;
}

type Colour = "green" | "yellow" | "red" | "grey";

const marks: Readonly<Record<Colour, string>> = { green: "✓", yellow: "!", red: "✕", grey: "?" };
/** The style sheet cannot reach the colours of the icon. */
const icons: Readonly<Record<Colour, string>> = {
  green: "#1a7f37",
  yellow: "#9a6700",
  red: "#cf222e",
  grey: "#6e7781",
};

export function Light({ connection, now, isShort }: LightProps) {
  const colour: Colour = connection === "live" && now !== null ? now.light.tone : "grey";
  const title = connection === "live" && now !== null ? now.light.text[language] : words.connection[connection];
  useEffect(() => {
    document.title = `${marks[colour]} ${title.replaceAll("`", "")}`;
    const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${icons[colour]}"/></svg>`;
    document.querySelector("link[rel=icon]")?.setAttribute("href", `data:image/svg+xml,${encodeURIComponent(mark)}`);
  }, [colour, title]);
  const [worst] = connection === "live" && now?.light.tone === "red" ? now.troubles : [];
  return (
    <section class={`light ${colour}`} role="status" aria-live="polite">
      <span class="mark" aria-hidden="true">
        {marks[colour]}
      </span>
      <div class="said">
        <h1>{colour === "red" ? words.personNeeded : title}</h1>
        {worst === undefined ? null : isShort ? (
          <p>
            <a href="#now">{words.help.questions}</a>
          </p>
        ) : (
          <p>
            <Sentence text={title} />{" "}
            <strong>
              <Sentence text={worst.next[language]} />
            </strong>{" "}
            ·{"\u00A0"}
            <Ago since={worst.since} now={now?.at ?? worst.since} />
            <ToDecisions trouble={worst} />
            <ToGuide trouble={worst} />
          </p>
        )}
        {connection === "lost" && now !== null ? <p>{words.shownAsOf({ at: timeOf(now.at) })}</p> : null}
        {connection === "no-access" ? (
          <p>
            <Sentence text={words.howToOpen} />
          </p>
        ) : null}
      </div>
    </section>
  );
}

/** Leaves out the troubles that the light and the cards show. */
export function Troubles({ now }: { readonly now: NowView }) {
  const rest = now.light.tone === "red" ? now.troubles.slice(1) : now.troubles;
  const onCards = new Set([...now.registers, ...now.sites].flatMap(({ troubles }) => troubles.map(({ key }) => key)));
  const others = rest.filter(({ key }) => !onCards.has(key));
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="troubles">
      <h2 id="troubles">{words.troubles}</h2>
      <ul class="troubles">
        {others.map((trouble) => (
          <Trouble key={trouble.key} {...{ trouble, at: now.at }} />
        ))}
      </ul>
    </section>
  );
}

function Trouble({ trouble, at }: { readonly trouble: Shown; readonly at: string }) {
  const { needs, about, text, next, since } = trouble;
  const name = about.name[language];
  return (
    <li class={needs === "person" ? "red" : "yellow"}>
      {name === "" ? null : <strong>{name}. </strong>}
      <Sentence text={text[language]} /> <Sentence text={next[language]} /> ·{"\u00A0"}
      <Ago {...{ since, now: at }} />
      <ToDecisions trouble={trouble} />
      <ToGuide trouble={trouble} />
    </li>
  );
}

export function ToDecisions({ trouble: { isDecision } }: { readonly trouble: Shown }) {
  return isDecision ? (
    <>
      {" "}
      · <a href="#decisions">{words.decisions}</a>
    </>
  ) : null;
}

function timeOf(iso: string): string {
  return new Date(iso).toLocaleTimeString("ru");
}
