import { useState } from "preact/hooks";
import type { OrderStory } from "../../order-views.js";
import { Steps } from "../confirm.js";
import { Sentence } from "../text.js";
import type { Spoken } from "../words.js";

interface ForBuyerProps extends Spoken {
  readonly row: OrderStory["row"];
  readonly forBuyer: NonNullable<OrderStory["forBuyer"]>;
}

export function ForBuyer({ row: { job, order }, forBuyer: { link, noCopy }, language, words }: ForBuyerProps) {
  const question = words.askCopy({ order });
  const copy = { name: words.actionNames.copy, question, path: `/api/jobs/${job}/copy`, isOptional: true };
  return (
    <section aria-labelledby="buyer">
      <h3 id="buyer">{words.forBuyer}</h3>
      <div class="buyer">
        <img src={`/api/jobs/${job}/qr.svg`} alt={link === null ? words.codeOfNumbers : words.codeOfLink} />
        <div>
          {link === null ? (
            <p>
              <Sentence text={words.noLink} />
            </p>
          ) : (
            <>
              <p>{words.showCode}</p>
              <p>
                <a href={link} target="_blank" rel="noreferrer">
                  {link}
                </a>
              </p>
            </>
          )}
          <Steps {...{ steps: noCopy === null ? [copy] : [], language, words }}>
            {link === null ? null : <CopyLink {...{ link, words }} />}
          </Steps>
          {noCopy === null ? null : <p class="names">{noCopy[language]}</p>}
        </div>
      </div>
    </section>
  );
}

function CopyLink({ link, words }: Pick<Spoken, "words"> & { readonly link: string }) {
  const [said, setSaid] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => setSaid(words.linkCopied),
      () => setSaid(words.linkNotCopied),
    );
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {words.copyLink}
      </button>
      <span role="status">{said}</span>
    </>
  );
}
