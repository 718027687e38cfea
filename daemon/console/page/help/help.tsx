import { type Step, Steps } from "../confirm.js";
import { Sentence } from "../text.js";
import { type Words, words } from "../words.js";

/** What `scripts/build-page.js` makes of a guide. The HTML begins with the title. */
interface Text {
  readonly title: string;
  readonly html: string;
}

/** The guides are in Russian only, because their readers are Russian shops. */
const texts = import.meta.glob<Text>("../../../docs/*.ru.md", { import: "default", eager: true });
const topics = [
  ...["sheet", "wrong-receipt", "old-orders", "drawer", "drive-ends", "change-register", "move-computer"],
  ...["install", "support"],
];
const guides = topics.map((topic) => ({
  topic,
  ...(texts[`../../../docs/${topic}.ru.md`] ?? { title: topic, html: "" }),
}));

export function Help({ topic }: { readonly topic: string | null }) {
  const guide = guides.find((one) => one.topic === topic);
  return guide === undefined ? <Questions /> : <Guide key={topic} {...guide} />;
}

type Answer = keyof Words["help"]["answers"];

const places: readonly (readonly [Answer, string])[] = [
  ["noReceipt", "#orders"],
  ["twoReceipts", "#help/wrong-receipt"],
  ["wrongReceipt", "#help/wrong-receipt"],
  ["testSale", "#help/wrong-receipt"],
  ["oldOrders", "#help/old-orders"],
  ["copy", "#orders"],
  ["drawer", "#help/drawer"],
  ["driveEnds", "#help/drive-ends"],
  ["newRegister", "#help/change-register"],
  ["newComputer", "#help/move-computer"],
  ["newSite", "setup.html"],
];

function Questions() {
  const { help } = words;
  return (
    <>
      <section aria-labelledby="support">
        <h2 id="support">{words.support}</h2>
        <p>{help.forSupport}</p>
        <Steps steps={supportSteps()} />
        <p class="names">
          <Sentence text={help.withoutPage} />
        </p>
      </section>
      <section aria-labelledby="questions">
        <h2 id="questions">{help.questions}</h2>
        <ul class="links">
          {places.map(([name, place]) => (
            <li key={name}>
              <a href={place}>{help.answers[name].question}</a>
              <p>{help.answers[name].answer}</p>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="guides">
        <h2 id="guides">{help.guides}</h2>
        <ul class="links" lang="ru">
          {guides.map(({ topic, title }) => (
            <li key={topic}>
              <a href={`#help/${topic}`}>{title}</a>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function supportSteps(): readonly Step[] {
  return [
    { name: words.supportFile, question: words.askSupportFile, path: "/api/support-file" },
    {
      ...{ name: words.copyNow, question: words.askCopyNow, path: "/api/copy" },
      told: ({ copy }) => words.copied({ path: copy?.path ?? "" }),
    },
  ];
}

function Guide({ topic, html }: (typeof guides)[number]) {
  return (
    <>
      <p class="pages">
        <a href="#help">{words.help.toHelp}</a>
        <button type="button" onClick={() => print()}>
          {words.help.print}
        </button>
      </p>
      {/* The build made this HTML of Markdown, and shows HTML in a guide as text. */}
      <article class={`guide ${topic}`} lang="ru" dangerouslySetInnerHTML={{ __html: html }} />
    </>
  );
}
