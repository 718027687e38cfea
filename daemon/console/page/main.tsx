/** The operator's page. It decides nothing: it shows what `/api/now` says. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Language } from "../../messages/messages.js";
import { Register, Site } from "./cards.js";
import { Light, Troubles } from "./light.js";
import { type Feed, followNow } from "./now-feed.js";
import { keepLanguage, keptLanguage, wordsIn } from "./words.js";

function Page() {
  const [language, setLanguage] = useState<Language>(keptLanguage);
  const [{ connection, now }, setFeed] = useState<Feed>({ connection: "loading", now: null });
  useEffect(() => followNow(setFeed), []);
  useEffect(() => keepLanguage(language), [language]);
  const words = wordsIn(language);
  const other: Language = language === "ru" ? "en" : "ru";
  return (
    <>
      <header class="top">
        <span class="name">fiscald</span>
        <button type="button" lang={other} onClick={() => setLanguage(other)}>
          {words.otherLanguage}
        </button>
      </header>
      <main class={connection === "live" ? "" : "stale"}>
        <Light {...{ connection, now, language, words }} />
        {now === null ? null : (
          <>
            <Troubles {...{ now, language, words }} />
            <section aria-labelledby="registers">
              <h2 id="registers">{words.registers}</h2>
              <div class="cards">
                {now.registers.map((card) => (
                  <Register key={card.id} {...{ card, language, words }} />
                ))}
              </div>
            </section>
            <section aria-labelledby="sites">
              <h2 id="sites">{words.sites}</h2>
              <div class="cards">
                {now.sites.map((card) => (
                  <Site key={card.id} {...{ card, language, words, at: now.at }} />
                ))}
              </div>
            </section>
          </>
        )}
      </main>
    </>
  );
}

const root = document.getElementById("page");
if (root !== null) render(<Page />, root);
